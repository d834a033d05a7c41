package io.samplesort.bench.workload;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Room in device memory for the order that contenders find, and its check.
public final class DevicePermutation implements AutoCloseable {
    private final DeviceMemory memory;
    private final int[] order;

    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public DevicePermutation(Device gpu, int count) {
        memory = DeviceMemory.allocate(gpu, (long) count * Integer.BYTES);
        order = new int[count];
    }

    /// Compares elements by their indexes.
    @FunctionalInterface
    public interface IndexComparator {
        int compare(int i, int j);
    }

    public DeviceMemory memory() {
        return memory;
    }

    /// Makes the permutation wrong, so that no contender benefits from the result of another.
    public void forget() {
        Arrays.fill(order, -1);
        memory.copyFrom(MemorySegment.ofArray(order));
    }

    /// Returns whether the permutation has each index once and puts all elements in order, equal ones by their indexes.
    public boolean isSorted(IndexComparator comparator) {
        memory.copyTo(MemorySegment.ofArray(order));
        boolean[] seen = new boolean[order.length];
        for (int index : order) {
            if (index < 0 || index >= order.length || seen[index]) {
                return false;
            }
            seen[index] = true;
        }
        return IntStream.range(1, order.length).parallel().allMatch(i -> {
            int compared = comparator.compare(order[i - 1], order[i]);
            return compared < 0 || compared == 0 && order[i - 1] < order[i];
        });
    }

    /// Returns the permutation that was checked last.
    public int[] checked() {
        return order;
    }

    @Override
    public void close() {
        memory.close();
    }
}
