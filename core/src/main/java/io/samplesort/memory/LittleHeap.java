package io.samplesort.memory;

/// Makes errors for sorts that keep something on the Java heap for each element where the heap has too little room: the
/// virtual machine itself only says "Java heap space".
public final class LittleHeap {
    private LittleHeap() {}

    /// Returns an error that says how much of the heap a sort takes, and what to do; `failure` itself if it is about
    /// other memory, or says this already.
    ///
    /// @param failure   of an allocation
    /// @param what      what took the heap, such as "a sort of 5 rows"
    /// @param bytes     about how much of the heap it takes
    /// @param otherwise what to do if Java cannot be given more
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
