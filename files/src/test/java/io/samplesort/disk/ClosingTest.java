package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Everything is closed even if one thing cannot be.
class ClosingTest {
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
