package io.samplesort.cpu.numbers;

import io.samplesort.ContractTypes;
import io.samplesort.SampleSort;
import io.samplesort.SortContract;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The contract on the CPU engine as users get it.
class CpuDefaultTuningTest extends SortContract {
    private static final List<String> FEW =
            List.of("u8", "i32", "f64 descending", "i32 with u32", "u64 with i64", "f32 with u32 descending");

    /// Keys of one byte, those that kernels sort as they are, and those that are encoded; with both sizes of payloads.
    @Override
    protected List<Case> cases() {
        return allCases().stream()
                .filter(sorted -> FEW.contains(sorted.toString()))
                .toList();
    }

    /// Returns the cases that this test leaves out.
    static List<Case> otherCases() {
        return allCases().stream()
                .filter(sorted -> !FEW.contains(sorted.toString()))
                .toList();
    }

    @Override
    protected Engine engine(KeyType key, KeyType payload, boolean isDescending) {
        SorterBuilder builder = SampleSort.onCpu().order(ContractTypes.order(key, isDescending));
        if (payload != null) {
            builder.payload(ContractTypes.elementType(payload));
        }
        Sorter sorter = builder.build(ContractTypes.elementType(key));
        return new Engine() {
            @Override
            public void sort(MemorySegment keys, MemorySegment payloads) {
                if (payloads == null) {
                    sorter.sort(keys);
                } else {
                    sorter.sort(keys, payloads);
                }
            }

            @Override
            public void close() {
                sorter.close();
            }
        };
    }

    @Override
    protected int[] edgeSizes() {
        return new int[] {0, 1, (1 << 14) - 1, (1 << 14) + 1, (1 << 15) - 1, 1 << 15, (1 << 15) + 1, 3 << 14};
    }

    @Override
    protected int largeSize() {
        return 150_000;
    }
}
