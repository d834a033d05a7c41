package io.samplesort.gpu.code;

import static io.samplesort.gpu.code.CompiledKernels.ARCHITECTURES;
import static io.samplesort.gpu.code.CompiledKernels.IS_EVERYTHING;
import static io.samplesort.gpu.code.CompiledKernels.OLDEST;
import static io.samplesort.gpu.code.CompiledKernels.RARE_KERNELS_BYTES;
import static io.samplesort.gpu.code.CompiledKernels.TUNED;
import static io.samplesort.gpu.code.CompiledKernels.assertLocalMemory;
import static io.samplesort.gpu.code.CompiledKernels.isRare;
import static io.samplesort.gpu.code.CompiledKernels.mostLocalBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Programs of numbers and pairs compile, and their kernels have the registers that the tuning counts on. Needs NVRTC
/// and no GPU.
///
/// By default it compiles those that may need more registers than the rest: for the architecture of the tuning, keys of
/// nearly every size, pairs of the smallest and of the largest numbers, floating-point keys and a descending order; for
/// the oldest one keys of the largest numbers, and for the newest one pairs of ints. With `-Dtests.everything=true` it
/// compiles every program that users can ask for, for all architectures (descending orders for one). What was compiled
/// is listed in `target/machine-code`.
@Tag("nvrtc")
class KernelCompilationTest {
    /// Where nothing limits its registers, the compiler still spills a few at times, for more threads at once.
    private static final int COMPILERS_CHOICE_BYTES = 32;

    private static final int FLOAT_BYTES = 24;

    /// The scatters of keys of few values have two blocks at once everywhere.
    private static final int BYTE_SCATTER_BYTES = 40;

    private static final CompiledKernels COMPILED = new CompiledKernels();

    private static final int REGISTERS = 65536;
    private static final int WARP_SIZE = 32;
    /// What the compiler itself takes of shared memory for newer architectures; the kernels have no static arrays.
    private static final int RESERVED_SHARED_BYTES = 1024;

    /// A warp gets a multiple of this many registers.
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

        boolean isNewest() {
            return architecture.equals(ARCHITECTURES.getLast());
        }

        /// Pairs without padding, which are moved whole.
        boolean isWholePair() {
            return payload != null && payload.byteSize() == key.byteSize();
        }

        /// Signs and a descending order only change which instruction compares keys.
        boolean isRepresentative() {
            if (!isTuned()) {
                return !isDescending && (architecture.equals(OLDEST) ? isLongKeys() : isNewest() && isPairOfInts());
            }
            if (payload == null) {
                return isDescending ? key == KeyType.F64 : key.isUnsigned() && key != KeyType.U16 || key == KeyType.F32;
            }
            if (isDescending) {
                return false;
            }
            if (isWholePair()) {
                return key == KeyType.U32 || key == KeyType.U64;
            }
            // Pairs of unequal sizes are padded, these by most.
            return key == KeyType.U8 && payload == KeyType.U64;
        }

        private boolean isPairOfInts() {
            return !isStable && key == KeyType.U32 && isWholePair();
        }

        /// Some of the sorts that merge the runs of an input or of what is out of place, and rank the keys of small
        /// runs.
        boolean mergesRuns() {
            return isTuned() && !isStable && isComplete();
        }

        /// Keys and pairs of the largest numbers. All of them is compiled, also what only few sorts need.
        boolean isComplete() {
            return isLongKeys() || isTuned() && key == KeyType.U64 && payload == KeyType.U64;
        }

        /// Whether it is compiled for this case. Pairs have nearly the same splitters as keys alone, which are compiled
        /// for the same architecture but where pairs of ints stand for all. Of merge sorts, which are rare, the same
        /// pairs and keys of the largest numbers are enough.
        boolean has(KernelProgram program) {
            return IS_EVERYTHING
                    || switch (program) {
                        case SPLITTERS -> !isLikeItsKeys();
                        case MERGE_SORT -> isComplete() && payload == null || isPairOfInts() && !isLikeItsKeys();
                        case EXCHANGE -> isComplete() && !isStable;
                        case PAGES -> isComplete() || isTuned() && key == KeyType.U32 && payload == null;
                        default -> isComplete() || program.isNeededAtOnce(false);
                    };
        }

        private boolean isLikeItsKeys() {
            return isWholePair() && isTuned();
        }

        /// Names of kernels that it must have, from each of its programs.
        List<String> kernels() {
            List<String> names =
                    new ArrayList<>(List.of("count_sample", "scatter", "small_sort", "small_sort_largest"));
            if (has(KernelProgram.SPLITTERS)) {
                names.addAll(List.of("select_splitters", "scan_counts"));
            }
            if (has(KernelProgram.MERGE_SORT)) {
                names.add("merge_sort");
            }
            if (mergesRuns()) {
                names.addAll(List.of("find_runs", "cut_runs", "merge_runs", "sort_runs", "cut_parts", "merge_parts"));
                if (has(KernelProgram.MERGE_SORT)) {
                    names.add("rank_runs");
                }
            }
            return names;
        }

        private boolean isLongKeys() {
            return key == KeyType.U64 && payload == null;
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
        Map<KernelProgram, Nvrtc.Program> programs = KernelSource.programs(element, tuning);
        programs.keySet().removeIf(each -> !program.has(each));
        Map<String, Cubin.Resources> kernels = COMPILED.compile(program.toString(), programs.values(), architecture);
        assertThat(kernels).containsKeys(program.kernels().toArray(String[]::new));
        kernels.forEach((name, resources) -> {
            String what = name + ": " + resources;
            assertThat(resources.registers()).as(what).isBetween(1, 255);
            assertThat(resources.sharedBytes())
                    .as("static shared memory of " + what)
                    .isLessThanOrEqualTo(RESERVED_SHARED_BYTES);
            assertLocalMemory(name, resources, spillLimit(name, keyType, architecture));
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
        COMPILED.list(KernelCompilationTest.class);
    }

    /// No spills where the tuning was measured, with exceptions: the merge sort and the largest small sort, which the
    /// rare buckets far above the mean need, the scatter of other compilers, and `float` keys, where the small sort
    /// with more registers is slower.
    private static int spillLimit(String kernel, ElementType key, String architecture) {
        if (isRare(kernel)) {
            return RARE_KERNELS_BYTES;
        }
        if (!architecture.equals(TUNED)) {
            return switch (kernel) {
                case "small_sort", "scatter_to_pages" -> mostLocalBytes(kernel);
                default -> kernel.startsWith("scatter_") ? BYTE_SCATTER_BYTES : COMPILERS_CHOICE_BYTES;
            };
        }
        int limit = mostLocalBytes(kernel);
        return key.equals(ElementType.FLOAT) ? Math.max(FLOAT_BYTES, limit) : limit;
    }

    /// How many blocks the registers of one multiprocessor allow.
    private static int blocks(Cubin.Resources resources, int threads) {
        int perWarp = (resources.registers() * WARP_SIZE + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
        return REGISTERS / perWarp / (threads / WARP_SIZE);
    }
}
