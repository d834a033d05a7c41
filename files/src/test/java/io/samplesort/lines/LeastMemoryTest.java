package io.samplesort.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.disk.FileFailure;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.types.SortReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts and merges of lines within the least memory, with more threads than that has room for. No line is lost, and
/// where one would be, the files stay as they were.
class LeastMemoryTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final long[] MEMORY = {1, 10, 10 << 10, 63 << 10, 100 << 10, 1 << 20, 2 << 20};

    @TempDir
    Path folder;

    private LineOrder order = LineOrder.bytes();
    private Repeats repeats = Repeats.KEPT;
    private LineCut cut;

    private LineJob job(long memory, int threads, Path... inputs) {
        return new LineJob(
                List.of(inputs),
                folder.resolve("in0"),
                false,
                order,
                repeats,
                memory,
                threads,
                5,
                List.of(folder),
                cut);
    }

    private static SortReport sort(LineJob job) throws IOException {
        try (StringCpuSorter sorter = new StringCpuSorter(job.stringOrder(), job.sortingThreads())) {
            return new ExternalLineSort(
                            job,
                            (strings, permutation) -> sorter.argsort(strings, permutation, Integer.BYTES),
                            new FileListener() {})
                    .sort();
        }
    }

    private Path[] write(List<List<byte[]>> files) throws IOException {
        Path[] paths = new Path[files.size()];
        for (int i = 0; i < paths.length; i++) {
            paths[i] = folder.resolve("in" + i);
            Files.write(paths[i], joined(files.get(i)));
        }
        return paths;
    }

    private static byte[] joined(List<byte[]> lines) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            joined.writeBytes(line);
            joined.write('\n');
        }
        return joined.toByteArray();
    }

    private static List<byte[]> randomLines(SplittableRandom random, int count, int longest) {
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] line = new byte[random.nextInt(longest + 1)];
            for (int at = 0; at < line.length; at++) {
                line[at] = (byte) (random.nextInt(10) == 0 ? ' ' : 'a' + random.nextInt(2));
            }
            lines.add(line);
        }
        return lines;
    }

    private static Comparator<byte[]> comparator(boolean hasKey) {
        return hasKey ? (a, b) -> Arrays.compareUnsigned(tail(a), tail(b)) : Arrays::compareUnsigned;
    }

    private static byte[] tail(byte[] line) {
        return Arrays.copyOfRange(line, Math.min(1, line.length), line.length);
    }

    private List<byte[]> expected(List<List<byte[]>> files, boolean hasKey) {
        List<byte[]> all = new ArrayList<>();
        files.forEach(all::addAll);
        all.sort(comparator(hasKey));
        List<byte[]> kept = new ArrayList<>();
        Comparator<byte[]> equality = comparator(hasKey && repeats.areEqualByKeys());
        for (int i = 0; i < all.size(); ) {
            int next = i + 1;
            while (next < all.size() && repeats != Repeats.KEPT && equality.compare(all.get(i), all.get(next)) == 0) {
                next++;
            }
            String count = repeats.areCounted() ? "%7d ".formatted(next - i) : "";
            // All bytes of the lines are letters and blanks.
            kept.add((count + new String(all.get(i), StandardCharsets.US_ASCII)).getBytes(StandardCharsets.US_ASCII));
            i = next;
        }
        return kept;
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 128})
    void allLinesAreThereForOtherThreads(int threads) throws IOException {
        allLinesAreThere(threads);
    }

    /// As many threads as machines have, and more than there is memory for.
    @ParameterizedTest
    @ValueSource(ints = {2, 64})
    void allLinesAreThere(int threads) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        for (long memory : MEMORY) {
            for (int variant = 0; variant < 8; variant++) {
                boolean hasKey = (variant & 1) != 0;
                repeats = Repeats.of((variant & 2) != 0, random.nextBoolean());
                boolean isMerge = (variant & 4) != 0;
                LineKey key = LineKey.from(1, 2);
                order = hasKey ? LineOrder.by(key).stable() : LineOrder.bytes();
                List<List<byte[]>> files = new ArrayList<>();
                for (int file = 1 + random.nextInt(8); file > 0; file--) {
                    int lines = random.nextInt(random.nextInt(4) == 0 ? 3000 : 3);
                    files.add(randomLines(random, lines, random.nextInt(60)));
                    if (isMerge) {
                        files.getLast().sort(comparator(hasKey));
                    }
                }
                LineJob job = job(memory, threads, write(files));
                SortReport report = isMerge ? new ExternalLineMerge(job, new FileListener() {}).merge() : sort(job);
                assertThat(folder.resolve("in0"))
                        .as("seed %d, memory %d, variant %d, %s", SEED, memory, variant, repeats)
                        .hasBinaryContent(joined(expected(files, hasKey)));
                assertThat(report.elementCount())
                        .isEqualTo(files.stream().mapToInt(List::size).sum());
            }
        }
    }

    /// What puts lines in order says that one line comes in all places.
    @ParameterizedTest
    @ValueSource(longs = {1, 1 << 20})
    void noFileIsReplacedWhereFirstLinesWouldBeLost(long memory) throws IOException {
        for (boolean isLast : new boolean[] {false, true}) {
            cut = new LineCut(10, isLast);
            noFileIsReplacedWhereLinesWouldBeLost(memory, Repeats.KEPT);
        }
    }

    /// What puts lines in order says that one line comes in all places.
    @ParameterizedTest
    @CsvSource({"1, KEPT", "1048576, KEPT", "1, COUNTED", "1048576, COUNTED"})
    void noFileIsReplacedWhereLinesWouldBeLost(long memory, Repeats kind) throws IOException {
        repeats = kind;
        List<byte[]> lines = new ArrayList<>(List.of("short".getBytes(StandardCharsets.US_ASCII)));
        lines.addAll(randomLines(new SplittableRandom(SEED), 4000, 20));
        LineJob job = job(memory, 2, write(List.of(lines)));
        ExternalLineSort sort = new ExternalLineSort(
                job,
                (strings, permutation) -> {
                    permutation.fill((byte) 0);
                    return null;
                },
                new FileListener() {});
        assertThatThrownBy(sort::sort)
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining("lines were lost or doubled")
                .hasMessageContaining("No file was replaced");
        assertThat(folder.resolve("in0")).hasBinaryContent(joined(lines));
        assertThat(folder.toFile().list()).containsExactly("in0");
    }

    /// Another program writes to the file of sorted runs.
    @Test
    void noFileIsReplacedWhereRunsAreChanged() throws IOException {
        List<byte[]> lines = randomLines(new SplittableRandom(SEED), 10_000, 60);
        LineJob job = job(100 << 10, 2, write(List.of(lines)));
        try (StringCpuSorter sorter = new StringCpuSorter(job.stringOrder(), 1)) {
            AtomicInteger chunk = new AtomicInteger();
            ExternalLineSort sort = new ExternalLineSort(
                    job,
                    (strings, permutation) -> {
                        if (chunk.getAndIncrement() == 2) {
                            endLine(runs());
                        }
                        return sorter.argsort(strings, permutation, Integer.BYTES);
                    },
                    new FileListener() {});
            assertThatThrownBy(sort::sort)
                    .isInstanceOf(FileFailure.class)
                    .hasMessageContaining("lines were lost or doubled");
        }
        assertThat(folder.resolve("in0")).hasBinaryContent(joined(lines));
        assertThat(folder.toFile().list()).containsExactly("in0");
    }

    private Path runs() {
        for (String name : folder.toFile().list()) {
            if (!name.equals("in0")) {
                return folder.resolve(name);
            }
        }
        throw new AssertionError("there is no file of runs");
    }

    /// Makes one line two.
    private static void endLine(Path file) {
        try (RandomAccessFile runs = new RandomAccessFile(file.toFile(), "rw")) {
            while (runs.read() == '\n') {
                continue;
            }
            runs.seek(runs.getFilePointer() - 1);
            runs.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
