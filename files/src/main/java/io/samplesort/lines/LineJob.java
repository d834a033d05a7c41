package io.samplesort.lines;

import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.flow.LineCut;
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
/// @param isUnique         whether only the first one of equal lines is kept
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
        boolean isUnique,
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

    /// Returns what lines are compared by. If lines are to be unique, only one of the lines with equal keys is kept, so
    /// whole lines are not compared.
    public LineKeys keys() {
        LineOrder compared = isUnique ? order.stable() : order;
        return compared.keys().isEmpty() ? new WholeLines(order.isLastResortReversed()) : new LineFieldKeys(compared);
    }

    /// Returns whether all lines of the inputs come to the output.
    boolean keepsAll() {
        return !isUnique && cut == null;
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
