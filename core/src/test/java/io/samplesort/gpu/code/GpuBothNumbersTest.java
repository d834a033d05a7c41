package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The map of keys with few different numbers to cells (both_numbers.cuh): places are in the order of the keys, and
/// every cell exists.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuBothNumbersTest {
    private static final int THREADS = 64;
    private static final long WORD = 1L << Integer.SIZE;

    /// Keys between the least and the greatest number whose lowest bits are alike.
    private record Keys(long least, long steps, int alikeBits, long leastSecond, long secondRange) {
        long number(long step) {
            return least + (step << alikeBits);
        }

        /// Returns the keys at the ends of both ranges, of neighbouring numbers, and some in between, in order.
        List<long[]> keys(SplittableRandom random) {
            List<long[]> keys = new ArrayList<>();
            long[] inside = random.longs(20, 0, steps + 1).toArray();
            LongStream.concat(LongStream.of(0, Math.min(1, steps), steps), Arrays.stream(inside))
                    .forEach(step -> {
                        keys.add(new long[] {number(step), leastSecond});
                        keys.add(new long[] {number(step), leastSecond + secondRange});
                        keys.add(new long[] {number(step), leastSecond + random.nextLong(secondRange + 1)});
                    });
            keys.sort(Comparator.<long[]>comparingLong(key -> key[0]).thenComparingLong(key -> key[1]));
            return keys;
        }

        /// Returns the bits in which numbers differ: all that two multiples can differ in.
        int differ() {
            return steps == 0 ? 0 : (int) ((Long.highestOneBit(number(steps) ^ least) << 1) - (1L << alikeBits));
        }
    }

    @Test
    void placesAreInOrder() {
        SplittableRandom random = new SplittableRandom(7);
        try (Cells found = new Cells()) {
            for (int round = 0; round < 200; round++) {
                int cells = 64 << random.nextInt(8);
                int alikeBits = random.nextInt(8);
                long steps = random.nextInt(8) == 0 ? 0 : random.nextLong(2L * cells >> alikeBits) + 1;
                long most = WORD - (steps << alikeBits);
                long least = random.nextInt(4) == 0 ? most - 1 : random.nextLong(most);
                long secondRange = random.nextInt(8) == 0 ? WORD - 1 : random.nextLong(WORD >>> random.nextInt(32));
                long leastSecond = random.nextLong(WORD - secondRange);
                found.check(new Keys(least, steps, alikeBits, leastSecond, secondRange), cells, random);
            }
        }
    }

    /// The kernel of both_numbers.cu.
    private static final class Cells implements AutoCloseable {
        private final TestKernel kernel = new TestKernel(
                "both_numbers.cu",
                "find_both",
                KernelElement.of(ElementType.INT, List.of(), Order.natural(), false),
                Tuning.defaultFor(ElementType.INT, null),
                KernelProgram.SMALL_SORT);

        void check(Keys of, int cellCount, SplittableRandom random) {
            List<long[]> keys = of.keys(random);
            long[][] found = find(of, keys, cellCount);
            for (int i = 0; i < keys.size(); i++) {
                String what = of + ", " + cellCount + " cells, " + Arrays.toString(keys.get(i));
                assertThat(found[1][i]).as(what).isLessThan(cellCount);
                if (i > 0) {
                    assertThat(found[0][i]).as(what).isGreaterThanOrEqualTo(found[0][i - 1]);
                }
            }
            // The last key lies at the end of the last cell, or where the cells of the last number begin.
            long numbers = of.steps + 1;
            long reached = of.secondRange > 0 ? cellCount : cellCount * of.steps / numbers;
            assertThat(found[1][keys.size() - 1])
                    .as("%s, %d cells", of, cellCount)
                    .isGreaterThanOrEqualTo(reached - 2);
        }

        /// Returns the places of keys, and their cells.
        private long[][] find(Keys of, List<long[]> keys, int cellCount) {
            int count = keys.size();
            long[] ends = {of.least, of.number(of.steps), of.leastSecond, of.leastSecond + of.secondRange, of.differ()};
            long[] numbers = keys.stream().mapToLong(key -> key[0]).toArray();
            long[] seconds = keys.stream().mapToLong(key -> key[1]).toArray();
            try (Arena arena = Arena.ofConfined();
                    Context.Scope scope = kernel.context().enter();
                    DeviceAllocation memory =
                            DeviceAllocation.allocate(kernel.context(), (8 + 4L * count) * Integer.BYTES)) {
                MemorySegment from = arena.allocate(ValueLayout.JAVA_INT, 8 + 2L * count);
                write(from, 0, ends);
                write(from, 8, numbers);
                write(from, 8 + count, seconds);
                Stream stream = kernel.stream();
                stream.copyToDevice(memory.address(), from, from.byteSize());
                long there = memory.address() + 8L * Integer.BYTES;
                long bytes = (long) count * Integer.BYTES;
                kernel.kernel()
                        .with(memory.address())
                        .with(there)
                        .with(there + bytes)
                        .with(count)
                        .with(cellCount)
                        .with(there + 2 * bytes)
                        .with(there + 3 * bytes)
                        .launch(stream, 1, THREADS, 0, Kernel.Mode.AFTER);
                MemorySegment to = arena.allocate(ValueLayout.JAVA_INT, 2L * count);
                stream.copyToHost(to, there + 2 * bytes, to.byteSize());
                stream.synchronize();
                return new long[][] {read(to, 0, count), read(to, count, count)};
            }
        }

        private static void write(MemorySegment segment, int first, long[] values) {
            for (int i = 0; i < values.length; i++) {
                segment.setAtIndex(ValueLayout.JAVA_INT, first + i, (int) values[i]);
            }
        }

        private static long[] read(MemorySegment segment, int first, int count) {
            return IntStream.range(first, first + count)
                    .mapToLong(i -> Integer.toUnsignedLong(segment.getAtIndex(ValueLayout.JAVA_INT, i)))
                    .toArray();
        }

        @Override
        public void close() {
            kernel.close();
        }
    }
}
