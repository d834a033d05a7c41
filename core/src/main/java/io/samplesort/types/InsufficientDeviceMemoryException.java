package io.samplesort.types;

/// The GPU has not enough free memory for a sort. Thrown before anything is changed.
public class InsufficientDeviceMemoryException extends SampleSortException {
    private static final long serialVersionUID = 1L;

    private final long neededBytes;
    private final long freeBytes;

    public InsufficientDeviceMemoryException(String what, long neededBytes, long freeBytes) {
        super(what + " needs " + neededBytes + " bytes of device memory and " + freeBytes
                + " are free: free some, sort fewer elements, or use the CPU");
        this.neededBytes = neededBytes;
        this.freeBytes = freeBytes;
    }

    /// Bytes the sort needs.
    public long neededBytes() {
        return neededBytes;
    }

    /// Bytes that were free.
    public long freeBytes() {
        return freeBytes;
    }
}
