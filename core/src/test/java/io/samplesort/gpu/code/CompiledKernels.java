package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/// Kernels that NVRTC has compiled for tests, and how many bytes of local memory they may take.
final class CompiledKernels {
    /// Whether tests compile every program that users can ask for, or those that may need more registers than the rest.
    static final boolean IS_EVERYTHING = Boolean.getBoolean("tests.everything");

    static final String OLDEST = "sm_75";
    static final List<String> ARCHITECTURES = List.of(OLDEST, "sm_80", "sm_90", "sm_100", "sm_120");

    /// The architecture that the default tuning was measured on.
    static final String TUNED = "sm_90";

    static final int RARE_KERNELS_BYTES = 256;

    /// What the scatter uses once a tile or a segment, which costs about one percent of its time.
    private static final int SCATTER_BYTES = 16;

    /// What the first pass in place uses, mostly once a tile, where it looks for pages: 32 to 64 bytes of most
    /// elements, and this of records with many narrow fields.
    private static final int PAGE_SCATTER_BYTES = 120;

    /// The most that the small sort, or the sort of pieces of runs, keeps there while it divides large cells, which
    /// happens where keys repeat.
    private static final int SMALL_SORT_BYTES = 96;

    /// What the small sort of few numbers keeps there of structs of 16 bytes. The version that was timed did so.
    private static final int FEW_NUMBERS_BYTES = 8;

    /// What the merge of a few sorted runs keeps there of structs of 16 bytes while it cuts a section. They take two
    /// thirds of the time of uniform ones all the same.
    private static final int RUN_MERGE_BYTES = 16;

    /// Merges are faster if a thread has a few elements more than fit its registers.
    private static final int SORTED_BYTES = 32;

    /// What the search for runs keeps there of doubles, whose time was not measured.
    private static final int RUN_SEARCH_BYTES = 64;

    /// One short block for each segment.
    private static final int SCAN_BYTES = 8;

    private static final Path LISTS = Path.of("target", "machine-code");
    private final Set<String> lines = new ConcurrentSkipListSet<>();

    /// Compiles programs; messages name them by `what`.
    ///
    /// @return each kernel by its name
    Map<String, Cubin.Resources> compile(String what, Collection<Nvrtc.Program> programs, String architecture) {
        Map<String, Cubin.Resources> kernels = new HashMap<>();
        for (Nvrtc.Program program : programs) {
            kernels.putAll(Cubin.kernels(Nvrtc.compile(program, KernelSource.options(architecture))));
        }
        kernels.forEach((name, resources) ->
                lines.add("NVRTC " + Nvrtc.versionText() + ", " + what + ", " + name + ": " + resources));
        return kernels;
    }

    /// Lists what was compiled, with a hash of each kernel's machine code: so two builds can be compared.
    void list(Class<?> test) throws IOException {
        Files.createDirectories(LISTS);
        Files.write(LISTS.resolve(test.getSimpleName() + ".txt"), lines);
    }

    static void assertLocalMemory(String kernel, Cubin.Resources resources, int most) {
        assertThat(resources.frameBytes())
                .as("local memory of %s: %s", kernel, resources)
                .isLessThanOrEqualTo(most);
    }

    /// The merge sort and the largest small sort, which the rare buckets far above the mean need.
    static boolean isRare(String kernel) {
        return kernel.equals("merge_sort") || kernel.equals("small_sort_largest");
    }

    /// Returns how many bytes of local memory a thread may take for the architecture of the tuning.
    static int mostLocalBytes(String kernel) {
        return switch (kernel) {
            case "scan_counts" -> SCAN_BYTES;
            case "small_sort", "sort_runs" -> SMALL_SORT_BYTES;
            case "small_sort_few" -> FEW_NUMBERS_BYTES;
            case "merge_runs", "merge_parts" -> RUN_MERGE_BYTES;
            case "merge_sorted", "combine_sorted" -> SORTED_BYTES;
            case "keep_first" -> RUN_SEARCH_BYTES;
            case "scatter_to_pages" -> PAGE_SCATTER_BYTES;
            default -> kernel.startsWith("scatter") ? SCATTER_BYTES : 0;
        };
    }
}
