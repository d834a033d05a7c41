package io.samplesort.lines.flow;

import io.samplesort.disk.FileFailure;

/// Counts the lines that a step of a sort takes in, leaves out and hands on, and their bytes, so that no line is lost
/// unnoticed. Each count is made where the lines pass, and the counts are compared before a result is published.
/// Several threads may count at once.
public final class LineTally {
    private long takenLines;
    private long takenBytes;
    private long droppedLines;
    private long droppedBytes;
    private long handedLines;
    private long handedBytes;
    private long countedLines;
    private long countBytes;

    /// Counts lines that came in, with their terminators.
    public synchronized void take(long lines, long bytes) {
        takenLines += lines;
        takenBytes += bytes;
    }

    /// Counts lines that are left out because they are equal to others, or not among the first or last ones wanted.
    public synchronized void drop(long lines, long bytes) {
        droppedLines += lines;
        droppedBytes += bytes;
    }

    /// Counts lines that are handed on to a file.
    public synchronized void handOn(long lines, long bytes) {
        handedLines += lines;
        handedBytes += bytes;
    }

    /// Counts lines as left out that were counted as handed on before.
    public synchronized void cutOff(long lines, long bytes) {
        drop(lines, bytes);
        handOn(-lines, -bytes);
    }

    /// Returns how many lines were handed on.
    public synchronized long handedLines() {
        return handedLines;
    }

    /// Counts lines that were written with their numbers.
    ///
    /// @param lines the sum of these numbers
    /// @param bytes how many bytes the numbers take
    public synchronized void count(long lines, long bytes) {
        countedLines += lines;
        countBytes += bytes;
    }

    /// Returns whether all numbers take the same bytes, so that their order is that of their bytes.
    public synchronized boolean areCountsOfOneWidth() {
        return countBytes == handedLines * CountText.USUAL_BYTES;
    }

    /// Returns how many lines came in.
    public synchronized long takenLines() {
        return takenLines;
    }

    /// Checks the first step of a sort.
    ///
    /// @param readBytes  how many bytes the inputs say were read
    /// @param addedEnds how many last lines of inputs had no terminator and got one
    /// @throws FileFailure if these are not the bytes that came in
    public synchronized void checkRead(long readBytes, long addedEnds) throws FileFailure {
        if (readBytes + addedEnds != takenBytes) {
            throw failure(readBytes + " bytes and " + addedEnds + " missing ends of lines were read, but " + takenLines
                    + " lines of " + takenBytes + " bytes taken in");
        }
    }

    /// Checks a step that takes in what another one has handed on.
    ///
    /// @throws FileFailure if these are not the lines that came in
    public synchronized void checkBehind(LineTally before) throws FileFailure {
        long handed = before.handedBytes + before.countBytes;
        if (before.handedLines != takenLines || handed != takenBytes) {
            throw failure(before.handedLines + " lines of " + handed + " bytes were sorted, but " + takenLines
                    + " lines of " + takenBytes + " bytes merged");
        }
    }

    /// Checks the end of a step.
    ///
    /// @param writtenBytes how many bytes the files say were written
    /// @throws FileFailure if lines have come in that were neither left out nor written, or the other way round
    public synchronized void checkWritten(long writtenBytes) throws FileFailure {
        if (takenLines != droppedLines + handedLines
                || takenBytes != droppedBytes + handedBytes
                || handedBytes + countBytes != writtenBytes
                || (countBytes > 0 && countedLines != takenLines)) {
            throw failure(takenLines + " lines of " + takenBytes + " bytes came in, " + droppedLines + " of "
                    + droppedBytes + " bytes were left out, and " + handedLines + " of "
                    + handedBytes + " bytes put in order, of which " + writtenBytes + " bytes were written"
                    + (countBytes > 0 ? " with numbers of " + countBytes + " bytes and a sum of " + countedLines : ""));
        }
    }

    private static FileFailure failure(String counts) {
        return new FileFailure("lines were lost or doubled: " + counts
                + ". No file was replaced. This is a fault of samplesort: please report it with these numbers");
    }
}
