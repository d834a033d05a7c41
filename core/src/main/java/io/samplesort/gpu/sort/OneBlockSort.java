package io.samplesort.gpu.sort;

import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.WorkspaceLayout;
import io.samplesort.types.Tuning;

/// Sorts so few elements that one block takes them all, in place and without any additional memory.
public final class OneBlockSort extends SortStrategy {
    OneBlockSort(long count) {
        super(count, 0, 1);
    }

    /// Returns a sort of this many elements in this way; null if they are too many.
    static OneBlockSort of(long count, Tuning tuning) {
        return canSort(count, tuning) ? new OneBlockSort(count) : null;
    }

    /// Returns whether one block can sort this many elements.
    static boolean canSort(long count, Tuning tuning) {
        return count <= tuning.smallSortLimit();
    }

    @Override
    public WorkspaceLayout memory() {
        return WorkspaceLayout.NONE;
    }

    @Override
    public boolean leavesInput() {
        return false;
    }

    @Override
    public SortStrategy forFewer(long count) {
        return new OneBlockSort(count);
    }

    @Override
    public void enqueue(SortCall call) {
        call.host().tellBucket(elementCount());
        if (elementCount() > 0) {
            call.launch(this, 0, () -> {
                call.timer().phase("small_sort");
                DeviceElements elements = call.output();
                call.kernels().dividing().sortParts(call.on(), elements, elements, elementCount(), elementCount());
            });
        }
    }
}
