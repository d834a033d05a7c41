package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.RecordCase;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Programs compile, and their kernels have the registers that the tuning counts on. Needs NVRTC and no GPU.
///
/// By default it compiles those that may need more registers than the rest: for the architecture of the tuning, keys
/// of every size, pairs of the smallest and of the largest numbers, floating point, a descending order, and each form
/// of sorting records; for other architectures a few that need many. With `-Dtests.everything=true` it compiles every
/// program that users can ask for, for all architectures (descending orders for one).
///
/// What was compiled is listed in `target/machine-code.txt`, with a hash of each kernel's machine code: so two builds
/// can be compared.
@Tag("nvrtc")
class KernelCompilationTest {
    private static final boolean IS_EVERYTHING = Boolean.getBoolean("tests.everything");

    private static final String OLDEST = "sm_75";
    private static final List<String> ARCHITECTURES = List.of(OLDEST, "sm_80", "sm_90", "sm_100", "sm_120");

    /// The architecture that the default tuning was measured on.
    private static final String TUNED = "sm_90";

    /// Where nothing limits its registers, the compiler still spills a few at times, for more threads at once.
    private static final int COMPILERS_CHOICE_BYTES = 32;

    private static final int RARE_KERNELS_BYTES = 256;
    private static final int FLOAT_BYTES = 24;
    /// The kernels of strings wait for memory, so more threads at once pay for what few of them spill.
    private static final int STRING_BYTES = 48;

    /// What the scatter uses once a tile or a segment, which costs about one percent of its time (docs/tuning-log.md).
    private static final int SCATTER_BYTES = 16;

    /// The same of records with many narrow fields, from which the grid of splitters makes two numbers.
    private static final int RECORD_SCATTER_BYTES = 56;

    /// What the first pass in place uses, mostly once a tile, where it looks for pages (docs/tuning-log.md): 32 to 64
    /// bytes of most elements, and this of records with many narrow fields.
    private static final int PAGE_SCATTER_BYTES = 88;

    /// The most that the small sort, or the sort of pieces of runs, keeps there while it divides large cells, which
    /// happens where keys repeat.
    private static final int SMALL_SORT_BYTES = 96;

    /// What is used for each tile by the kernel that sends elements to other GPUs, of which three blocks at once took
    /// three quarters of the time of one (docs/tuning-log.md).
    private static final int SEND_BYTES = 24;

    /// The scatters of keys of few values have two blocks at once everywhere.
    private static final int BYTE_SCATTER_BYTES = 40;

    /// One short block for each segment.
    private static final int SCAN_BYTES = 8;

    /// Numbers by an order of the user's, 32 of them a thread, are what nobody sorts for speed.
    private static final int CUSTOM_NUMBERS_BYTES = 48;

    /// One record of each form: moved whole, moved with strings, of the largest keys, by index, and by orders of the
    /// user's.
    private static final Set<String> FORMS = Set.of(
            "two longs",
            "price, then id",
            "all kinds of narrow fields",
            "nested",
            "sort benchmark",
            "custom, moved",
            "custom numbers");
    /// Ties are decided by the same lines in every order.
    private static final Set<String> STABLE_FORMS = Set.of("two longs", "custom, by index");

    private static final Path LIST = Path.of("target", "machine-code.txt");
    private static final Set<String> LINES = new ConcurrentSkipListSet<>();

    private static final int REGISTERS = 65536;
    private static final int WARP_SIZE = 32;
    /// What the compiler itself takes of shared memory for newer architectures; the kernels have no static arrays.
    private static final int RESERVED_SHARED_BYTES = 1024;

    /// Registers are handed out in so many for a warp.
    private static final int REGISTER_UNIT = 256;

    /// A program, and what it is compiled for.
    private record Case(KeyType key, KeyType payload, boolean isDescending, boolean isStable, String architecture) {
        @Override
        public String toString() {
            return (payload == null ? key : key + "+" + payload)
                    + (isDescending ? " descending" : "")
                    + (isStable ? " stable" : "")
                    + " on " + architecture;
        }

        boolean isTuned() {
            return architecture.equals(TUNED);
        }

        boolean isFloatingPoint() {
            return key == KeyType.F32 || key == KeyType.F64;
        }

        /// Pairs without padding, which are moved whole.
        boolean isWholePair() {
            return payload != null && payload.byteSize() == key.byteSize();
        }

