package io.samplesort.types;

/// How a file is sorted within a given memory, decided from its size alone: at once, or in parts. A file in parts is
/// sorted chunk by chunk, to runs in a temporary file; buckets as large as the chunks are then cut from all runs,
/// sorted and written.
///
/// @param elementCount  elements of the file
/// @param elementBytes  bytes of an element and its payloads
/// @param chunkLength   elements that are sorted at a time
/// @param runs          how many chunks there are, and as many buckets; 1 where all is sorted at once and no temporary
///     file is needed
/// @param buffers       chunks that are in memory at the same time
public record FilePlan(long elementCount, int elementBytes, long chunkLength, int runs, int buffers) {
    /// Whether the file is larger than the memory and needs a temporary file.
    public boolean isInParts() {
        return runs > 1;
    }

    /// Bytes of the buffers; what the engine takes for each element comes beside.
    public long bufferBytes() {
        return buffers * chunkLength * elementBytes;
    }

    /// Bytes of the temporary file; 0 where none is needed.
    public long temporaryBytes() {
        return isInParts() ? elementCount * elementBytes : 0;
    }

    /// Bytes that are read and written: all of the file twice each where it is sorted in parts, else once each.
    public long movedBytes() {
        return (isInParts() ? 4 : 2) * elementCount * elementBytes;
    }

    /// Bytes of the pieces of which a bucket is read, on average; 0 where the file is sorted at once. With less than
    /// about a mebibyte a disk is slower than with long reads. Twice the memory makes four times the pieces.
    public long pieceBytes() {
        return isInParts() ? chunkLength * elementBytes / runs : 0;
    }
}
