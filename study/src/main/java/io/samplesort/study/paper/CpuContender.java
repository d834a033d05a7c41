package io.samplesort.study.paper;

import io.samplesort.Sorter;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.KeyType;
import it.unimi.dsi.fastutil.floats.FloatArrays;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrays;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// A sort of arrays on the CPU, which the study measures in addition to the sorts of the GPU.
///
/// @param name    its name in results
/// @param subject what it sorts; the JDK and fastutil sort signed integers instead of unsigned ones
/// @param sort    sorts keys, and payloads if there are any
record CpuContender(String name, Subject subject, Consumer<Elements> sort) {
    static final String OURS = "samplesort-cpu";
    static final String JDK = "Arrays.parallelSort";
    static final String FASTUTIL_RADIX = "fastutil-parallelRadixSort";
    static final String FASTUTIL_QUICK = "fastutil-parallelQuickSort";

    /// The arrays of one measurement.
    ///
    /// @param keys     an `int[]`, `long[]` or `float[]`
    /// @param payloads empty if there are none
    record Elements(Object keys, int[] payloads) {
        static Elements of(Subject subject, int count) {
            Object keys = switch (subject.key()) {
                case U32, I32 -> new int[count];
                case U64, I64 -> new long[count];
                case F32 -> new float[count];
                default -> throw new IllegalArgumentException("the study sorts no " + subject + " on the CPU");
            };
            return new Elements(keys, new int[subject.payload() == null ? 0 : count]);
        }

        MemorySegment keySegment() {
            return switch (keys) {
                case int[] ints -> MemorySegment.ofArray(ints);
                case long[] longs -> MemorySegment.ofArray(longs);
                default -> MemorySegment.ofArray((float[]) keys);
            };
        }

        MemorySegment payloadSegment() {
            return MemorySegment.ofArray(payloads);
        }
    }

    /// Returns the sorts of such elements. The JDK sorts no pairs; fastutil sorts them by key and then by payload.
    ///
    /// @param ours our sorter of them on the CPU
    static List<CpuContender> of(Subject subject, Sorter ours) {
        List<CpuContender> contenders = new ArrayList<>();
        boolean hasPayloads = subject.payload() != null;
        contenders.add(new CpuContender(OURS, subject, elements -> {
            if (hasPayloads) {
                ours.sort(elements.keySegment(), elements.payloadSegment());
            } else {
                ours.sort(elements.keySegment());
            }
        }));
        Subject signed = new Subject(signed(subject.key()), subject.payload(), null);
        if (!hasPayloads) {
            contenders.add(new CpuContender(JDK, signed, elements -> {
                switch (elements.keys) {
                    case int[] ints -> Arrays.parallelSort(ints);
                    case long[] longs -> Arrays.parallelSort(longs);
                    default -> Arrays.parallelSort((float[]) elements.keys);
                }
            }));
        }
        contenders.add(new CpuContender(FASTUTIL_RADIX, signed, elements -> {
            switch (elements.keys) {
                case int[] ints -> {
                    if (hasPayloads) {
                        IntArrays.parallelRadixSort(ints, elements.payloads);
                    } else {
                        IntArrays.parallelRadixSort(ints);
                    }
                }
                case long[] longs -> LongArrays.parallelRadixSort(longs);
                default -> FloatArrays.parallelRadixSort((float[]) elements.keys);
            }
        }));
        contenders.add(new CpuContender(FASTUTIL_QUICK, signed, elements -> {
            switch (elements.keys) {
                case int[] ints -> {
                    if (hasPayloads) {
                        IntArrays.parallelQuickSort(ints, elements.payloads);
                    } else {
                        IntArrays.parallelQuickSort(ints);
                    }
                }
                case long[] longs -> LongArrays.parallelQuickSort(longs);
                default -> FloatArrays.parallelQuickSort((float[]) elements.keys);
            }
        }));
        return contenders;
    }

    private static KeyType signed(KeyType type) {
        return switch (type) {
            case U32 -> KeyType.I32;
            case U64 -> KeyType.I64;
            default -> type;
        };
    }
}
