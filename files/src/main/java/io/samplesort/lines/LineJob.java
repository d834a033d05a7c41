package io.samplesort.lines;

import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.keys.LineFieldKeys;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.lines.keys.WholeLines;
import io.samplesort.types.StringOrder;
import java.nio.file.Path;
import java.util.List;

/// Describes what is to be done with lines.
///
/// @param inputs           files, or [io.samplesort.lines.flow.LineSource#STANDARD_INPUT]
/// @param output           a file, or the path of the standard output
/// @param order            how lines compare
/// @param overwrites       whether an existing output file is overwritten instead of replaced
/// @param repeats          what becomes of equal lines in the result
/// @param memoryBytes      how much memory to take; at least what a single thread needs
/// @param threads          how many threads work at once, at most as many as the memory has room for
/// @param mostMerged       how many inputs or sorted runs are merged at a time at most
/// @param temporaryFolders where sorted runs go; empty for the folder of the output, or one of the system's if the
///     output is a stream or its folder cannot be written to
/// @param cut              which lines in order are wanted; null for all
public record LineJob(
        List<Path> inputs,
        Path output,
        boolean overwrites,
        LineOrder order,
        Repeats repeats,
        long memoryBytes,
        int threads,
        int mostMerged,
        List<Path> temporaryFolders,
        LineCut cut) {
    public LineJob {
        inputs = List.copyOf(inputs);
        memoryBytes = Math.max(memoryBytes, MemoryShares.LEAST_BYTES);
        threads = MemoryShares.mostThreads(memoryBytes, threads);
        temporaryFolders = List.copyOf(temporaryFolders);
    }

    /// Returns the same job for all lines, with another memory.
    LineJob wholeWithin(long bytes) {
        return new LineJob(
                inputs, output, overwrites, order, repeats, bytes, threads, mostMerged, temporaryFolders, null);
    }

    /// Returns a job that puts counted lines in the order that they have behind `sort -rn`: by their numbers, the
    /// greatest first, and then by their bytes, from last to first.
    ///
    /// @param areOfOneWidth whether all numbers take the same bytes, so that bytes alone have this order
    LineJob byCount(boolean areOfOneWidth, long bytes) {
        LineOrder byNumber = areOfOneWidth
                ? LineOrder.bytes().reversed()
                : LineOrder.by(LineKey.wholeLine().as(LineKey.Kind.NUMERIC)).reversed();
        return new LineJob(
                inputs,
                output,
                overwrites,
                byNumber.terminatedBy(order.terminator()),
                Repeats.KEPT,
                bytes,
                threads,
                mostMerged,
                temporaryFolders,
                cut);
    }

    /// Returns what becomes of equal lines in sorted runs, which have no room for numbers.
    Repeats repeatsInRuns() {
        return repeats.areCounted() ? Repeats.KEPT : repeats;
    }

    /// Returns what lines are compared by. If only one of the lines with equal keys is kept, whole lines are not
    /// compared.
    public LineKeys keys() {
        LineOrder compared = repeats.areEqualByKeys() ? order.stable() : order;
        return compared.keys().isEmpty() ? new WholeLines(order.isLastResortReversed()) : new LineFieldKeys(compared);
    }

    /// Returns whether all lines of the inputs come to the output.
    boolean keepsAll() {
        return repeats == Repeats.KEPT && cut == null;
    }

    /// Returns how many threads sort at once.
    public int sortingThreads() {
        return MemoryShares.sortingThreads(memoryBytes, threads);
    }

    /// Returns the order of the strings that stand for lines.
    public StringOrder stringOrder() {
        return keys().order();
    }
}
