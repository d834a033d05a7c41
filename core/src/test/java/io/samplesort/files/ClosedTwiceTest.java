package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Closing: an input of any size twice, and everything even if one thing cannot be closed.
class ClosedTwiceTest {
    @TempDir
    Path folder;

    @Test
    void anInputThatIsReadPastTheCacheMayBeClosedTwice() throws IOException {
        Path file = Files.write(folder.resolve("f"), new byte[16 << 20]);
        try (InputFile input = InputFile.open(file, 0, 1)) {
            input.close();
        }
    }

    @Test
    void closesWhatComesBehindAFailure() {
        List<String> closed = new ArrayList<>();
        IllegalStateException unchecked = new IllegalStateException("already closed");
        List<Closeable> open = List.of(
                () -> closed.add("first"),
                () -> {
                    throw unchecked;
                },
                () -> {
                    throw new IOException("a disk has failed");
                },
                () -> closed.add("last"));
        assertThatThrownBy(() -> SortFolders.close(open)).isSameAs(unchecked);
        assertThat(unchecked.getSuppressed()).singleElement().isInstanceOf(IOException.class);
        assertThat(closed).containsExactly("first", "last");
        assertThatThrownBy(() -> SortFolders.close(open.subList(2, 4)))
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining("a disk has failed");
        assertThat(closed).containsExactly("first", "last", "last");
    }
}