        /// Signs and a descending order only change which instruction compares keys.
        boolean isRepresentative() {
            if (!isTuned()) {
                return !isDescending && (isOldestOrNewest() ? isDemanding() : isCommon());
            }
            if (isDescending) {
                return payload == null && key == KeyType.F32;
            }
            if (payload == null) {
                return key.isUnsigned() || isFloatingPoint();
            }
            if (isWholePair()) {
                // Of floating-point pairs one of each size is enough.
                return isFloatingPoint() ? isStable == (key == KeyType.F64) : key == KeyType.U32 || key == KeyType.U64;
            }
            // Pairs of unequal sizes are padded, these by most.
            return key == KeyType.U8 && payload == KeyType.U64
                    || key == KeyType.U64 && payload == KeyType.U8
                    || key == KeyType.U16 && payload == KeyType.U32;
        }

        private boolean isOldestOrNewest() {
            return architecture.equals(OLDEST) || architecture.equals(ARCHITECTURES.getLast());
        }

        /// What most sorts are of.
        private boolean isCommon() {
            return !isStable && (key == KeyType.U32 && isWholePair() || key == KeyType.U64 && payload == null);
        }

        /// Some of the sorts that merge the runs of an input or of what is out of place, and rank the keys of small
        /// runs.
        boolean mergesRuns() {
            return isTuned()
                    && !isStable
                    && (key == KeyType.U32 && payload == null
                            || key == KeyType.U64 && (payload == null || payload == KeyType.U64));
        }

        /// What needs many registers, beside the common ones.
        private boolean isDemanding() {
            return isCommon() || (payload == null && key == KeyType.F64) || (key == KeyType.U64 && isStable);
        }
    }

