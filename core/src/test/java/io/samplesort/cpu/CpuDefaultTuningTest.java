package io.samplesort.cpu;

import io.samplesort.ContractTypes;
import io.samplesort.SampleSort;
import io.samplesort.SortContract;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.MemorySegment;

/// The contract on the CPU engine as users get it.
class CpuDefaultTuningTest extends SortContract {
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
