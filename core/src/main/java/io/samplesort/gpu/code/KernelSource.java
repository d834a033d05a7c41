package io.samplesort.gpu.code;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/// The CUDA sources of one sort: the kernels, which are the same for all sorts, and two generated headers. `config.cuh`
/// comes first and says what an element is, how keys compare and how the kernels are tuned. `host_agrees.cuh` comes
/// last and has the compiler check what the host takes for granted about the kernels ([HostAgreement]).
public final class KernelSource {
    private static final List<String> SHARED_HEADERS = List.of(
            "sample_sort.cuh",
            "parts/float_order.cuh",
            "parts/basics.cuh",
            "parts/primitives.cuh",
            "parts/segments.cuh",
            "parts/rooms.cuh",
            "parts/sample.cuh",
            "parts/order_search.cuh",
            "parts/order_spans.cuh",
            "parts/counted_keys.cuh",
            "parts/bucket_order.cuh",
            "parts/scatter_tiles.cuh",
            "parts/ordered_tiles.cuh",
            "parts/splitter_choice.cuh",
            "parts/segment_scan.cuh",
            "parts/pages.cuh",
            "parts/page_store.cuh",
            "parts/last_begin.cuh",
            "parts/region_plan.cuh",
            "parts/to_pages.cuh",
            "parts/counted_ranks.cuh",
            "parts/key_values.cuh",
            "parts/key_words.cuh",
            "parts/value_cursor.cuh",
            "parts/byte_counts.cuh",
            "parts/byte_scatter.cuh",
            "parts/ordered_ranks.cuh",
            "parts/tile_chain.cuh",
            "parts/splitter_questions.cuh",
            "parts/splitter_tree.cuh",
            "parts/exchange.cuh",
            "parts/merge_path.cuh",
            "parts/lane_networks.cuh",
            "parts/rotated_merge.cuh",
            "parts/block_sort.cuh",
            "parts/placed_keys.cuh",
            "parts/cell_map.cuh",
            "parts/cell_counts.cuh",
            "parts/cell_rounds.cuh",
            "parts/both_numbers.cuh",
            "parts/few_numbers.cuh",
            "parts/next_bucket.cuh",
            "parts/piece.cuh",
            "parts/ahead_sort.cuh",
            "parts/noted_cells.cuh",
            "parts/word_rounds.cuh",
            "parts/word_exchanges.cuh",
            "parts/large_cells.cuh",
            "parts/second_cells.cuh",
            "parts/number_index.cuh",
            "parts/own_counters.cuh",
            "parts/value_map.cuh",
            "parts/spread_neighbours.cuh",
            "parts/cell_sort.cuh",
            "parts/queue_sort.cuh",
            "parts/repeat_sort.cuh",
            "parts/frequent_numbers.cuh",
            "parts/wide_map.cuh",
            "parts/value_cells.cuh",
            "parts/splitter_grid.cuh",
            "parts/frequent_bucket.cuh",
            "parts/queues.cuh",
            "parts/struct_keys.cuh",
            "parts/uneven_buckets.cuh",
            "parts/user_indexes.cuh",
            "parts/border_classes.cuh",
            "parts/run_search.cuh",
            "parts/run_pieces.cuh",
            "parts/gathered_pieces.cuh",
            "parts/run_sections.cuh",
            "parts/section_merge.cuh",
            "parts/gpu_parts.cuh");

    /// The first header of each program.
    public static final String CONFIG_FILE = "config.cuh";

    /// The oldest NVRTC on which we have tried to compile in parallel.
    private static final int SPLITS_SINCE = 13;

    /// Where the kernels lie in the jar. Each phase has a file there, and so has each part that phases are made of.
    private static final String FOLDER = "/io/samplesort/gpu/";

    private static final String REAL_ARCHITECTURE = "sm_";

    /// From this architecture on, NVRTC 13.0 and 13.1 make different code in each process when they compile in
    /// parallel, in some kernels with half as many registers again (docs/tuning-log.md).
    private static final int VARIES_SINCE = 100;

    /// Has the compiler say which line each instruction comes from, for profilers and sanitizers. The machine code
    /// stays the same and takes three times the space.
    private static final String LINES_PROPERTY = "samplesort.kernels.lines";

    private static final Map<String, SourceFile> FILES = new ConcurrentHashMap<>();

    /// A file of the kernels.
    ///
    /// @param stamp what stands for its text: its length and two checksums of other kinds, each of which misses one
    ///     change in four billion
    private record SourceFile(String text, String stamp) {
        static SourceFile of(byte[] bytes) {
            CRC32 first = new CRC32();
            first.update(bytes);
            CRC32C second = new CRC32C();
            second.update(bytes);
            String stamp = bytes.length + " " + first.getValue() + " " + second.getValue();
            return new SourceFile(new String(bytes, StandardCharsets.UTF_8), stamp);
        }
    }

