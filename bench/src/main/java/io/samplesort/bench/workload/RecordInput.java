package io.samplesort.bench.workload;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// How the first compared field of records is drawn.
public enum RecordInput {
    /// Uniformly random over its range.
    UNIFORM {
        @Override
        long word(SplittableRandom random) {
            return random.nextLong();
        }
    },
    /// One of 2^20 values, so that the next field has to decide in large inputs.
    DUPLICATES {
        @Override
        long word(SplittableRandom random) {
            return random.nextInt(DISTINCT) * SPREAD;
        }
    };

    private static final int DISTINCT = 1 << 20;
    /// Spreads small numbers over all words. It is odd, so that no two numbers become the same word.
    private static final long SPREAD = 0x9e3779b97f4a7c15L;
    /// How many elements one generator draws.
    private static final long PIECE = 1 << 16;

    private static final double UNIT = 0x1p-53;

    /// Draws a 64-bit word.
    abstract long word(SplittableRandom random);

    /// Draws a number from 0 to 1.
    double unit(SplittableRandom random) {
        return (word(random) >>> 11) * UNIT;
    }

    /// Fills all of `target`. The same seed gives the same elements, no matter how many threads draw them.
    public void fill(MemorySegment target, RecordElements elements, long seed) {
        int byteSize = elements.type().byteSize();
        long count = target.byteSize() / byteSize;
        // The seeds of the pieces come from one generator, because neighbouring seeds would give shifted copies of one
        // stream.
        long[] seeds =
                new SplittableRandom(seed).longs((count + PIECE - 1) / PIECE).toArray();
        LongStream.range(0, seeds.length).parallel().forEach(piece -> {
            SplittableRandom random = new SplittableRandom(seeds[(int) piece]);
            long end = Math.min(count, (piece + 1) * PIECE);
            for (long i = piece * PIECE; i < end; i++) {
                elements.draw(target, i * byteSize, i, this, random);
            }
        });
    }

    /// Reads `uniform` or `duplicates`.
    ///
    /// @throws IllegalArgumentException if the text is neither
    public static RecordInput parse(String text) {
        return Arrays.stream(values())
                .filter(input -> input.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("input '" + text + "': use one of "
                        + Arrays.stream(values()).map(RecordInput::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
