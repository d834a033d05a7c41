package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.ColumnSorter;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.StringSorter;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Sorts on the best device while the kernels that they need are compiled: the CPU sorts, and the GPU takes over later.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuFirstSortTest {
    private static final int COUNT = 5000;
    private static final String COMPILING = "the kernels are being compiled in the background; later sorts use the GPU";

    @TempDir
    Path emptyCache;

    @BeforeAll
    static void startDriver() {
        assumeTrue(GpuEnvironment.IS_EMULATED, "only the compiler of the emulated GPU can be held");
        Cuda.requireDriver();
    }

    private static SorterBuilder best() {
        return SampleSort.onBestDevice().gpuThreshold(COUNT).tuning(GpuContractTest.TINY);
    }

    /// Holds the compiler of sorts of such elements.
    private HeldCompiler held(ElementType key, List<ElementType> payloads, Order order, boolean isStable)
            throws IOException {
        KernelElement element = KernelElement.of(key, payloads, order, isStable);
        Nvrtc.Program scatter =
                KernelSource.programs(element, GpuContractTest.TINY).get(KernelProgram.SCATTER);
        return new HeldCompiler(emptyCache, List.of(scatter));
    }

    private HeldCompiler heldLongs() throws IOException {
        return held(ElementType.LONG, List.of(), Order.natural(), false);
    }

    private HeldCompiler heldIndexes() throws IOException {
        return held(ElementType.LONG, List.of(), Order.natural(), true);
    }

    private static long[] longs(int seed) {
        return new Random(seed).longs(COUNT).toArray();
    }

    private static String sort(Sorter sorter, int seed) {
        long[] keys = longs(seed);
        long[] expected = keys.clone();
        Arrays.sort(expected);
        SortReport report = sorter.sort(keys);
        assertThat(keys).isEqualTo(expected);
        return where(report);
    }

    /// Returns the reason why the CPU sorted, or the device.
    private static String where(SortReport report) {
        assertThat(report.device().startsWith("gpu"))
                .isEqualTo(report.fallbackReason().isEmpty());
        return report.fallbackReason().orElse("gpu");
    }

    /// Checks that the CPU sorts as long as the compiler is held, and the GPU after that.
    private static void checkTwoSorts(HeldCompiler held, Supplier<SortReport> sort) throws InterruptedException {
        assertThat(where(sort.get())).isEqualTo(COMPILING);
        assertThat(where(sort.get())).isEqualTo(COMPILING);
        held.finish();
        // On a busy machine, the compiler may only begin with a part now.
        String found = where(sort.get());
        for (int sorts = 0; sorts < 3000 && found.equals(COMPILING); sorts++) {
            Thread.sleep(20);
            found = where(sort.get());
        }
        assertThat(found).isEqualTo("gpu");
        assertThat(where(sort.get())).isEqualTo("gpu");
    }

    @Test
    void numbersAreSortedWhileKernelsAreCompiledOnceForTwoSorters() throws Exception {
        try (HeldCompiler held = heldLongs();
                Sorter first = best().build(ElementType.LONG);
                Sorter second = best().build(ElementType.LONG)) {
            assertThat(sort(first, 1)).isEqualTo(COMPILING);
            int compiling = HeldCompiler.threads().size();
            assertThat(compiling).isPositive();
            assertThat(sort(second, 2)).isEqualTo(COMPILING);
            assertThat(HeldCompiler.threads().size()).isLessThanOrEqualTo(compiling);
            held.finish();
            assertThat(sort(first, 3)).isEqualTo("gpu");
            assertThat(sort(second, 4)).isEqualTo("gpu");
        }
    }

    @Test
    void kernelsInTheCacheAreLoadedAtOnce() throws Exception {
        try (HeldCompiler held = heldLongs();
                Sorter first = best().build(ElementType.LONG);
                Sorter second = best().build(ElementType.LONG)) {
            sort(first, 1);
            held.finish();
            assertThat(sort(second, 2)).isEqualTo("gpu");
        }
    }

    @Test
    void aPlannedSortWaits() throws Exception {
        try (HeldCompiler held = heldLongs();
                Sorter sorter = best().build(ElementType.LONG)) {
            assertThat(sort(sorter, 1)).isEqualTo(COMPILING);
            Thread planning = new Thread(() -> sorter.elementCost(COUNT));
            planning.start();
            held.finish();
            planning.join();
            assertThat(sort(sorter, 2)).isEqualTo("gpu");
        }
    }

    @Test
    void pairsAreSortedWhileKernelsAreCompiled() throws Exception {
        try (HeldCompiler held = held(ElementType.LONG, List.of(ElementType.INT), Order.natural(), false);
                Sorter sorter = best().payload(ElementType.INT).build(ElementType.LONG)) {
            checkTwoSorts(held, () -> {
                long[] keys = longs(1);
                int[] payloads = IntStream.range(0, COUNT).toArray();
                SortReport report = sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
                long[] input = longs(1);
                assertThat(keys)
                        .isSorted()
                        .isEqualTo(
                                Arrays.stream(payloads).mapToLong(i -> input[i]).toArray());
                return report;
            });
        }
    }

    @Test
    void theOrderOfNumbersIsFoundWhileKernelsAreCompiled() throws Exception {
        try (HeldCompiler held = heldIndexes();
                Sorter sorter = best().build(ElementType.LONG)) {
            MemorySegment permutation = MemorySegment.ofArray(new int[COUNT]);
            checkTwoSorts(held, () -> sorter.argsort(MemorySegment.ofArray(longs(1)), permutation));
        }
    }

    @Test
    void stringsAreSortedWhileKernelsAreCompiled() throws Exception {
        List<String> words = IntStream.range(0, COUNT)
                .mapToObj(i -> "word " + i * 7919 % COUNT)
                .toList();
        byte[][] sorted = words.stream().sorted().map(String::getBytes).toArray(byte[][]::new);
        Strings strings = Strings.copyOf(words.stream().map(String::getBytes).toArray(byte[][]::new));
        try (HeldCompiler held = new HeldCompiler(emptyCache, List.of(RowProgram.STRINGS.source()));
                StringSorter sorter = best().buildStrings(StringOrder.bytes())) {
            checkTwoSorts(held, () -> {
                int[] permutation = new int[COUNT];
                SortReport report = sorter.argsort(strings, permutation);
                assertThat(words.get(permutation[0]).getBytes()).isEqualTo(sorted[0]);
                assertThat(words.get(permutation[COUNT - 1]).getBytes()).isEqualTo(sorted[COUNT - 1]);
                return report;
            });
        }
    }

    @Test
    void rowsAreSortedWhileKernelsAreCompiled() throws Exception {
        try (HeldCompiler held = heldLongs();
                ColumnSorter sorter = best().buildColumns()) {
            MemorySegment permutation = MemorySegment.ofArray(new int[COUNT]);
            checkTwoSorts(held, () -> sorter.argsort(List.of(KeyColumn.of(longs(1))), permutation));
        }
    }

    @Test
    void aSorterIsClosedWhileItsKernelsAreCompiled() throws Exception {
        try (HeldCompiler held = heldLongs()) {
            Sorter sorter = best().build(ElementType.LONG);
            assertThat(sort(sorter, 1)).isEqualTo(COMPILING);
            sorter.close();
            assertThat(HeldCompiler.threads()).isNotEmpty();
            held.finish();
            assertThat(HeldCompiler.threads()).isEmpty();
        }
    }

    @Test
    void kernelsThatDoNotCompileAreSaidInEachLaterReport() throws Exception {
        Order wrong = Order.custom(
                "no_such_function(a, b)",
                Comparator.comparingLong(element -> element.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)));
        try (HeldCompiler held = held(ElementType.LONG, List.of(), wrong, false);
                Sorter sorter = best().order(wrong).build(ElementType.LONG)) {
            assertThat(sort(sorter, 1)).isEqualTo(COMPILING);
            held.finish();
            assertThat(sort(sorter, 2)).contains("no_such_function(a, b)");
            assertThat(sort(sorter, 3)).contains("no_such_function(a, b)");
            assertThat(HeldCompiler.threads()).isEmpty();
        }
    }
}
