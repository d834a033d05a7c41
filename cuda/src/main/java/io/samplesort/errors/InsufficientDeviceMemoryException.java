package io.samplesort.errors;

/// Thrown when the GPU has too little free memory for a sort, before anything is changed.
public class InsufficientDeviceMemoryException extends SampleSortException {
    private static final long serialVersionUID = 1L;

    private final long neededBytes;
    private final long freeBytes;

    public InsufficientDeviceMemoryException(String what, long neededBytes, long freeBytes) {
        super(what + " needs " + neededBytes + " bytes of device memory and may take " + freeBytes
                + ": free some, raise the limit if you have set one, take fewer elements, or use the CPU");
        this.neededBytes = neededBytes;
        this.freeBytes = freeBytes;
    }

    /// Returns how many bytes the sort needs.
    public long neededBytes() {
        return neededBytes;
    }

    /// Returns how many bytes were free, or were left of the limit for this sort.
    public long freeBytes() {
        return freeBytes;
    }
}
