package io.samplesort.lines;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.types.SortReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of lines that are nearly as long as the memory of the sort, or longer.
class LongLinesTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final LineKey FOLDED = LineKey.wholeLine().ignoringAsciiCase();

    @TempDir
    Path folder;

    /// A line with its key.
    private record Keyed(byte[] line, byte[] key) {
        static Keyed of(byte[] line, LineKeys keys) {
            KeyBuffer key = new KeyBuffer();
            keys.encode(line, 0, line.length, key);
            return new Keyed(line, Arrays.copyOf(key.bytes(), key.length()));
        }
    }

    /// Sorts the file "in" to the file "out".
    private SortReport sort(LineOrder order, Repeats repeats, long memory, int threads) throws IOException {
        LineJob job = new LineJob(
                List.of(folder.resolve("in")),
                folder.resolve("out"),
                false,
                order,
                repeats,
                memory,
                threads,
                5,
                List.of(folder),
                null);
        try (StringCpuSorter sorter = new StringCpuSorter(job.stringOrder(), job.sortingThreads())) {
            return new ExternalLineSort(
                            job,
                            (strings, permutation) -> sorter.argsort(strings, permutation, Integer.BYTES),
                            new FileListener() {})
                    .sort();
        }
    }

    private static byte[] joined(List<byte[]> lines, byte terminator) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            joined.writeBytes(line);
            joined.write(terminator);
        }
        return joined.toByteArray();
    }

    private static List<byte[]> expected(List<byte[]> lines, LineOrder order, Repeats repeats) {
        LineKeys keys = new LineJob(List.of(), Path.of("out"), false, order, repeats, 1, 1, 2, List.of(), null).keys();
        List<Keyed> keyed = new ArrayList<>();
        lines.forEach(line -> keyed.add(Keyed.of(line, keys)));
        int sign = keys.order().isReversed() ? -1 : 1;
        keyed.sort((a, b) -> sign * Arrays.compareUnsigned(a.key(), b.key()));
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < keyed.size(); ) {
            int next = i + 1;
            while (next < keyed.size() && repeats != Repeats.KEPT && areEqual(keyed.get(i), keyed.get(next), repeats)) {
                next++;
            }
            byte[] line = keyed.get(i).line();
            String count = "%7d ".formatted(next - i);
            kept.add(repeats.areCounted() ? joined(count.getBytes(StandardCharsets.US_ASCII), line) : line);
            i = next;
        }
        return kept;
    }

    private static boolean areEqual(Keyed one, Keyed other, Repeats repeats) {
        return repeats.areEqualByKeys()
                ? Arrays.equals(one.key(), other.key())
                : Arrays.equals(one.line(), other.line());
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }

    /// Lines of all lengths, some of them longer than the memory, that are alike for long or differ at once.
    private static List<byte[]> randomLines(SplittableRandom random, int bytes) {
        byte[] text = new byte[1 << 19];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (random.nextInt(1 << 14) == 0 ? ' ' : "abABz019".charAt(random.nextInt(8)));
        }
        List<byte[]> lines = new ArrayList<>();
        for (int filled = 0; filled < bytes; ) {
            int length = Math.min(text.length, (int) Math.exp(random.nextDouble(Math.log(text.length * 2.0))));
            byte[] line = Arrays.copyOf(text, length);
            if (length > 0 && random.nextInt(3) > 0) {
                line[random.nextInt(4) == 0 ? random.nextInt(length) : length - 1] = (byte) ('a' + random.nextInt(3));
            }
            if (length > 0 && random.nextBoolean()) {
                line[0] = (byte) ('0' + random.nextInt(3));
            }
            lines.add(line);
            if (random.nextInt(8) == 0) {
                lines.add(line.clone());
            }
            filled += length + 1;
        }
        return lines;
    }

    private static LineOrder randomOrder(SplittableRandom random) {
        LineOrder order = switch (random.nextInt(5)) {
            case 0, 1 -> LineOrder.bytes();
            case 2 -> LineOrder.by(FOLDED);
            case 3 -> LineOrder.by(LineKey.fields(1, 1));
            default ->
                LineOrder.by(
                        LineKey.wholeLine().as(LineKey.Kind.NUMERIC),
                        LineKey.fields(2, 2).reversed());
        };
        order = random.nextInt(3) == 0 ? order.reversed() : order;
        order = random.nextInt(3) == 0 ? order.lastResortReversed() : order;
        order = random.nextInt(3) == 0 ? order.stable() : order;
        return random.nextInt(4) == 0 ? order.terminatedBy((byte) 0) : order;
    }

    @RepeatedTest(15)
    void areSortedAsByAPlainSort(RepetitionInfo repetition) throws IOException {
        long seed = SEED + repetition.getCurrentRepetition();
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> lines = randomLines(random, 2 << 20);
        LineOrder order = randomOrder(random);
        Repeats repeats = Repeats.values()[random.nextInt(4)];
        long memory = (64 << 10) << random.nextInt(6);
        Files.write(folder.resolve("in"), joined(lines, order.terminator()));
        sort(order, repeats, memory, 1 + random.nextInt(3));
        byte[] expected = joined(expected(lines, order, repeats), order.terminator());
        // A message with the bytes of both would be of no use.
        assertThat(Arrays.mismatch(Files.readAllBytes(folder.resolve("out")), expected))
                .as("seed %d, memory %d, %s, %s", seed, memory, repeats, order)
                .isNegative();
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("in", "out");
    }

    /// Long lines are not copied to their keys, which take their places among all lines instead.
    @ParameterizedTest
    @ValueSource(ints = {40, 400})
    void linesOfEqualKeysComeInTheirOwnOrder(int length) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            byte[] line = new byte[length == 400 && random.nextInt(50) == 0 ? random.nextInt(100_000) : length];
            Arrays.fill(line, (byte) 'x');
            for (int at = 0; at < Math.min(line.length, 2); at++) {
                line[at] = (byte) ('a' + random.nextInt(3));
            }
            for (int at = Math.max(0, line.length - 2); at < line.length; at++) {
                line[at] = (byte) ('a' + random.nextInt(20));
            }
            lines.add(line);
        }
        LineKey first = LineKey.from(1, 1).to(1, 1);
        for (LineOrder order : List.of(
                LineOrder.by(first), LineOrder.by(first).lastResortReversed(), LineOrder.by(first.reversed()))) {
            Files.write(folder.resolve("in"), joined(lines, order.terminator()));
            // Once in one piece, and once in several.
            for (long memory : new long[] {64 << 20, 1 << 20}) {
                SortReport report = sort(order, Repeats.KEPT, memory, 2);
                List<String> phases =
                        report.phases().stream().map(SortReport.Phase::name).toList();
                assertThat(phases.indexOf("sort") < phases.indexOf("keys")).isEqualTo(length == 400);
                byte[] expected = joined(expected(lines, order, Repeats.KEPT), order.terminator());
                assertThat(Arrays.mismatch(Files.readAllBytes(folder.resolve("out")), expected))
                        .as("seed %d, memory %d, %s", SEED, memory, order)
                        .isNegative();
            }
        }
    }

    /// The last line has no end, and it is longer than the memory.
    @Test
    void aLongLastLineGetsItsEnd() throws IOException {
        byte[] line = new byte[1 << 20];
        Arrays.fill(line, (byte) 'b');
        Path input = folder.resolve("in");
        Files.write(input, joined(List.of(new byte[] {'c'}, new byte[] {'a'}), (byte) '\n'));
        Files.write(input, line, StandardOpenOption.APPEND);
        sort(LineOrder.bytes(), Repeats.KEPT, 64 << 10, 1);
        assertThat(Files.readAllBytes(folder.resolve("out")))
                .isEqualTo(joined(List.of(new byte[] {'a'}, line, new byte[] {'c'}), (byte) '\n'));
    }

    /// Lines are compared and copied where they lie. All that the sort takes on the heap is less than twice their
    /// bytes, though every line is looked at again and again.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void littleIsCopiedToTheHeap(boolean isFolded) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] text = new byte[256 << 10];
        Arrays.fill(text, (byte) 'x');
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            byte[] line = text.clone();
            line[line.length - 1 - random.nextInt(9)] = (byte) ('a' + random.nextInt(20));
            lines.add(line);
        }
        LineOrder order = isFolded ? LineOrder.by(FOLDED) : LineOrder.bytes();
        byte[] input = joined(lines, order.terminator());
        Files.write(folder.resolve("in"), input);
        long before = allocated();
        sort(order, Repeats.KEPT, 512 << 10, 2);
        assertThat(allocated() - before).isLessThan(2L * input.length);
        assertThat(Files.readAllBytes(folder.resolve("out")))
                .isEqualTo(joined(expected(lines, order, Repeats.KEPT), order.terminator()));
    }

    /// Returns how many bytes of the heap all threads have taken.
    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }
}
