package io.samplesort.lines.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/// Keys of long lines, made piece by piece, compared with those of the same lines as arrays.
class LongKeysTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// Reads a line in pieces, and remembers how long the longest was.
    private static final class Watched implements ByteRange {
        private final MemorySegment line;
        private long longestRead;

        Watched(byte[] line) {
            this.line = MemorySegment.ofArray(line);
        }

        @Override
        public long byteSize() {
            return line.byteSize();
        }

        @Override
        public void read(long from, MemorySegment target) {
            longestRead = Math.max(longestRead, target.byteSize());
            MemorySegment.copy(line, from, target, 0, target.byteSize());
        }
    }

    @RepeatedTest(40)
    void areThoseOfArrays(RepetitionInfo repetition) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED + repetition.getCurrentRepetition());
        int separator = random.nextBoolean() ? LineOrder.BLANKS : ',';
        LineKey[] parts = new LineKey[1 + random.nextInt(3)];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = part(random);
        }
        LineOrder order = LineOrder.by(parts);
        order = separator == LineOrder.BLANKS ? order : order.separatedBy(separator);
        order = random.nextBoolean() ? order : order.stable();
        order = random.nextBoolean() ? order : order.lastResortReversed();
        LineKeys keys = new LineFieldKeys(order);
        byte[] line = line(random, random.nextInt(10) == 0 ? random.nextInt(30) : random.nextInt(300_000));
        KeyBuffer expected = new KeyBuffer();
        keys.encode(line, 0, line.length, expected);
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        keys.encode(ByteRange.of(MemorySegment.ofArray(line)), (bytes, from, to) -> made.write(bytes, from, to - from));
        assertThat(made.toByteArray())
                .as("seed %d, %s", SEED + repetition.getCurrentRepetition(), order)
                .isEqualTo(Arrays.copyOf(expected.bytes(), expected.length()));
    }

    private static LineKey part(SplittableRandom random) {
        LineKey.Kind kind = LineKey.Kind.values()[random.nextInt(LineKey.Kind.values().length)];
        boolean isText = kind == LineKey.Kind.TEXT || kind == LineKey.Kind.VERSION;
        LineKey.Bytes bytes = isText ? LineKey.Bytes.values()[random.nextInt(3)] : LineKey.Bytes.ALL;
        LineKey key = LineKey.from(1 + random.nextInt(4), 1 + (random.nextBoolean() ? 0 : random.nextInt(100_000)))
                .to(random.nextInt(5), random.nextBoolean() ? 0 : random.nextInt(100_000))
                .as(kind)
                .only(bytes);
        key = random.nextBoolean() ? key.skippingBlanksAtStart() : key;
        key = random.nextBoolean() ? key.skippingBlanksAtEnd() : key;
        key = random.nextBoolean() ? key.ignoringAsciiCase() : key;
        return random.nextBoolean() ? key.reversed() : key;
    }

    /// Makes a line of few long fields or many short ones, with runs of separators.
    private static byte[] line(SplittableRandom random, int length) {
        byte[] line = new byte[length];
        byte[] values = {'a', 'b', 'Z', '0', '1', '9', '.', '-', 0, 1, (byte) 0xff, '~'};
        int rare = random.nextBoolean() ? 20 : 50_000;
        for (int at = 0; at < length; at++) {
            line[at] = values[random.nextInt(values.length)];
            if (random.nextInt(rare) == 0) {
                byte separator = (byte) " ,\t\n".charAt(random.nextInt(4));
                int end = Math.min(length, at + 1 + (random.nextBoolean() ? 0 : random.nextInt(rare)));
                Arrays.fill(line, at, end, separator);
                at = end - 1;
            }
        }
        return line;
    }

    /// Neither text nor a number in front of it is read as a whole.
    @Test
    void readsPieces() throws IOException {
        byte[] line = new byte[1 << 20];
        Arrays.fill(line, (byte) 'x');
        line[0] = '7';
        line[1] = ' ';
        LineKey text = LineKey.wholeLine().only(LineKey.Bytes.DICTIONARY).ignoringAsciiCase();
        LineKey number = LineKey.wholeLine().as(LineKey.Kind.NUMERIC);
        for (LineKey key : List.of(text, number, LineKey.fields(1, 1))) {
            Watched watched = new Watched(line);
            long[] length = new long[1];
            new LineFieldKeys(LineOrder.by(key, text)).encode(watched, (bytes, from, to) -> {
                assertThat(to - from).isLessThanOrEqualTo(1 << 18);
                length[0] += to - from;
            });
            assertThat(watched.longestRead).isLessThanOrEqualTo(64 << 10);
            assertThat(length[0]).isGreaterThan(line.length);
        }
    }

    @Test
    void aNumberThatFitsNoArrayIsRefused() {
        ByteRange digits = new ByteRange() {
            @Override
            public long byteSize() {
                return (1L << 30) + 1;
            }

            @Override
            public void read(long from, MemorySegment target) {
                target.fill((byte) '1');
            }
        };
        LineKeys keys = new LineFieldKeys(LineOrder.by(LineKey.wholeLine().as(LineKey.Kind.VERSION)));
        assertThatThrownBy(() -> keys.encode(digits, (bytes, from, to) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("of 1073741825 bytes is too long to be compared");
    }
}
