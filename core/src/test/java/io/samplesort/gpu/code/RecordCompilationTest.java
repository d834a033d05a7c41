package io.samplesort.gpu.code;

import static io.samplesort.gpu.code.CompiledKernels.ARCHITECTURES;
import static io.samplesort.gpu.code.CompiledKernels.IS_EVERYTHING;
import static io.samplesort.gpu.code.CompiledKernels.OLDEST;
import static io.samplesort.gpu.code.CompiledKernels.TUNED;
import static io.samplesort.gpu.code.CompiledKernels.assertLocalMemory;
import static io.samplesort.gpu.code.CompiledKernels.isRare;
import static io.samplesort.gpu.code.CompiledKernels.mostLocalBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.cpu.records.IndexedCases;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Programs of records, strings and key columns compile, and their kernels take little local memory. Needs NVRTC and no
/// GPU.
///
/// By default it compiles one record of each form for the architecture of the tuning. With `-Dtests.everything=true` it
/// compiles all records of the tests, for the oldest architecture, too. What was compiled is listed in
/// `target/machine-code`.
@Tag("nvrtc")
class RecordCompilationTest {
    /// The kernels of strings wait for memory, so more threads at once pay for what few of them spill.
    private static final int STRING_BYTES = 48;

    /// What the scatters of records with many narrow fields use once a tile, from which the grid of splitters makes two
    /// numbers.
    private static final int RECORD_SCATTER_BYTES = 56;

    /// Numbers by an order of the user's, 32 of them a thread, are not sorted for speed.
    private static final int CUSTOM_NUMBERS_BYTES = 48;

    /// One record of each form: moved whole, moved with strings, of the largest keys, by index, and by orders of the
    /// user's.
    private static final Set<String> FORMS =
            Set.of("two longs", "all kinds of narrow fields", "sort benchmark", "custom, moved", "custom numbers");
    /// Ties are decided by the same lines in every order.
    private static final Set<String> STABLE_FORMS = Set.of("two longs", "custom, by index");

    /// The form for which what only few sorts need is compiled, except for sorts in place.
    private static final String COMPLETE_FORM = "two longs";

    private static final CompiledKernels COMPILED = new CompiledKernels();

    @AfterAll
    static void list() throws IOException {
        COMPILED.list(RecordCompilationTest.class);
    }

    static Stream<Arguments> records() {
        List<Arguments> records = new ArrayList<>();
        for (RecordCase each : RecordCase.all()) {
            for (boolean isStable : new boolean[] {false, true}) {
                if (IS_EVERYTHING || (isStable ? STABLE_FORMS : FORMS).contains(each.name())) {
                    records.add(Arguments.of(each, isStable, TUNED));
                }
                if (IS_EVERYTHING) {
                    records.add(Arguments.of(each, isStable, OLDEST));
                }
            }
        }
        RecordCase bigEndian = IndexedCases.all().stream()
                .filter(each -> each.type().equals(IndexedCases.BIG_ENDIAN))
                .findFirst()
                .orElseThrow();
        records.add(Arguments.of(bigEndian, false, TUNED));
        for (ElementType type : List.of(ElementType.BYTE, ElementType.INT, ElementType.LONG, ElementType.DOUBLE)) {
            if (IS_EVERYTHING || type == ElementType.DOUBLE) {
                records.add(Arguments.of(new RecordCase(type.name(), type, Order.natural()), true, TUNED));
            }
        }
        return records.stream();
    }

    @ParameterizedTest
    @MethodSource("records")
    void compilesRecordsWithoutSpills(RecordCase records, boolean isStable, String architecture) {
        KernelElement element = KernelElement.of(records.type(), List.of(), records.order(), isStable);
        Tuning tuning = Tuning.defaultFor(element.keyBytes(), 0, false, architecture);
        Map<KernelProgram, Nvrtc.Program> programs = KernelSource.programs(element, tuning);
        if (!IS_EVERYTHING && (isStable || !records.name().equals(COMPLETE_FORM))) {
            Set<KernelProgram> ofIndexes = isStable ? Set.of(KernelProgram.SELECT, KernelProgram.SORTED) : Set.of();
            programs.keySet().removeIf(each -> !each.isNeededAtOnce(false) && !ofIndexes.contains(each));
            // They may take so much local memory that no order makes a difference.
            programs.remove(KernelProgram.MERGE_SORT);
        } else if (!IS_EVERYTHING) {
            programs.remove(KernelProgram.PAGES);
        }
        Map<String, Cubin.Resources> kernels = COMPILED.compile(
                records + (isStable ? " stable" : "") + " on " + architecture, programs.values(), architecture);
        boolean isFrugal =
                architecture.equals(TUNED) && !(records.type().isPrimitive() && records.order() instanceof CustomOrder);
        kernels.forEach((name, resources) -> assertLocalMemory(
                name,
                resources,
                isRare(name)
                        ? CompiledKernels.RARE_KERNELS_BYTES
                        : name.startsWith("scatter")
                                ? Math.max(RECORD_SCATTER_BYTES, mostLocalBytes(name))
                                : !isFrugal || name.equals("select_splitters")
                                        ? Math.max(CUSTOM_NUMBERS_BYTES, mostLocalBytes(name))
                                        : mostLocalBytes(name)));
    }

    static List<String> architectures() {
        return IS_EVERYTHING ? ARCHITECTURES : List.of(OLDEST, TUNED);
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void compilesStringsWithoutSpills(String architecture) {
        compilesWithoutSpills(
                RowProgram.STRINGS.source(),
                architecture,
                "make_words",
                "mark_ties",
                "sort_small_groups",
                "make_tied_words");
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void compilesKeyColumnsWithoutSpills(String architecture) {
        compilesWithoutSpills(
                RowProgram.COLUMNS.source(),
                architecture,
                "narrow_columns",
                "pack_rows",
                "measure_rows",
                "encode_rows");
    }

    private static void compilesWithoutSpills(Nvrtc.Program program, String architecture, String... names) {
        Map<String, Cubin.Resources> kernels =
                COMPILED.compile(program.name() + " on " + architecture, List.of(program), architecture);
        assertThat(kernels).containsKeys(names);
        kernels.forEach((name, resources) -> assertLocalMemory(name, resources, STRING_BYTES));
    }
}
