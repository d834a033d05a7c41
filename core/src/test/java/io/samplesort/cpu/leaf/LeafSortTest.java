package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LeafSortTest {
    private static final int MARGIN = 9;

    /// Every leaf sort that this processor can run, the SIMD sorts for other processors among them.
    static List<LeafSort> sorts() throws IOException, InterruptedException {
        List<LeafSort> sorts = new ArrayList<>(List.of(new LeafSort(() -> null), new LeafSort()));
        SimdLibrary.awaitLoaded();
        Path cpuInfo = Path.of("/proc/cpuinfo");
        if (cpuInfo.toFile().canRead() && SimdLibrary.find() != null) {
            SimdLibrary.Processor processor = SimdLibrary.Processor.read(cpuInfo.toFile());
            if (processor.hasFlag("avx2")) {
                SimdSort jdk = new SimdSort(JdkSort.find());
                sorts.add(new LeafSort(() -> jdk));
            }
            if (processor.runsKernels()) {
                assertThat(KernelFile.load(new Kernels.Loader())).isNull();
                for (int way : new int[] {Kernels.MINIMA, Kernels.COMPARING}) {
                    SimdSort kernels = new SimdSort(new Kernels(way));
                    sorts.add(new LeafSort(() -> kernels));
                }
            }
        }
        return sorts;
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void sortsLongsOfAnyRangeAndLeavesTheRestAlone(LeafSort sort) {
        SplittableRandom random = new SplittableRandom(11);
        long[] spans = {1, 2, 1000, 1L << 52, 1L << 61, Double.doubleToRawLongBits(Double.MAX_VALUE), Long.MAX_VALUE};
        for (int count : new int[] {0, 1, 2, 17, 95, 96, 97, 255, 256, 1000, 5003}) {
            for (long span : spans) {
                for (long least : new long[] {Long.MIN_VALUE, -span / 2, -1, 0}) {
                    check(sort, random.longs(count, least, least + span).toArray());
                }
            }
            check(sort, random.longs(count).toArray());
        }
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void sortsLongsAtTheEdgesOfTheRangeThatDoublesCanHold(LeafSort sort) {
        long widest = Double.doubleToRawLongBits(Double.MAX_VALUE) - Double.doubleToRawLongBits(Double.MIN_NORMAL);
        SplittableRandom random = new SplittableRandom(12);
        for (long span : new long[] {widest - 1, widest, widest + 1}) {
            for (long least : new long[] {Long.MIN_VALUE, -7, Long.MAX_VALUE - span}) {
                long[] ends = {least, least + span, least, least + 1, least + span - 1};
                check(
                        sort,
                        LongStream.concat(Arrays.stream(ends), random.longs(300, least, least + span))
                                .toArray());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void sortsDoublesOfEverySignAndKeepsTheirBits(LeafSort sort) {
        SplittableRandom random = new SplittableRandom(14);
        double[] positive = random.doubles(6000, Double.MIN_VALUE, 1e300).toArray();
        positive[7] = Double.POSITIVE_INFINITY;
        positive[8] = Double.MIN_VALUE;
        double[] negative = Arrays.stream(positive).map(v -> -v).toArray();
        double[] both = new double[5001];
        Arrays.setAll(both, i -> random.nextInt(-20, 20) / 8.0 * random.nextInt(3));
        double[] any = random.longs(5000).mapToDouble(Double::longBitsToDouble).toArray();
        for (double[] values :
                List.of(positive, negative, both, any, random.doubles(20).toArray(), new double[3])) {
            for (double other : new double[] {0.0, -0.0, Double.NaN, Double.longBitsToDouble(-1), 1, -1}) {
                double[] input = values.clone();
                input[input.length / 2] = other;
                double[] sorted = input.clone();
                long[] expected = orders(input);
                if (sort.trySort(sorted, 1, sorted.length - 1)) {
                    Arrays.sort(expected, 1, expected.length - 1);
                }
                assertThat(orders(sorted)).isEqualTo(expected);
            }
        }
    }

    /// The place of each number in the order of all doubles: that of Java, and NaNs with a sign bit come last.
    private static long[] orders(double[] values) {
        return Arrays.stream(values)
                .mapToLong(Double::doubleToRawLongBits)
                .map(bits -> (bits ^ ((bits >> 63) >>> 1)) - 0x000f_ffff_ffff_ffffL)
                .toArray();
    }

    /// Keys that are frequent in all of a range, or among their neighbours alone.
    @ParameterizedTest
    @MethodSource("sorts")
    void sortsValuesThatRepeatUnevenly(LeafSort sort) {
        SplittableRandom random = new SplittableRandom(17);
        for (int count : new int[] {4095, 4096, 50_000}) {
            for (int period : new int[] {1, 2, 500, 4000}) {
                long[] values = new long[count];
                Arrays.setAll(
                        values,
                        i -> random.nextInt(3) == 0 ? random.nextLong(count) / period * period : i * 7L % count);
                check(sort, values);
                int[] ints =
                        Arrays.stream(values).mapToInt(v -> (int) v - count / 2).toArray();
                int[] sorted = ints.clone();
                Arrays.sort(sorted);
                sort.sort(ints, 0, count);
                assertThat(ints).isEqualTo(sorted);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sorts")
    void sortsIntsAndLeavesTheRestAlone(LeafSort sort) {
        SplittableRandom random = new SplittableRandom(13);
        for (int count : new int[] {0, 1, 2, 17, 95, 96, 97, 255, 256, 1000, 70_001}) {
            for (int[] values : List.of(
                    random.ints(count).toArray(),
                    random.ints(count, -3, 4).toArray(),
                    new int[count],
                    random.ints(count)
                            .map(v -> v < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE)
                            .toArray())) {
                int[] sorted = values.clone();
                Arrays.sort(sorted);
                int[] surrounded = new int[count + 2 * MARGIN];
                Arrays.fill(surrounded, 5);
                System.arraycopy(values, 0, surrounded, MARGIN, count);
                int[] expected = surrounded.clone();
                System.arraycopy(sorted, 0, expected, MARGIN, count);
                sort.sort(surrounded, MARGIN, MARGIN + count);
                assertThat(surrounded).isEqualTo(expected);
            }
        }
    }

    private static void check(LeafSort sort, long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        long[] surrounded = new long[values.length + 2 * MARGIN];
        Arrays.fill(surrounded, 5);
        System.arraycopy(values, 0, surrounded, MARGIN, values.length);
        long[] expected = surrounded.clone();
        System.arraycopy(sorted, 0, expected, MARGIN, values.length);
        sort.sort(surrounded, MARGIN, MARGIN + values.length);
        assertThat(surrounded).isEqualTo(expected);
    }

    private static void checkInts(LeafSort sort, long[] values) {
        int[] surrounded = new int[values.length + 2 * MARGIN];
        for (int i = 0; i < values.length; i++) {
            // The high halves of large values, so that those at the ends of their range stay there.
            surrounded[MARGIN + i] = (int) (values[i] == (int) values[i] ? values[i] : values[i] >> Integer.SIZE);
        }
        int[] expected = surrounded.clone();
        Arrays.sort(expected, MARGIN, MARGIN + values.length);
        sort.sort(surrounded, MARGIN, MARGIN + values.length);
        assertThat(surrounded).isEqualTo(expected);
    }

    /// Inputs whose values crowd in few cells of their range, round after round.
    @ParameterizedTest
    @MethodSource("sorts")
    void sortsCrowdedValues(LeafSort sort) {
        SplittableRandom random = new SplittableRandom(15);
        for (int count : new int[] {40, 1000, 30_000, (1 << 17) + 5}) {
            long[] clusters = random.longs(count, 0, 64).map(v -> 1L << v).toArray();
            long[] nested =
                    random.longs(count).map(v -> v >>> random.nextInt(64)).toArray();
            long[] outlier = random.longs(count, 0, 1000).toArray();
            outlier[count / 2] = Long.MIN_VALUE;
            long[] narrowing = new long[count];
            for (int i = 0; i < count; i++) {
                narrowing[i] = i % 2 == 0 ? random.nextLong() >>> (i % 60) : random.nextLong(30);
            }
            for (long[] values : List.of(clusters, nested, outlier, narrowing)) {
                check(sort, values);
                int[] ints = Arrays.stream(values).mapToInt(v -> (int) v).toArray();
                int[] sorted = ints.clone();
                Arrays.sort(sorted);
                sort.sort(ints, 0, count);
                assertThat(ints).isEqualTo(sorted);
            }
        }
    }

    @Test
    void reservedSortsAllocateNothing() {
        LeafSort sort = new LeafSort(() -> null);
        sort.reserveLongs(5000);
        sort.reserveInts(7000);
        long reserved = sort.heapBytes();
        SplittableRandom random = new SplittableRandom(16);
        check(sort, random.longs(5000).map(v -> v >>> random.nextInt(64)).toArray());
        sort.sort(random.ints(7000).toArray(), 0, 7000);
        assertThat(sort.heapBytes()).isEqualTo(reserved).isPositive();
    }

    @Test
    void aSortThatIsWrongIsNotUsed() throws InterruptedException {
        SimdLibrary.awaitLoaded();
        assumeTrue(SimdLibrary.find() != null, "needs a SIMD sort");
        // The C library's toupper takes its first argument for a character, and moves nothing.
        MemorySegment other =
                Linker.nativeLinker().defaultLookup().find("toupper").orElseThrow();
        assertThat(new JdkSort(other, other).sortsRightly()).isFalse();
        if (SimdLibrary.find().kernels() != null) {
            // There is no such way, so nothing moves.
            assertThat(new Kernels(7).sortRightly(1000)).isFalse();
        }
        JdkSort jdk = JdkSort.find();
        if (jdk != null) {
            assertThat(jdk.sortsRightly()).isTrue();
            MemorySegment sort = SymbolLookup.libraryLookup(JdkSort.LIBRARY.toPath(), Arena.global())
                    .find("avx2_sort")
                    .orElseThrow();
            assertThat(new JdkSort(sort, other).sortsRightly()).isFalse();
        }
    }

    @Test
    void kernelsRunWhereAllTheirInstructionsAre() {
        String flags = " avx2 bmi1 bmi2 fma movbe ";
        for (String set : List.of("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")) {
            assertThat(new SimdLibrary.Processor("GenuineIntel", flags + set + "x ").runsKernels())
                    .isFalse();
            flags += set + " ";
        }
        assertThat(new SimdLibrary.Processor("GenuineIntel", flags).runsKernels())
                .isTrue();
    }

    /// What each part of the kernels does: networks of each size, partitions, keys that repeat, inputs against which
    /// pivots are chosen badly.
    @Test
    void kernelsSortWhatArraysSortDoes() throws IOException {
        Path cpuInfo = Path.of("/proc/cpuinfo");
        assumeTrue(cpuInfo.toFile().canRead(), "needs Linux");
        assumeTrue(SimdLibrary.Processor.read(cpuInfo.toFile()).runsKernels(), "needs AVX-512");
        assertThat(KernelFile.load(new Kernels.Loader()))
                .as("the kernels that the build compiles")
                .isNull();
        for (int way : new int[] {Kernels.MINIMA, Kernels.COMPARING}) {
            Kernels kernels = new Kernels(way);
            assertThat(kernels.sortRightly(1000)).isTrue();
            SimdSort simd = new SimdSort(kernels);
            checkEachPart(new LeafSort(() -> simd));
        }
    }

    private static void checkEachPart(LeafSort sort) {
        SplittableRandom random = new SplittableRandom(18);
        List<Integer> counts =
                new ArrayList<>(IntStream.rangeClosed(96, 2000).boxed().toList());
        for (int log = 11; log <= 17; log++) {
            counts.addAll(List.of((1 << log) - 1, 1 << log, (1 << log) + 1));
        }
        for (int count : counts) {
            for (long[] values : new long[][] {
                random.longs(count).toArray(),
                random.longs(count, 0, 3).toArray(),
                random.longs(count, -50, 50).toArray(),
                random.longs(count)
                        .map(v -> v < 0 ? Long.MIN_VALUE : Long.MAX_VALUE)
                        .toArray(),
                LongStream.range(0, count).map(v -> Math.min(v, count - v)).toArray(),
                LongStream.range(0, count).map(v -> -v).toArray(),
                new long[count]
            }) {
                check(sort, values);
                checkInts(sort, values);
            }
        }
    }

    @Test
    void processorsThatSayNothingHaveNoFlags(@TempDir Path folder) throws IOException {
        Path cpuInfo = folder.resolve("cpuinfo");
        Files.writeString(cpuInfo, "processor\t: 0\nBogoMIPS\t: 50.00\n\n");
        assertThat(SimdLibrary.Processor.read(cpuInfo.toFile())).isEqualTo(new SimdLibrary.Processor("", "  "));
        Files.writeString(cpuInfo, "vendor_id\t: AuthenticAMD\nvmx flags\t: avx512f\nflags\t\t: fpu avx2\nbugs\t\t:\n");
        SimdLibrary.Processor processor = SimdLibrary.Processor.read(cpuInfo.toFile());
        assertThat(processor).isEqualTo(new SimdLibrary.Processor("AuthenticAMD", " fpu avx2 "));
        assertThat(processor.isAmd()).isTrue();
        assertThat(processor.hasFlag("avx2")).isTrue();
        assertThat(processor.hasFlag("avx")).isFalse();
        assertThat(processor.hasFlag("avx512f")).isFalse();
    }
}
