package io.samplesort.lines;

import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.keys.LineFieldKeys;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.lines.keys.WholeLines;
import io.samplesort.types.StringOrder;
import java.nio.file.Path;
import java.util.List;

/// What is to be done with lines.
///
/// @param inputs           files, or [io.samplesort.lines.flow.LineSource#STANDARD_INPUT]
/// @param output           a file, or the path of the standard output
/// @param order            how lines compare
/// @param overwrites       whether an output file that is there is overwritten, and not replaced
/// @param isUnique         whether of lines that compare equal only the first one is kept
/// @param memoryBytes      how much memory to take; at least what a single thread needs
/// @param threads          how many threads work at once; as many as the memory has room for
/// @param mostMerged       how many inputs or sorted runs are merged at a time at most
/// @param temporaryFolders where sorted runs go; none for the folder of the output, or one of the system's if
///     that is a stream or cannot be written to
public record LineJob(
        List<Path> inputs,
        Path output,
        boolean overwrites,
        LineOrder order,
        boolean isUnique,
        long memoryBytes,
        int threads,
        int mostMerged,
        List<Path> temporaryFolders) {
    public LineJob {
        inputs = List.copyOf(inputs);
        memoryBytes = Math.max(memoryBytes, MemoryShares.LEAST_BYTES);
        threads = MemoryShares.mostThreads(memoryBytes, threads);
        temporaryFolders = List.copyOf(temporaryFolders);
    }

    /// Returns what lines are compared by. Of lines with equal keys only one is kept where lines are to be unique, so
    /// whole lines are not compared then.
    public LineKeys keys() {
        LineOrder compared = isUnique ? order.byKeysOnly() : order;
        return compared.keys().isEmpty() ? new WholeLines(order.isReversed()) : new LineFieldKeys(compared);
    }

    /// Returns how many threads sort at once.
    public int sortingThreads() {
        return MemoryShares.sortingThreads(memoryBytes, threads);
    }

    /// Returns how the strings compare that stand for lines.
    public StringOrder stringOrder() {
        return keys().order();
    }
}
