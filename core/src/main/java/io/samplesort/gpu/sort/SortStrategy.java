package io.samplesort.gpu.sort;

import io.samplesort.gpu.launch.WorkspaceLayout;

/// One way to sort a given number of elements on a device: its passes, the memory that it works in, and its launches.
/// All of it follows from the number of elements, their kind and the tuning. [Strategies] chooses one. A program that
/// sorts equally many elements again uses the same object, so that its launches are repeated ([RepeatedSorts]).
public abstract class SortStrategy {
    private final long elementCount;
    private final int passes;
    private final int rounds;

    /// @param passes how many distribution passes it makes
    /// @param rounds how often it reads and writes each element
    SortStrategy(long elementCount, int passes, int rounds) {
        this.elementCount = elementCount;
        this.passes = passes;
        this.rounds = rounds;
    }

    /// Returns how many elements it sorts.
    public final long elementCount() {
        return elementCount;
    }

    /// Returns how many distribution passes it makes.
    public final int passes() {
        return passes;
    }

    /// Returns how often it reads and writes each element.
    public final int rounds() {
        return rounds;
    }

    /// Returns the device memory that it takes beside its input.
    public abstract WorkspaceLayout memory();

    /// Returns the bytes of that memory.
    public final long byteSize() {
        return memory().byteSize();
    }

    /// Returns whether it only reads its input until it writes the result. Otherwise they have to be the same array.
    public boolean leavesInput() {
        return true;
    }

    /// Returns a way to sort fewer elements, or equally many, that takes no more memory. The one that is fastest for
    /// them might.
    public abstract SortStrategy forFewer(long count);

    /// Puts the sort on a stream, and takes its memory there. It tells the host the size of the largest bucket, where
    /// that is known, and makes its launches in [SortCall#launch], which keeps them for the next sort of the kind.
    public abstract void enqueue(SortCall call);
}