    private KernelSource() {}

    /// Reads the sources that all sorts have, once in a process, for callers who wait for something else anyway.
    public static void load() {
        SHARED_HEADERS.forEach(KernelSource::text);
        for (KernelProgram program : KernelProgram.values()) {
            program.phases().forEach(KernelSource::text);
        }
    }

    /// Returns a checksum of all sources, which stands for a version of the kernels.
    public static int checksum() {
        CRC32C checksum = new CRC32C();
        for (String file : files()) {
            checksum.update(file(file).stamp.getBytes(StandardCharsets.UTF_8));
        }
        return (int) checksum.getValue();
    }

    /// Returns the names of all files, those of kernels that only some sorts have included.
    static List<String> files() {
        List<String> files = new ArrayList<>(SHARED_HEADERS);
        for (KernelProgram program : KernelProgram.values()) {
            files.addAll(program.everyPhase());
        }
        return files;
    }

    /// Returns all programs of a sort.
    public static Map<KernelProgram, Nvrtc.Program> programs(KernelElement element, Tuning tuning) {
        Map<String, String> shared = new LinkedHashMap<>();
        shared.put(CONFIG_FILE, config(element, tuning));
        SHARED_HEADERS.forEach(header -> shared.put(header, text(header)));
        Map<KernelProgram, Nvrtc.Program> programs = new EnumMap<>(KernelProgram.class);
        for (KernelProgram program : KernelProgram.of(element, tuning)) {
            StringBuilder source = new StringBuilder("#include \"sample_sort.cuh\"\n");
            Map<String, String> headers = new LinkedHashMap<>(shared);
            for (String phase : program.phases(element, tuning)) {
                source.append("#include \"").append(phase).append("\"\n");
                headers.put(phase, text(phase));
            }
            source.append("#include \"").append(HostAgreement.FILE).append("\"\n");
            headers.put(HostAgreement.FILE, HostAgreement.text(program, element, tuning));
            String name = program.name().toLowerCase(Locale.ROOT) + ".cu";
            programs.put(program, new Nvrtc.Program(name, source.toString(), headers));
        }
        return programs;
    }

    /// Returns how a program is compiled. Its kernels are compiled in parallel where NVRTC can do so and makes the same
    /// code each time.
    public static List<String> options(String architecture) {
        List<String> options = new ArrayList<>(plainOptions(architecture));
        if (hasLines()) {
            options.add("--generate-line-info");
        }
        int number = Integer.parseInt(architecture.substring(REAL_ARCHITECTURE.length()));
        if (Nvrtc.majorVersion() >= SPLITS_SINCE && number < VARIES_SINCE) {
            options.add("--split-compile=0");
        }
        return options;
    }

    public static boolean hasLines() {
        return Boolean.getBoolean(LINES_PROPERTY);
    }

    /// Returns how a program is compiled that shall be the same each time, whatever compiles it: in one piece.
    public static List<String> plainOptions(String architecture) {
        return List.of("--gpu-architecture=" + architecture, "--std=c++17");
    }

