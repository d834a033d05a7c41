package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.errors.SortCancelledException;
import io.samplesort.files.types.FileColumn;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The listener of a sorter cancels sorts of files, too.
class FileSortCancelTest extends FileSortCase {
    /// It is asked for each part, and cancels the second one, or the only one.
    @ParameterizedTest
    @ValueSource(longs = {MEMORY, 64L << 20})
    void theListenerOfTheSorterCancels(long memory) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        SortListener listener = new SortListener() {
            @Override
            public boolean isCancelled() {
                return asked.incrementAndGet() == (memory == MEMORY ? 2 : 1);
            }
        };
        try (Sorter watched = SampleSort.onCpu().listener(listener).build(ElementType.LONG)) {
            FileSort sort = FileSort.with(watched).memory(memory);
            assertThatThrownBy(() -> sort.sort(FileColumn.of(in).to(out)))
                    .isInstanceOf(SortCancelledException.class)
                    .hasMessage("the listener of the sorter has cancelled the sort of " + in + ", which is as it was");
            assertNothingChanged();
            sort.sort(FileColumn.of(in).to(out));
            assertThat(out).hasSize(8L * COUNT);
        }
    }
}
