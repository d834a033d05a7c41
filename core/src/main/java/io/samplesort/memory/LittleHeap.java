package io.samplesort.memory;

/// What to tell where the Java heap has too little room for what a sort keeps for each element: the virtual machine
/// itself says nothing but "Java heap space".
public final class LittleHeap {
    private LittleHeap() {}

    /// Returns an error that says how much a sort takes of the heap, and what to do; `failure` itself if it is about
    /// other memory, or says so already.
    ///
    /// @param failure   of an allocation
    /// @param what      took the heap, such as "a sort of 5 rows"
    /// @param bytes     how much of the heap it takes, about
    /// @param otherwise what to do where Java cannot be given more
    public static OutOfMemoryError told(OutOfMemoryError failure, String what, long bytes, String otherwise) {
        if (!isOfHeap(failure.getMessage())) {
            return failure;
        }
        OutOfMemoryError told = new OutOfMemoryError(what + " takes about " + bytes
                + " bytes of the Java heap, which may have "
                + Runtime.getRuntime().maxMemory() + " in all: give Java more (-Xmx), or " + otherwise);
        told.initCause(failure);
        return told;
    }

    private static boolean isOfHeap(String message) {
        return message == null
                || message.equals("Java heap space")
                || message.startsWith("GC overhead limit")
                || message.startsWith("Requested array size");
    }
}
