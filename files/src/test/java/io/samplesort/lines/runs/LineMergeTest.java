package io.samplesort.lines.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.keys.ByteRange;
import io.samplesort.lines.keys.KeyBuffer;
import io.samplesort.lines.keys.KeySink;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.lines.keys.WholeLines;
import io.samplesort.types.StringOrder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Merges of sorted lines, compared with a stable sort of all of them.
class LineMergeTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final byte END = '\n';

    /// Lines without their first byte, which are made anew for each line.
    private record Tails(boolean areReversed) implements LineKeys {
        @Override
        public boolean areLines() {
            return false;
        }

        @Override
        public StringOrder order() {
            return areReversed ? StringOrder.bytes().reversed() : StringOrder.bytes();
        }

        @Override
        public LineKeys withoutLine() {
            return null;
        }

        @Override
        public double keyShare() {
            return 1;
        }

        @Override
        public void encode(byte[] text, int from, int to, KeyBuffer key) {
            key.add(text, Math.min(to, from + 1), to);
        }

        @Override
        public void encode(ByteRange line, KeySink sink) {
            throw new UnsupportedOperationException();
        }

        @Override
        public LineKeys copy() {
            return this;
        }
    }

    @RepeatedTest(60)
    void mergesAsAStableSortDoes(RepetitionInfo repetition) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED + repetition.getCurrentRepetition());
        byte[][] words = new byte[1 + random.nextInt(4)][];
        for (int i = 0; i < words.length; i++) {
            words[i] = new byte[random.nextInt(20)];
            for (int at = 0; at < words[i].length; at++) {
                words[i][at] = (byte) (random.nextInt(3) - 1);
            }
        }
        check(random, 1 + random.nextInt(9), random.nextInt(400), () -> {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int word = random.nextInt(4); word > 0; word--) {
                line.writeBytes(words[random.nextInt(words.length)]);
            }
            return line.toByteArray();
        });
    }

    /// Keys differ behind much that they have in common, in their lengths, or nowhere.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void longKeysWithLittleDifference(int value) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        check(random, 5, 60, () -> {
            byte[] line = new byte[196_000 + random.nextInt(4) * 300];
            Arrays.fill(line, (byte) value);
            line[random.nextInt(3) * (line.length - 1) / 2] = (byte) random.nextInt(3);
            return line;
        });
    }

    private interface Lines {
        byte[] next();
    }

    private static void check(SplittableRandom random, int runs, int lines, Lines source) throws IOException {
        boolean isReversed = random.nextBoolean();
        LineKeys keys = random.nextBoolean() ? new WholeLines(isReversed) : new Tails(isReversed);
        Repeats repeats = Repeats.values()[random.nextInt(4)];
        Comparator<byte[]> order = (a, b) -> (isReversed ? -1 : 1) * Arrays.compareUnsigned(key(keys, a), key(keys, b));
        List<byte[]> all = new ArrayList<>();
        List<LineCursor> cursors = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<byte[]> sorted = new ArrayList<>();
            for (int i = random.nextInt(lines / runs + 2); i > 0; i--) {
                sorted.add(source.next());
            }
            sorted.sort(order);
            all.addAll(sorted);
            ByteArrayInputStream in = new ByteArrayInputStream(joined(sorted));
            int buffer = 1 + random.nextInt(100);
            cursors.add(new LineCursor(target -> read(in, target), keys, END, buffer));
        }
        all.sort(order);
        ByteArrayOutputStream merged = new ByteArrayOutputStream();
        MemorySegment block = MemorySegment.ofArray(new byte[200]);
        LineTally tally = new LineTally();
        LineMerge merge = new LineMerge(
                block, new RangeComparison(Arena.ofAuto()), repeats, part -> merged.writeBytes(bytes(part)), tally);
        merged.writeBytes(bytes(merge.merge(cursors, random.nextInt(common(keys, all) + 1))));
        assertThat(merged.toByteArray())
                .as("seed %d, reversed %s, %s", SEED, isReversed, repeats)
                .isEqualTo(joined(repeats == Repeats.KEPT ? all : firstOfEqual(keys, all, repeats)));
        tally.checkWritten(merged.size());
        assertThat(tally.takenLines()).isEqualTo(all.size());
    }

    /// Returns how many bytes all keys have in common.
    private static int common(LineKeys keys, List<byte[]> lines) {
        if (lines.isEmpty()) {
            return 0;
        }
        byte[] first = key(keys, lines.getFirst());
        int common = first.length;
        for (byte[] line : lines) {
            int different = Arrays.mismatch(first, key(keys, line));
            common = different < 0 ? common : Math.min(common, different);
        }
        return common;
    }

    private static List<byte[]> firstOfEqual(LineKeys keys, List<byte[]> sorted, Repeats repeats) {
        List<byte[]> first = new ArrayList<>();
        for (int i = 0; i < sorted.size(); ) {
            byte[] line = sorted.get(i);
            int next = i + 1;
            while (next < sorted.size() && areEqual(keys, line, sorted.get(next), repeats)) {
                next++;
            }
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            if (repeats.areCounted()) {
                written.writeBytes("%7d ".formatted(next - i).getBytes(StandardCharsets.US_ASCII));
            }
            written.writeBytes(line);
            first.add(written.toByteArray());
            i = next;
        }
        return first;
    }

    private static boolean areEqual(LineKeys keys, byte[] one, byte[] other, Repeats repeats) {
        return repeats.areEqualByKeys() ? Arrays.equals(key(keys, one), key(keys, other)) : Arrays.equals(one, other);
    }

    private static byte[] key(LineKeys keys, byte[] line) {
        return keys.areLines() ? line : Arrays.copyOfRange(line, Math.min(1, line.length), line.length);
    }

    private static byte[] joined(List<byte[]> lines) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] line : lines) {
            joined.writeBytes(line);
            joined.write(END);
        }
        return joined.toByteArray();
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    private static long read(ByteArrayInputStream in, MemorySegment target) {
        byte[] read = new byte[(int) target.byteSize()];
        int bytes = in.readNBytes(read, 0, read.length);
        MemorySegment.copy(MemorySegment.ofArray(read), 0, target, 0, bytes);
        return bytes;
    }
}
