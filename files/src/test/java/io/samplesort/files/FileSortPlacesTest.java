package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is looked at before a file is sorted: arguments, disks, and what other sorts have left or are using.
@Timeout(600)
class FileSortPlacesTest extends FileSortCase {
    @Test
    void placesThatAreNoneAreRefused() throws IOException {
        FileSort sort = FileSort.with(sorter).memory(MEMORY);
        assertThatThrownBy(() -> sort.temporaryFolder(folder.resolve("no"))
                        .sort(FileColumn.of(in).to(out)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no for temporary files is not there: make it first");
        assertNothingChanged();
        // A sort that needs no folder does not look for it.
        FileSort.with(sorter)
                .temporaryFolder(folder.resolve("no"))
                .sort(FileColumn.of(in).to(out));
        assertThat(out).hasSize(8L * COUNT);
        Files.write(out, OLD);
        // No user can make a file there, not even root.
        Path unwritable = Path.of("/proc/self");
        if (Files.isDirectory(unwritable)) {
            assertThatThrownBy(() -> sort.temporaryFolder(unwritable)
                            .sort(FileColumn.of(in).to(out)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/proc/");
        }
        FileSort beside = FileSort.with(sorter).memory(MEMORY);
        assertThatThrownBy(() -> beside.sort(FileColumn.of(in).to(folder)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a folder");
        assertThatThrownBy(() -> beside.sort(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("none") + " is not there");
        assertThatThrownBy(() -> beside.sort(FileColumn.of(in).after(3).to(out)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("399997 bytes of elements, which is not a multiple of 8");
        assertNothingChanged();
    }

    @Test
    void mistakesAreRefused() throws IOException {
        assertThatThrownBy(() -> FileSort.with(sorter).memory(20).sort(in))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory of 20 bytes is too little");
        assertThatThrownBy(() -> FileSort.with(sorter).memory(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileColumn.of(in).after(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileSort.with(sorter).sort(FileColumn.of(in), FileColumn.of(out)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("for 0 payloads and was given 1 files");
        try (Sorter pairs = SampleSort.onCpu().payload(ElementType.BYTE).build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(pairs).sort(FileColumn.of(in), FileColumn.of(out)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("50000 keys and " + out + " 3 payloads");
            assertThatThrownBy(() -> FileSort.with(pairs)
                            .sort(
                                    FileColumn.of(in).to(out),
                                    FileColumn.of(in).after(8 * COUNT - COUNT).to(out)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("to the same file");
        }
        sorter.close();
        assertThatThrownBy(() -> sort(new FileListener() {})).isInstanceOf(IllegalStateException.class);
        assertNothingChanged();
    }

    @Test
    void aFullDiskShowsBefore() throws IOException {
        Path large = folder.resolve("large");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            // Nearly all of it a hole: it takes no room, the result and the sorted parts would.
            long bytes = folder.toFile().getUsableSpace() / 3 * 2;
            file.setLength(bytes / 8 * 8);
        }
        assertThatThrownBy(() -> FileSort.with(sorter).memory(1L << 30).sort(large))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the disk of " + folder.toRealPath())
                .hasMessageContaining("for sorted parts and");
        Files.delete(large);
        assertNothingChanged();
    }

    @Test
    void leftoversAreRemovedAndTold() throws IOException {
        Path leftover = Files.write(folder.resolve(".out.0123456789abcdef.samplesort"), OLD);
        List<Path> removed = new ArrayList<>();
        sort(new FileListener() {
            @Override
            public void removed(Path path) {
                removed.add(path);
            }
        });
        assertThat(removed).containsExactly(folder.toRealPath().resolve(leftover.getFileName()));
        assertNoLitter();
    }

    @Test
    void sortsToTheSameFileLeaveEachOtherAlone() throws IOException {
        List<Path> removed = new ArrayList<>();
        try (Sorter other = SampleSort.onCpu().build(ElementType.LONG)) {
            sort(at(0.6, () -> {
                assertThat(list(folder)).hasSize(4);
                FileSort.with(other)
                        .memory(MEMORY)
                        .listener(new FileListener() {
                            @Override
                            public void removed(Path path) {
                                removed.add(path);
                            }
                        })
                        .sort(FileColumn.of(in).to(out));
                assertThat(list(folder)).hasSize(4);
            }));
        }
        assertThat(removed).isEmpty();
        assertThat(Files.size(out)).isEqualTo(8 * COUNT);
        assertNoLitter();
    }
}
