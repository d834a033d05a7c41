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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Grids of splitters that are floating-point values (splitter_grid.cuh, value_cells.cuh): which cells they have, and
/// that each key comes to its bucket, whatever it is.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuValueCellsTest {
    private static final int BUCKETS = 64;

    private static final Tuning TUNING = Tuning.defaultFor(ElementType.DOUBLE, null)
            .with("distributionThreads=64,distributionItems=4,distributionBlocks=1,maxBucketCount=" + BUCKETS)
            .with("gridCells=4");

    /// What a grid has, as splitter_grid.cu tells.
    private enum Cells {
        NONE,
        OF_NUMBERS,
        OF_VALUES
    }

    /// Splitters, and the cells that a grid of them has as `float` and as `double`.
    private record Splitters(String name, Cells narrow, Cells wide, IntToDoubleFunction value) {}

    private static final List<Splitters> SPLITTERS = List.of(
            new Splitters("below 1", Cells.OF_VALUES, Cells.OF_VALUES, i -> (i + 1) / 64.0),
            new Splitters("of both signs", Cells.OF_VALUES, Cells.OF_VALUES, i -> i - 30.5),
            new Splitters("below 0", Cells.OF_VALUES, Cells.OF_VALUES, i -> -1 - i),
            new Splitters(
                    "around both zeros",
                    Cells.OF_VALUES,
                    Cells.OF_VALUES,
                    i -> i < 31 ? i - 31 : i == 31 ? -0.0 : i - 32),
            new Splitters("by exponents", Cells.OF_NUMBERS, Cells.OF_NUMBERS, i -> Math.scalb(1.5, i)),
            new Splitters("of one exponent", Cells.OF_NUMBERS, Cells.OF_NUMBERS, i -> 1 + i / 64.0),
            new Splitters(
                    "by exponents of both signs",
                    Cells.OF_NUMBERS,
                    Cells.NONE,
                    i -> (i % 2 * 2 - 1) * Math.scalb(1.0, i - 30)),
            new Splitters(
                    "the least values", Cells.OF_NUMBERS, Cells.OF_VALUES, i -> (i - 30) * 1000.0 * Float.MIN_VALUE),
            // The difference between the ends is no finite `float`.
            new Splitters("the greatest values", Cells.NONE, Cells.OF_VALUES, i -> (i - 31) * 1e37),
            new Splitters("an infinity first", Cells.NONE, Cells.NONE, i -> i == 0 ? Double.NEGATIVE_INFINITY : i - 30),
            new Splitters("an infinity last", Cells.NONE, Cells.NONE, i -> i == 62 ? Double.POSITIVE_INFINITY : i - 30),
            new Splitters("no number", Cells.NONE, Cells.NONE, i -> i == 62 ? Double.NaN : i - 30));

    /// The same where many are equal.
    private static final List<Splitters> EQUAL_SPLITTERS = List.of(
            new Splitters("few whole numbers", Cells.OF_VALUES, Cells.OF_VALUES, i -> i / 4),
            new Splitters("few of both signs", Cells.OF_VALUES, Cells.OF_VALUES, i -> i / 7 - 4),
            new Splitters(
                    "frequent zeros",
                    Cells.OF_VALUES,
                    Cells.OF_VALUES,
                    i -> i < 20 || i > 40 ? i - 30 : i < 30 ? -0.0 : 0.0),
            new Splitters("a frequent one last", Cells.OF_VALUES, Cells.OF_VALUES, i -> Math.min(i, 50) - 20.5));

    @Test
    void findsBuckets() {
        checkBuckets(ElementType.DOUBLE, Order.natural());
        checkBuckets(ElementType.FLOAT, Order.natural().reversed());
    }

    @Test
    @Tag("exhaustive")
    void findsBucketsInTheOtherDirections() {
        checkBuckets(ElementType.DOUBLE, Order.natural().reversed());
        checkBuckets(ElementType.FLOAT, Order.natural());
    }

    private static void checkBuckets(ElementType type, Order order) {
        try (Grid grid = new Grid(type, order)) {
            SPLITTERS.forEach(splitters -> grid.check(splitters, false));
            SPLITTERS.forEach(splitters -> grid.check(splitters, true));
            EQUAL_SPLITTERS.forEach(splitters -> grid.check(splitters, true));
        }
    }

    /// The kernel of splitter_grid.cu for one type and order.
    private static final class Grid implements AutoCloseable {
        private final ElementType type;
        private final boolean isReversed;
        private final KernelElement element;
        private final TestKernel kernel;

        Grid(ElementType type, Order order) {
            this.type = type;
            isReversed = order.equals(Order.natural().reversed());
            element = KernelElement.of(type, List.of(), order, false);
            kernel = new TestKernel("splitter_grid.cu", "find_by_grid", element, TUNING, KernelProgram.SCATTER);
        }

        void check(Splitters splitters, boolean withEqualityBuckets) {
            double[] sorted = sorted(IntStream.range(0, BUCKETS - 1).mapToDouble(splitters.value));
            double[] keys = keys(sorted);
            int[] buckets = new int[keys.length];
            Cells cells = find(sorted, withEqualityBuckets, keys, buckets);
            String what = splitters.name + ", " + type + (isReversed ? " reversed" : "")
                    + (withEqualityBuckets ? ", with equality buckets" : "");
            assertThat(cells).as(what).isEqualTo(isNarrow() ? splitters.narrow : splitters.wide);
            if (cells == Cells.NONE) {
                return;
            }
            for (int i = 0; i < keys.length; i++) {
                assertThat(buckets[i]).as("%s: %s", what, keys[i]).isEqualTo(bucket(sorted, keys[i]));
            }
        }

        private boolean isNarrow() {
            return type.equals(ElementType.FLOAT);
        }

        /// Returns the values as the type has them, in order.
        private double[] sorted(DoubleStream values) {
            double[] sorted = values.map(value -> isNarrow() ? (float) value : value)
                    .sorted()
                    .toArray();
            return isReversed
                    ? IntStream.range(0, sorted.length)
                            .mapToDouble(i -> sorted[sorted.length - 1 - i])
                            .toArray()
                    : sorted;
        }

        /// Returns keys of all kinds, and those around each splitter.
        private double[] keys(double[] splitters) {
            SplittableRandom random = new SplittableRandom(3);
            DoubleStream special = DoubleStream.of(
                    Double.NaN,
                    notANumber(),
                    Double.NEGATIVE_INFINITY,
                    Double.POSITIVE_INFINITY,
                    -0.0,
                    0.0,
                    Float.MIN_VALUE,
                    -Float.MIN_VALUE,
                    Double.MIN_VALUE,
                    -Double.MAX_VALUE,
                    Float.MAX_VALUE,
                    -Float.MAX_VALUE);
            DoubleStream near = Arrays.stream(splitters).flatMap(s -> DoubleStream.of(before(s), s, behind(s)));
            DoubleStream even = random.doubles(200, -70, 70);
            DoubleStream exponents = IntStream.range(0, 300)
                    .mapToDouble(i -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-150, 150)));
            return sorted(
                    DoubleStream.concat(DoubleStream.concat(special, near), DoubleStream.concat(even, exponents)));
        }

        /// Returns a NaN that has a sign.
        private static double notANumber() {
            return Double.longBitsToDouble(0xfff8_0000_0000_0001L);
        }

        private double before(double value) {
            return isNarrow() ? Math.nextDown((float) value) : Math.nextDown(value);
        }

        private double behind(double value) {
            return isNarrow() ? Math.nextUp((float) value) : Math.nextUp(value);
        }

        /// Returns the bucket of a key: as many splitters come before it, and one more if it is equal to several.
        private int bucket(double[] splitters, double key) {
            int before = 0;
            while (before < splitters.length && compare(splitters[before], key) < 0) {
                before++;
            }
            boolean isFrequent = before + 1 < splitters.length
                    && compare(splitters[before], key) == 0
                    && compare(splitters[before + 1], key) == 0;
            return isFrequent ? before + 1 : before;
        }

        private int compare(double a, double b) {
            return isReversed ? Double.compare(b, a) : Double.compare(a, b);
        }

        private Cells find(double[] splitters, boolean withEqualityBuckets, double[] keys, int[] buckets) {
            long bytes = type.byteSize();
            try (Arena arena = Arena.ofConfined();
                    Context.Scope scope = kernel.context().enter();
                    DeviceAllocation splittersThere =
                            DeviceAllocation.allocate(kernel.context(), bytes * splitters.length);
                    DeviceAllocation keysThere = DeviceAllocation.allocate(kernel.context(), bytes * keys.length);
                    DeviceAllocation found =
                            DeviceAllocation.allocate(kernel.context(), (keys.length + 1L) * Integer.BYTES)) {
                MemorySegment from = segment(arena, splitters);
                MemorySegment keysFrom = segment(arena, keys);
                MemorySegment to = arena.allocate(ValueLayout.JAVA_INT, keys.length + 1L);
                Stream stream = kernel.stream();
                stream.copyToDevice(splittersThere.address(), from, from.byteSize());
                stream.copyToDevice(keysThere.address(), keysFrom, keysFrom.byteSize());
                stream.fill(found.address(), (byte) 0, to.byteSize());
                int sharedBytes = new SharedMemory(element, TUNING).scatter();
                kernel.kernel().allowDynamicSharedBytes(sharedBytes);
                kernel.kernel()
                        .with(splittersThere.address())
                        .with(BUCKETS)
                        .with(withEqualityBuckets ? 1 : 0)
                        .with(keysThere.address())
                        .with(keys.length)
                        .with(found.address())
                        .with(found.address() + (long) keys.length * Integer.BYTES)
                        .launch(stream, 1, TUNING.distributionThreads(), sharedBytes, Kernel.Mode.AFTER);
                stream.copyToHost(to, found.address(), to.byteSize());
                stream.synchronize();
                MemorySegment.copy(to, ValueLayout.JAVA_INT, 0, buckets, 0, buckets.length);
                return Cells.values()[to.getAtIndex(ValueLayout.JAVA_INT, keys.length)];
            }
        }

        private MemorySegment segment(Arena arena, double[] values) {
            MemorySegment segment = arena.allocate(type.byteSize() * (long) values.length, Long.BYTES);
            for (int i = 0; i < values.length; i++) {
                if (isNarrow()) {
                    segment.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) values[i]);
                } else {
                    segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, values[i]);
                }
            }
            return segment;
        }

        @Override
        public void close() {
            kernel.close();
        }
    }
}
