package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Sorts columns through files, each with a header or none, in place or to another file, and in as many parts as the
/// least memory makes that is accepted.
final class TrialFiles {
    private final Path folder;
    private final byte[] header;
    private final boolean isInPlace;

    private TrialFiles(Path folder, long seed) {
        this.folder = folder;
        this.header = new byte[(int) Math.floorMod(seed, 3)];
        Arrays.fill(header, (byte) 'h');
        this.isInPlace = seed % 2 == 0;
    }

    /// Sorts the columns, keys first, and puts the sorted elements in their place.
    ///
    /// @param seed decides on headers, outputs and where to begin with the memory
    static void sort(Sorter sorter, List<MemorySegment> columns, long seed) throws IOException {
        Path folder = Files.createTempDirectory("trial");
        try {
            new TrialFiles(folder, seed).sort(sorter, columns, 1 + Math.floorMod(seed, 5));
        } finally {
            try (Stream<Path> left = Files.list(folder)) {
                for (Path file : left.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private void sort(Sorter sorter, List<MemorySegment> columns, int parts) throws IOException {
        List<FileColumn> files = new ArrayList<>();
        long bytes = 1;
        for (int i = 0; i < columns.size(); i++) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            content.writeBytes(header);
            content.writeBytes(columns.get(i).toArray(ValueLayout.JAVA_BYTE));
            Path in = Files.write(folder.resolve("in" + i), content.toByteArray());
            FileColumn file = FileColumn.of(in).after(header.length);
            files.add(isInPlace ? file : file.to(folder.resolve("out" + i)));
            bytes += columns.get(i).byteSize();
        }
        sortWithin(sorter, files, Math.ceilDiv(bytes, parts));
        for (int i = 0; i < columns.size(); i++) {
            MemorySegment sorted = MemorySegment.ofArray(Files.readAllBytes(
                    files.get(i).output() == null
                            ? files.get(i).input()
                            : files.get(i).output()));
            assertThat(sorted.asSlice(0, header.length).toArray(ValueLayout.JAVA_BYTE))
                    .as("the header")
                    .isEqualTo(header);
            columns.get(i).copyFrom(sorted.asSlice(header.length));
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).as("files").hasSize(isInPlace ? columns.size() : 2 * columns.size());
        }
    }

    private static void sortWithin(Sorter sorter, List<FileColumn> files, long memory) throws IOException {
        FileColumn[] payloads = files.stream().skip(1).toArray(FileColumn[]::new);
        try {
            FileSort.with(sorter).memory(memory).sort(files.getFirst(), payloads);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("is too little to sort");
            sortWithin(sorter, files, 2 * memory);
        }
    }
}
