package io.samplesort.gpu.sort;

import io.samplesort.gpu.launch.WorkspaceLayout;

/// One way to sort a given number of elements on a device: its passes, the memory that it works in, and its launches.
/// All of it follows from the number of elements, their kind and the tuning. [Strategies] chooses one. A program that
/// sorts the same number of elements again uses the same object, so that its launches are repeated ([RepeatedSorts]).
public abstract class SortStrategy {
    private final long elementCount;
    private final int passes;
    private final int rounds;

    /// @param passes how many distribution passes the sort makes
    /// @param rounds how often the sort reads and writes each element
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

    /// Returns the device memory that the sort takes in addition to its input.
    public abstract WorkspaceLayout memory();

    /// Returns the bytes of that memory.
    public final long byteSize() {
        return memory().byteSize();
    }

    /// Returns whether the sort leaves its input unchanged. If not, input and result have to be the same array.
    public boolean leavesInput() {
        return true;
    }

    /// Returns a way to sort this many elements, at most as many as this one sorts, that takes no more memory. The
    /// fastest way for them might take more.
    public abstract SortStrategy forFewer(long count);

    /// Puts the sort on a stream, and takes its memory there. It tells the host the size of the largest bucket, if that
    /// is known, and makes its launches in [SortCall#launch], which keeps them for the next sort of the kind.
    public abstract void enqueue(SortCall call);
}
