package io.samplesort.gpu;

import io.samplesort.Tuning;
import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The CUDA program of one sort: the kernels, which are the same for all, and one generated header that says what an
/// element is, how keys compare and how the kernels are tuned.
final class KernelSource {
    private static final String PROGRAM = "sample_sort.cu";
    private static final List<String> HEADERS = List.of(
            "float_order.cuh",
            "primitives.cuh",
            "segments.cuh",
            "splitter_tree.cuh",
            "exchange.cuh",
            "merge_path.cuh",
            "block_sort.cuh",
            "queues.cuh",
            "prepare.cuh",
            "select_splitters.cuh",
            "count_buckets.cuh",
            "scan_counts.cuh",
            "scatter.cuh",
            "small_sort.cuh",
            "merge_sort.cuh",
            "find_cuts.cuh",
            "struct_keys.cuh");

    /// The kernels that only sorts by index have.
    private static final String INDEX_HEADER = "gather.cuh";

    /// The oldest NVRTC on which compiling in parallel has been tried.
    private static final int SPLITS_SINCE = 13;

    private KernelSource() {}

    static Nvrtc.Program of(KernelElement element, Tuning tuning) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("config.cuh", config(element, tuning));
        for (String header : HEADERS) {
            headers.put(header, resource(header));
        }
        if (element.sortsIndexes()) {
            headers.put(INDEX_HEADER, resource(INDEX_HEADER));
        }
        return new Nvrtc.Program(PROGRAM, resource(PROGRAM), headers);
    }

    /// How the program is compiled: its kernels in parallel, by an NVRTC that can.
    static List<String> options(String architecture) {
        List<String> options =
                new ArrayList<>(List.of("--gpu-architecture=" + architecture, "--std=c++17", "--generate-line-info"));
        if (Nvrtc.majorVersion() >= SPLITS_SINCE) {
            options.add("--split-compile=0");
        }
        return options;
    }

    private static String config(KernelElement element, Tuning tuning) {
        return """
                // Generated.
                #pragma once
                #include "float_order.cuh"

                %s
                static_assert(sizeof(Key) == %d && sizeof(OrderedKey) == %d, "the host counts another size of a key");
                static_assert(sizeof(Element) == %d, "the host counts another size of an element");

                constexpr int kDistributionThreads = %d;
                constexpr int kDistributionItems = %d;
                constexpr int kDistributionBlocks = %d;
                constexpr int kTileSize = %d;
                constexpr unsigned kMaxBucketCount = %d;
                constexpr int kBucketSlack = %d;
                constexpr int kScanThreads = %d;
                constexpr int kSampleThreads = %d;
                constexpr int kSampleItems = %d;
                constexpr int kSmallSortThreads = %d;
                constexpr int kSmallSortItems = %d;
                constexpr int kSmallSortResidentThreads = %d;
                constexpr unsigned kSmallSortLimit = %d;
                """.formatted(
                        element.declarations(),
                        element.keyBytes(),
                        element.keyBytes(),
                        element.elementBytes(),
                        tuning.distributionThreads(),
                        tuning.distributionItems(),
                        tuning.distributionBlocks(),
                        tuning.tileSize(),
                        tuning.maxBucketCount(),
                        tuning.bucketSlack(),
                        Kernels.SCAN_THREADS,
                        tuning.sampleThreads(),
                        tuning.sampleItems(),
                        tuning.smallSortThreads(),
                        tuning.smallSortItems(),
                        tuning.smallSortResidentThreads(),
                        tuning.smallSortLimit());
    }

    private static String resource(String name) {
        try (InputStream in = KernelSource.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the kernel source " + name + " is missing from the samplesort jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the kernel source " + name, e);
        }
    }
}
