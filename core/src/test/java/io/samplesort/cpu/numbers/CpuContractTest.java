package io.samplesort.cpu.numbers;

import io.samplesort.ContractTypes;
import io.samplesort.SortContract;
import io.samplesort.testkit.KeyType;
import java.lang.foreign.MemorySegment;

/// The contract on the CPU engine, with buckets so small that thousands of elements take several passes.
class CpuContractTest extends SortContract {
    @Override
    protected Engine engine(KeyType key, KeyType payload, boolean isDescending) {
        CpuSorter sorter = SortCase.sorter(
                ContractTypes.elementType(key),
                ContractTypes.elementType(payload),
                ContractTypes.order(key, isDescending),
                SortCase.TINY,
                3);
        return new Engine() {
            @Override
            public void sort(MemorySegment keys, MemorySegment payloads) {
                sorter.sort(keys, payloads);
            }

            @Override
            public void close() {
                sorter.close();
            }
        };
    }

    @Override
    protected int[] edgeSizes() {
        return new int[] {
            0, 1, 2, 5, 6, 15, 16, 17, 24, 25, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513, 1000, 4095
        };
    }

    @Override
    protected int largeSize() {
        return 20_000;
    }
}