    static Stream<Case> programs() {
        List<Case> cases = new ArrayList<>();
        for (String architecture : ARCHITECTURES) {
            for (KeyType key : KeyType.values()) {
                for (boolean isDescending : new boolean[] {false, true}) {
                    cases.add(new Case(key, null, isDescending, false, architecture));
                    for (KeyType payload : List.of(KeyType.U8, KeyType.U16, KeyType.U32, KeyType.U64)) {
                        Case pairs = new Case(key, payload, isDescending, false, architecture);
                        cases.add(pairs);
                        if (pairs.isWholePair() && key.byteSize() >= Integer.BYTES) {
                            cases.add(new Case(key, payload, isDescending, true, architecture));
                        }
                    }
                }
            }
        }
        return cases.stream()
                .filter(program ->
                        IS_EVERYTHING ? program.isTuned() || !program.isDescending() : program.isRepresentative());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void compilesWithoutSpills(Case program) {
        ElementType keyType = ContractTypes.elementType(program.key());
        ElementType payloadType = ContractTypes.elementType(program.payload());
        String architecture = program.architecture();
        KernelElement element = KernelElement.of(
                keyType,
                payloadType == null ? List.of() : List.of(payloadType),
                ContractTypes.order(program.key(), program.isDescending()),
                program.isStable());
        Tuning tuning =
                Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), architecture);
        assertThat(element.keepsOrder()).isEqualTo(program.isStable());
        Map<String, Cubin.Resources> kernels = compile(program.toString(), element, tuning, architecture);
        assertThat(kernels)
                .containsKeys(
                        "select_splitters",
                        "count_sample",
                        "scan_counts",
                        "scatter",
                        "small_sort",
                        "small_sort_largest",
                        "merge_sort");
        if (program.mergesRuns()) {
            assertThat(kernels)
                    .containsKeys(
                            "find_runs",
                            "cut_runs",
                            "merge_runs",
                            "sort_runs",
                            "cut_parts",
                            "merge_parts",
                            "rank_runs");
        }
        kernels.forEach((name, resources) -> {
            String what = name + ": " + resources;
            assertThat(resources.registers()).as(what).isBetween(1, 255);
            assertThat(resources.sharedBytes())
                    .as("static shared memory of " + what)
                    .isLessThanOrEqualTo(RESERVED_SHARED_BYTES);
            assertThat(resources.frameBytes())
                    .as("local memory of " + what)
                    .isLessThanOrEqualTo(spillLimit(name, keyType, architecture));
        });
        assertThat(blocks(kernels.get("scatter"), tuning.distributionThreads()))
                .as("blocks of %s at once", kernels.get("scatter"))
                .isGreaterThanOrEqualTo(tuning.distributionBlocks());
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            int threads = SizeClasses.threads(tuning, c);
            Cubin.Resources resources = kernels.get(c < SizeClasses.LARGEST ? "small_sort" : "small_sort_largest");
            assertThat(blocks(resources, threads) * threads)
                    .as("threads of small_sort_%d at once, %s", c, resources)
                    .isGreaterThanOrEqualTo(Math.max(1, tuning.smallSortResidentThreads() / threads) * threads);
        }
    }

    @AfterAll
    static void list() throws IOException {
        Files.createDirectories(LIST.getParent());
        Files.write(LIST, LINES);
    }

    private static Map<String, Cubin.Resources> compile(
            String what, KernelElement element, Tuning tuning, String architecture) {
        return compile(what, KernelSource.programs(element, tuning).values(), architecture);
    }

    private static Map<String, Cubin.Resources> compile(
            String what, Collection<Nvrtc.Program> programs, String architecture) {
        Map<String, Cubin.Resources> kernels = new HashMap<>();
        for (Nvrtc.Program program : programs) {
            kernels.putAll(Cubin.kernels(Nvrtc.compile(program, KernelSource.options(architecture))));
        }
        kernels.forEach((name, resources) ->
                LINES.add("NVRTC " + Nvrtc.versionText() + ", " + what + ", " + name + ": " + resources));
        return kernels;
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
        Map<String, Cubin.Resources> kernels =
                compile(records + (isStable ? " stable" : "") + " on " + architecture, element, tuning, architecture);
        boolean isFrugal =
                architecture.equals(TUNED) && !(records.type().isPrimitive() && records.order() instanceof CustomOrder);
        kernels.forEach((name, resources) -> assertThat(resources.frameBytes())
                .as("local memory of %s: %s", name, resources)
                .isLessThanOrEqualTo(
                        isRare(name)
                                ? RARE_KERNELS_BYTES
                                : name.startsWith("scatter")
                                        ? Math.max(RECORD_SCATTER_BYTES, spillLimit(name))
                                        : !isFrugal || name.equals("select_splitters")
                                                ? Math.max(CUSTOM_NUMBERS_BYTES, spillLimit(name))
                                                : spillLimit(name)));
    }

    static List<String> architectures() {
        return ARCHITECTURES;
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void compilesStringsWithoutSpills(String architecture) {
        compilesWithoutSpills(
                FixedProgram.STRINGS.source(),
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
                FixedProgram.COLUMNS.source(),
                architecture,
                "narrow_columns",
                "pack_rows",
                "measure_rows",
                "encode_rows");
    }

    private static void compilesWithoutSpills(Nvrtc.Program program, String architecture, String... names) {
        Map<String, Cubin.Resources> kernels =
                Cubin.kernels(Nvrtc.compile(program, KernelSource.options(architecture)));
        assertThat(kernels).containsKeys(names);
        kernels.forEach((name, resources) -> {
            LINES.add("NVRTC " + Nvrtc.versionText() + ", " + program.name() + " on " + architecture + ", " + name
                    + ": " + resources);
            assertThat(resources.frameBytes())
                    .as("local memory of %s: %s", name, resources)
                    .isLessThanOrEqualTo(STRING_BYTES);
        });
    }

    private static boolean isRare(String kernel) {
        return kernel.equals("merge_sort") || kernel.equals("small_sort_largest");
    }

    /// No spills where the tuning was measured, with exceptions: the merge sort and the largest small sort, which the
    /// rare buckets far above the mean need, the scatter of other compilers, and `float` keys, where the small sort
    /// with more registers is slower (docs/tuning-log.md).
    private static int spillLimit(String kernel, ElementType key, String architecture) {
        if (isRare(kernel)) {
            return RARE_KERNELS_BYTES;
        }
        if (!architecture.equals(TUNED)) {
            return switch (kernel) {
                case "small_sort", "scatter_to_pages" -> spillLimit(kernel);
                default -> kernel.startsWith("scatter_") ? BYTE_SCATTER_BYTES : COMPILERS_CHOICE_BYTES;
            };
        }
        int limit = spillLimit(kernel);
        return key.equals(ElementType.FLOAT) ? Math.max(FLOAT_BYTES, limit) : limit;
    }

    private static int spillLimit(String kernel) {
        return switch (kernel) {
            case "scan_counts" -> SCAN_BYTES;
            case "small_sort", "sort_runs" -> SMALL_SORT_BYTES;
            case "send_elements" -> SEND_BYTES;
            case "scatter_to_pages" -> PAGE_SCATTER_BYTES;
            default -> kernel.startsWith("scatter") ? SCATTER_BYTES : 0;
        };
    }

    /// How many blocks the registers of one multiprocessor allow.
    private static int blocks(Cubin.Resources resources, int threads) {
        int perWarp = (resources.registers() * WARP_SIZE + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
        return REGISTERS / perWarp / (threads / WARP_SIZE);
    }
}
