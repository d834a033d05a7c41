package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Options of builders: those that have no effect are refused. `GpuBuilderOptionsTest` says the same of the GPU's.
class SorterBuilderTest {
    private static final int MANY = 300_000;

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "STRINGS, \"set order, which has no effect on a sorter of strings: give the order to buildStrings\"",
                "ROWS, \"set order, which has no effect on a sorter of rows: each key column says itself how\"",
                "OBJECTS, \"set order, which has no effect on a sorter of objects: give the order to buildObjects\""
            })
    void anOrderOfElementsIsRefused(BuiltSorter kind, String message) {
        refuses(kind, builder -> builder.order(Order.natural()), message);
    }

    @ParameterizedTest
    @CsvSource({
        "STRINGS, and bring other columns with applyPermutation into the order that argsort finds",
        "ROWS, and bring other columns with applyPermutation into the order that argsort finds",
        "OBJECTS, objects move as a whole"
    })
    void payloadsAreRefused(BuiltSorter kind, String remedy) {
        refuses(kind, builder -> builder.payload(ElementType.INT), "set payload, which has no effect on a sorter of");
        refuses(kind, builder -> builder.payloads(ElementType.INT, ElementType.LONG), remedy);
        assertThat(kind.sort(SampleSort.onCpu().payload(ElementType.INT).payloads(), 10)
                        .elementCount())
                .isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ELEMENTS")
    void sortsInPlaceAreRefused(BuiltSorter kind) {
        refuses(kind, SorterBuilder::inPlace, "leave it out, and use lean() to take the least memory");
    }

    private static void refuses(BuiltSorter kind, Consumer<SorterBuilder> option, String message) {
        SorterBuilder builder = SampleSort.onCpu();
        option.accept(builder);
        assertThatThrownBy(() -> kind.sort(builder, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /// Sorts of strings, rows and objects are stable anyway.
    @ParameterizedTest
    @EnumSource
    void anySorterMayBeAskedToBeStable(BuiltSorter kind) {
        assertThat(kind.sort(SampleSort.onCpu().stable(), 10).elementCount()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void threadsAreLimited(BuiltSorter kind) {
        assumeTrue(ForkJoinPool.getCommonPoolParallelism() > 1
                || Runtime.getRuntime().availableProcessors() > 1);
        assertThat(kind.sort(SampleSort.onCpu(), MANY).device()).endsWith(" threads");
        assertThat(kind.sort(SampleSort.onCpu().cpuThreads(1), MANY).device()).isEqualTo("cpu, 1 thread");
    }

    /// A wrong name is reported at once, although no GPU is used.
    @ParameterizedTest
    @EnumSource
    void wrongTuningIsReportedWhenASorterIsBuilt(BuiltSorter kind) {
        assertThatThrownBy(() -> kind.sort(SampleSort.onCpu().tuning("noSuchParameter=1"), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("noSuchParameter");
    }
}
