package io.samplesort.files.types;

import java.lang.foreign.MemorySegment;

/// How a file stores elements, where that is not how they are sorted: numbers in another byte order, for example. A
/// sort converts elements in place after it has read them, and back before it writes them.
///
/// Both methods are given whole elements. They must undo each other: whatever bytes `afterReading` has changed,
/// `beforeWriting` must change back. Two threads may call them at once, for different elements.
public interface FileConversion {
    /// The conversion of files that store elements as they are sorted: it changes nothing.
    FileConversion NONE = new FileConversion() {
        @Override
        public void afterReading(MemorySegment elements) {}

        @Override
        public void beforeWriting(MemorySegment elements) {}

        @Override
        public String toString() {
            return "none";
        }
    };

    /// Turns elements as the file stores them into elements that can be sorted.
    void afterReading(MemorySegment elements);

    /// Turns elements that were sorted back into those that the file stores.
    void beforeWriting(MemorySegment elements);
}
