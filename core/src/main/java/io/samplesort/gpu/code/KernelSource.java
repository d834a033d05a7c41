package io.samplesort.gpu.code;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.types.Tuning;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;

/// The CUDA sources of one sort: the kernels, which are the same for all sorts ([KernelFiles]), and two generated
/// headers. `config.cuh` says what an element is, how keys compare and how the kernels are tuned; the other files
/// include it. `host_agrees.cuh` comes last, and with it the compiler checks the host's assumptions about the kernels
/// ([HostAgreement]).
public final class KernelSource {
    /// The generated header that the kernels include.
    public static final String CONFIG_FILE = "config.cuh";

    /// What `config.cuh` includes: always the first, and the second if keys have several words.
    private static final String FLOAT_ORDER = "parts/float_order.cuh";

    private static final String STRUCT_KEYS = "parts/struct_keys.cuh";

    /// The oldest version of NVRTC on which compiling in parallel has been tried.
    private static final int SPLITS_SINCE = 13;

    private static final String REAL_ARCHITECTURE = "sm_";

    /// From this architecture on, NVRTC 13.0 and 13.1 make different code in each process when they compile in
    /// parallel, in some kernels with half as many registers again.
    private static final int VARIES_SINCE = 100;

    /// The system property that makes the compiler record the line of each instruction, for profilers and sanitizers.
    /// The instructions stay the same; the machine code takes three times the space.
    private static final String LINES_PROPERTY = "samplesort.kernels.lines";

    private KernelSource() {}

    /// Reads the sources that all sorts use, once in a process. Callers do this while they wait for something else.
    public static void load() {
        Map<String, String> texts = withoutConfig();
        for (KernelProgram program : KernelProgram.values()) {
            KernelFiles.addTo(texts, program.phases());
        }
    }

    /// Returns a checksum of all sources, which identifies a version of the kernels.
    public static int checksum() {
        CRC32C checksum = new CRC32C();
        for (String file : files()) {
            checksum.update(KernelFiles.stamp(file).getBytes(StandardCharsets.UTF_8));
        }
        return (int) checksum.getValue();
    }

    /// Returns the names of all files, including those of kernels that only some sorts use.
    static List<String> files() {
        Map<String, String> texts = withoutConfig();
        for (KernelProgram program : KernelProgram.values()) {
            KernelFiles.addTo(texts, program.everyPhase());
        }
        texts.remove(CONFIG_FILE);
        return List.copyOf(texts.keySet());
    }

    /// Returns a map that has all files that the generated header may include. Texts that include this header can be
    /// added to it.
    private static Map<String, String> withoutConfig() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(CONFIG_FILE, "");
        KernelFiles.addTo(texts, List.of(FLOAT_ORDER, STRUCT_KEYS));
        return texts;
    }

    /// Returns all programs of a sort.
    public static Map<KernelProgram, Nvrtc.Program> programs(KernelElement element, Tuning tuning) {
        String config = config(element, tuning);
        Map<KernelProgram, Nvrtc.Program> programs = new EnumMap<>(KernelProgram.class);
        for (KernelProgram program : KernelProgram.of(element, tuning)) {
            programs.put(
                    program,
                    program(
                            program.name().toLowerCase(Locale.ROOT),
                            config,
                            program.phases(element, tuning),
                            HostAgreement.text(program, element, tuning)));
        }
        return programs;
    }

    /// Returns a program of the kernels in `phases`. The compiler gets the files that these include, and no others.
    static Nvrtc.Program program(String title, String config, List<String> phases, String agreement) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(CONFIG_FILE, config);
        KernelFiles.addTo(headers, KernelFiles.included(config));
        KernelFiles.addTo(headers, phases);
        headers.put(HostAgreement.FILE, agreement);
        StringBuilder source = new StringBuilder();
        for (String phase : phases) {
            source.append("#include \"").append(phase).append("\"\n");
        }
        source.append("#include \"").append(HostAgreement.FILE).append("\"\n");
        return new Nvrtc.Program(title + ".cu", source.toString(), headers);
    }

    /// Returns how a program is compiled. Its kernels are compiled in parallel if NVRTC can do so and makes the same
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

    /// Returns how a program is compiled whose code must be the same every time, on any machine: in one piece.
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
                constexpr unsigned kPageThreads = %d;
                constexpr unsigned kPageBits = %d;
                constexpr unsigned kSizeClassCount = %d;
                constexpr int kSegmentThreads = %d;
                constexpr int kSegmentCountThreads = %d;
                constexpr int kListThreads = %d;
                constexpr unsigned kListBlocks = %d;
                constexpr unsigned kMostClasses = %d;
                constexpr unsigned kMostHuge = %d;

                // Whether equal elements keep their order when they are moved.
                #define KEEPS_ORDER %d
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
                constexpr bool kTellsFewNumbers = %b;
                constexpr int kSmallSortBuffers = %d;
                constexpr int kLargestSortBuffers = %d;
                constexpr int kSmallSortResidentThreads = %d;
                constexpr unsigned kSmallSortLimit = %d;
                // The most elements of a segment that one lane sorts, and that a warp sorts for each of its lanes.
                constexpr unsigned kLaneItems = %d;
                constexpr unsigned kShortItems = %d;
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
                        KernelConstants.PAGE_THREADS,
                        KernelConstants.PAGE_BITS,
                        SizeClasses.COUNT,
                        KernelConstants.SEGMENT_THREADS,
                        KernelConstants.SEGMENT_COUNT_THREADS,
                        KernelConstants.LIST_THREADS,
                        KernelConstants.LIST_BLOCKS,
                        KernelConstants.MOST_CLASSES,
                        KernelConstants.MOST_HUGE,
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
                        sharedMemory.tellsFewNumbers(),
                        sharedMemory.smallSortBuffers(0),
                        sharedMemory.smallSortBuffers(SizeClasses.LARGEST),
                        tuning.smallSortResidentThreads(),
                        tuning.smallSortLimit(),
                        element.laneItems(),
                        element.shortItems(),
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
}
