package io.samplesort.gpu;

import io.samplesort.ElementType;
import io.samplesort.NaturalOrder;
import io.samplesort.Order;
import io.samplesort.Tuning;
import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
            "merge_sort.cuh");

    private KernelSource() {}

    /// @param payload null where elements have no payload
    static Nvrtc.Program of(ElementType key, ElementType payload, Order order, Tuning tuning) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("config.cuh", config(key, payload, order, tuning));
        for (String header : HEADERS) {
            headers.put(header, resource(header));
        }
        return new Nvrtc.Program(PROGRAM, resource(PROGRAM), headers);
    }

    private static String config(ElementType key, ElementType payload, Order order, Tuning tuning) {
        return """
                // Generated for %s keys%s, %s order.
                #pragma once
                #include "float_order.cuh"

                typedef %s Key;
                // A key as it is compared.
                typedef %s OrderedKey;
                static_assert(sizeof(Key) == %d && sizeof(OrderedKey) == %d, "the host counts another size of a key");
                #define HAS_PAYLOAD %d
                typedef %s Payload;
                // A pair has no padding, which the compiler would carry along byte by byte.
                struct Element {
                    %s key;
                #if HAS_PAYLOAD
                    %s payload;
                #endif
                };
                static_assert(sizeof(Element) == %d, "the host counts another size of an element");

                typedef decltype(Element::key) KeySlot;
                __device__ __forceinline__ bool less(KeySlot a, KeySlot b) {
                    return %s;
                }

                // Whether an OrderedKey has other bits than its Key.
                constexpr bool kKeysAreMapped = %s;
                // No key sorts after it.
                constexpr OrderedKey kGreatestKey = (OrderedKey)%s;

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
                key,
                payload == null ? "" : " with " + payload + " payload",
                order,
                keyTypeName(key, order),
                integerTypeName(key.byteSize(), isUnsigned(key, order)),
                key.byteSize(),
                key.byteSize(),
                payload == null ? 0 : 1,
                payload == null ? "unsigned char" : bitsTypeName(payload.byteSize()),
                integerTypeName(payload == null ? key.byteSize() : slotBytes(key, payload), isUnsigned(key, order)),
                bitsTypeName(payload == null ? 1 : slotBytes(key, payload)),
                elementBytes(key, payload),
                ((NaturalOrder) order).isReversed() ? "b < a" : "a < b",
                key.equals(ElementType.FLOAT) || key.equals(ElementType.DOUBLE),
                greatestKey(key, order),
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

    /// Bytes of an element in registers and shared memory: the key alone, or key and payload in two slots of one size.
    static int elementBytes(ElementType key, ElementType payload) {
        return payload == null ? key.byteSize() : 2 * slotBytes(key, payload);
    }

    private static int slotBytes(ElementType key, ElementType payload) {
        return Math.max(Integer.BYTES, Math.max(key.byteSize(), payload.byteSize()));
    }

    private static String keyTypeName(ElementType key, Order order) {
        if (key.equals(ElementType.FLOAT)) {
            return "float";
        }
        if (key.equals(ElementType.DOUBLE)) {
            return "double";
        }
        return integerTypeName(key.byteSize(), isUnsigned(key, order));
    }

    /// Whether keys are compared as unsigned integers, as floating-point numbers are (float_order.cuh).
    private static boolean isUnsigned(ElementType key, Order order) {
        return key.equals(ElementType.CHAR)
                || key.equals(ElementType.FLOAT)
                || key.equals(ElementType.DOUBLE)
                || (order instanceof NaturalOrder builtIn && builtIn.isUnsigned());
    }

    private static String greatestKey(ElementType key, Order order) {
        NaturalOrder builtIn = (NaturalOrder) order;
        int unusedBits = Long.SIZE - Byte.SIZE * key.byteSize();
        long greatest = isUnsigned(key, order) ? -1L >>> unusedBits : Long.MAX_VALUE >> unusedBits;
        long smallest = isUnsigned(key, order) ? 0 : Long.MIN_VALUE >> unusedBits;
        return Long.toUnsignedString(builtIn.isReversed() ? smallest : greatest) + "ull";
    }

    private static String integerTypeName(int bytes, boolean isUnsigned) {
        return isUnsigned ? bitsTypeName(bytes) : bitsTypeName(bytes).replace("unsigned", "signed");
    }

    private static String bitsTypeName(int bytes) {
        return switch (bytes) {
            case 1 -> "unsigned char";
            case 2 -> "unsigned short";
            case 4 -> "unsigned int";
            case 8 -> "unsigned long long";
            default -> throw new IllegalArgumentException("no CUDA type of " + bytes + " bytes");
        };
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
