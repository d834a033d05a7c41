package io.samplesort.files.types;

/// How a file is sorted within a given memory: at once or in parts; only the size of the file decides that. A file in
/// parts is sorted chunk by chunk to runs in a temporary file; then buckets as large as the chunks are cut from all
/// runs, sorted and written.
///
/// @param elementCount  elements of the file
/// @param elementBytes  bytes of an element and its payloads
/// @param inputBytes    how many of these bytes are read from the inputs
/// @param outputBytes   how many of these bytes are written to the outputs
/// @param chunkLength   elements that are sorted at a time
/// @param runs          how many chunks there are, which is also the number of buckets; 1 if everything is sorted at
///     once and no temporary file is needed
/// @param buffers       chunks that are in memory at the same time
public record FilePlan(
        long elementCount, int elementBytes, int inputBytes, int outputBytes, long chunkLength, int runs, int buffers) {
    /// Makes a plan for columns that are all read and written.
    public FilePlan(long elementCount, int elementBytes, long chunkLength, int runs, int buffers) {
        this(elementCount, elementBytes, elementBytes, elementBytes, chunkLength, runs, buffers);
    }

    /// Returns the same plan for a sort that generates indexes as payloads and writes only these.
    public FilePlan ofIndexes(int indexBytes) {
        return new FilePlan(
                elementCount, elementBytes, elementBytes - indexBytes, indexBytes, chunkLength, runs, buffers);
    }

    /// Returns whether the file is larger than the memory and needs a temporary file.
    public boolean isInParts() {
        return runs > 1;
    }

    /// Returns the bytes of the buffers. What the engine takes for each element is not included.
    public long bufferBytes() {
        return buffers * chunkLength * elementBytes;
    }

    /// Returns the bytes of the temporary file; 0 if none is needed.
    public long temporaryBytes() {
        return isInParts() ? elementCount * elementBytes : 0;
    }

    /// Returns the bytes that are read, from the inputs and from the temporary file.
    public long readBytes() {
        return elementCount * inputBytes + temporaryBytes();
    }

    /// Returns the bytes that are sorted, in both passes together.
    public long sortedBytes() {
        return (isInParts() ? 2 : 1) * elementCount * elementBytes;
    }

    /// Returns the bytes that are written, to the temporary file and to the outputs.
    public long writtenBytes() {
        return elementCount * outputBytes + temporaryBytes();
    }

    /// Returns the bytes that are read and written. A file in parts is read twice and written twice, any other once.
    public long movedBytes() {
        return readBytes() + writtenBytes();
    }

    /// Returns the average size in bytes of the pieces that a bucket is read in; 0 if the file is sorted at once. A
    /// disk is slower with pieces of less than about a mebibyte than with long reads. Twice the memory makes the pieces
    /// four times as large.
    public long pieceBytes() {
        return isInParts() ? chunkLength * elementBytes / runs : 0;
    }
}