    private static String config(KernelElement element, Tuning tuning) {
        SharedMemory sharedMemory = new SharedMemory(element, tuning);
        return """
                // Generated.
                #pragma once
                #include "parts/float_order.cuh"

                %s
                // What the host needs as well (KernelConstants).
                constexpr unsigned kWarpSize = %d;
                constexpr int kOrderThreads = %d;
                constexpr unsigned kRankThreads = %d;
                constexpr unsigned kMostRuns = %d;
                constexpr int kScanThreads = %d;
                constexpr unsigned kBoundOversampling = %d;
                constexpr int kCountedItems = %d;
                constexpr unsigned kRoomUnit = %d;
                constexpr unsigned kMaxGroups = %d;
                constexpr unsigned kNarrowCountBits = %d;
                constexpr unsigned kMaxPasses = %d;
                constexpr unsigned kMaxMergeRounds = %d;
                constexpr unsigned kMaxRuns = %d;
                constexpr unsigned kGatherThreads = %d;
                constexpr unsigned kGatherTileUnits = %d;
                constexpr unsigned kMaxGpus = %d;
                constexpr int kExchangeThreads = %d;
                constexpr int kExchangeItems = %d;
                constexpr unsigned kPageThreads = %d;
                constexpr unsigned kPageBits = %d;
                constexpr unsigned kSizeClassCount = %d;

                // Whether elements are moved such that equal ones keep their order.
                #define KEEPS_ORDER %d
                constexpr bool kKeepsOrder = KEEPS_ORDER;
                constexpr int kDistributionThreads = %d;
                constexpr int kDistributionItems = %d;
                constexpr int kDistributionBlocks = %d;
                constexpr int kTileSize = %d;
                constexpr unsigned kMaxBucketCount = %d;
                constexpr unsigned kGridCellsOfBucket = %d;
                constexpr int kSampleThreads = %d;
                constexpr int kSampleItems = %d;
                constexpr int kSampleBuffers = %d;
                constexpr int kSmallSortThreads = %d;
                constexpr int kSmallSortItems = %d;
                constexpr unsigned kSmallSortCells = %d;
                constexpr unsigned kLargestSortCells = %d;
                // Whether blocks of the small sort have memory to find the next bucket while they sort one.
                constexpr bool kMayFindAhead = %b;
                // Whether buckets with few different numbers have queues and a kernel of their own.
                #define TELLS_FEW_NUMBERS %d
                constexpr int kSmallSortBuffers = %d;
                constexpr int kLargestSortBuffers = %d;
                constexpr int kSmallSortResidentThreads = %d;
                constexpr unsigned kSmallSortLimit = %d;
                // Whether inputs that consist of a few sorted runs are merged.
                constexpr bool kMergesRuns = %b;
                %s""".formatted(
                        element.declarations(),
                        KernelConstants.WARP_SIZE,
                        KernelConstants.ORDER_THREADS,
                        KernelConstants.RANK_THREADS,
                        KernelConstants.MOST_RUNS,
                        KernelConstants.SCAN_THREADS,
                        KernelConstants.BOUND_OVERSAMPLING,
                        KernelConstants.COUNTED_ITEMS,
                        KernelConstants.ROOM_UNIT,
                        KernelConstants.MAX_GROUPS,
                        KernelConstants.NARROW_COUNT_BITS,
                        KernelConstants.MAX_PASSES,
                        KernelConstants.MAX_MERGE_ROUNDS,
                        KernelConstants.MAX_RUNS,
                        KernelConstants.GATHER_THREADS,
                        KernelConstants.GATHER_TILE_UNITS,
                        KernelConstants.MAX_GPUS,
                        KernelConstants.EXCHANGE_THREADS,
                        KernelConstants.EXCHANGE_ITEMS,
                        KernelConstants.PAGE_THREADS,
                        KernelConstants.PAGE_BITS,
                        SizeClasses.COUNT,
                        element.keepsOrder() ? 1 : 0,
                        tuning.distributionThreads(),
                        tuning.distributionItems(),
                        tuning.distributionBlocks(),
                        tuning.tileSize(),
                        tuning.maxBucketCount(),
                        tuning.gridCells(),
                        tuning.sampleThreads(),
                        tuning.sampleItems(),
                        sharedMemory.sampleBuffers(),
                        tuning.smallSortThreads(),
                        tuning.smallSortItems(),
                        tuning.smallSortCells(),
                        sharedMemory.largestSortCells(),
                        sharedMemory.mayFindAhead(),
                        sharedMemory.tellsFewNumbers() ? 1 : 0,
                        sharedMemory.smallSortBuffers(0),
                        sharedMemory.smallSortBuffers(SizeClasses.LARGEST),
                        tuning.smallSortResidentThreads(),
                        tuning.smallSortLimit(),
                        element.mergesRuns(tuning),
                        (element.hasFewValues() ? valueConstants(element) : "")
                                + (element.mergesRuns(tuning) ? runConstants(sharedMemory) : ""));
    }

    /// Returns the constants that only the kernels that count values use.
    private static String valueConstants(KernelElement element) {
        return """
                constexpr int kCountThreads = %d;
                constexpr unsigned kValueScanThreads = %d;
                constexpr int kFillThreads = %d;
                """.formatted(KernelConstants.COUNT_THREADS, element.valueScanThreads(), KernelConstants.FILL_THREADS);
    }

    /// Returns the constants that only the kernels that merge sorted runs use.
    private static String runConstants(SharedMemory sharedMemory) {
        return """
                constexpr int kMergeRunsThreads = %d;
                constexpr unsigned kCutSlots = %d;
                """.formatted(sharedMemory.mergeRunsThreads(), KernelConstants.CUT_SLOTS);
    }

    /// Returns the text of a file of the kernels.
    static String text(String name) {
        return file(name).text;
    }

    /// Returns what stands for the text of a header that is a file of the kernels: the text is the same as long as this
    /// is, and it is short. Returns null if the header has another text, as one that was made for a program.
    @SuppressWarnings("ReferenceEquality") // To compare the text of all files takes a young process long.
    public static String stamp(String header, String text) {
        SourceFile file = FILES.get(header);
        return file != null && file.text == text ? file.stamp : null;
    }

    private static SourceFile file(String name) {
        return FILES.computeIfAbsent(name, KernelSource::read);
    }

    private static SourceFile read(String name) {
        try (InputStream in = KernelSource.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the kernel source " + name + " is missing from the samplesort jar");
            }
            return SourceFile.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the kernel source " + name, e);
        }
    }
}
