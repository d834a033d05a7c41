package io.samplesort.files;

import io.samplesort.SorterBuilder;
import io.samplesort.disk.FileFailure;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineDisorder;
import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.ExternalLineMerge;
import io.samplesort.lines.ExternalLineSort;
import io.samplesort.lines.LineCheck;
import io.samplesort.lines.LineJob;
import io.samplesort.lines.LinesByCount;
import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.memory.AvailableMemory;
import io.samplesort.shared.FileSorters;
import io.samplesort.shared.FileSorters.LineSorter;
import io.samplesort.shared.FileSorters.LineSorterBuilder;
import io.samplesort.shared.Workers;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sorts lines of text within a given memory, as the command `sort` of GNU does with `LC_ALL=C`:
///
/// ```java
/// LineSort.with(SampleSort.onBestDevice(), LineOrder.bytes())
///         .memory(4L << 30)
///         .sort(List.of(Path.of("log.txt")), Path.of("sorted.txt"));
/// ```
///
/// Lines that do not fit in the memory are sorted in chunks to runs in a temporary file, which are merged. A line may
/// be longer than the memory, but a part of it that is compared as a number, month or version has at most 1 GiB.
/// [#merge] and [#firstDisorder] hold a line of each input, which has at most 2 GiB. A last line without a terminator
/// gets one. Lines that compare equal as a whole consist of the same bytes; lines that are only compared by their keys
/// ([LineOrder#stable]) keep the order of the input if their keys are equal.
///
/// The result is written to another file in the same folder, forced to the disk, and renamed when it is complete, so
/// the output may be one of the inputs. Whatever goes wrong before that, the files are unchanged, and temporary files
/// are removed; those of a process that was killed are removed by the next sort to a file of that name. An output that
/// is a pipe or a device, or [#STANDARD_OUTPUT], is written to directly. An input may be a stream as well.
///
/// A result takes over what [FileSort] says from the file that it replaces. Two threads must not use a line sort at
/// once.
public final class LineSort {
    /// This input is the standard input, even on a system without such a file.
    public static final Path STANDARD_INPUT = LineSource.STANDARD_INPUT;

    /// This output is the standard output, even on a system without such a file.
    public static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");

    /// By default, a sort takes the available memory divided by this.
    private static final int DEFAULT_SHARE = 2;

    private static final String CANNOT_SORT = "cannot sort lines; all files are as they were";

    private final LineSorterBuilder sorters;
    private final LineOrder order;
    private boolean isUnique;
    private boolean isCounted;
    private boolean isByCount;
    /// Null if all lines are wanted.
    private @Nullable LineCut cut;
    private long memoryBytes;
    private int mostMerged = Integer.MAX_VALUE;
    private List<Path> temporaryFolders = List.of();
    private boolean overwrites;
    private FileListener listener = new FileListener() {};

    private LineSort(LineSorterBuilder sorters, LineOrder order) {
        this.sorters = sorters;
        this.order = order;
    }

    /// Begins a sort of lines in this order, on the device and with the threads, limits and tuning that the builder has
    /// set by now. [SorterBuilder#cpuThreads] limits how many threads work at once, those that read, write and merge
    /// lines included.
    ///
    /// @throws IllegalArgumentException if the builder has set an order of elements, payloads, sorts in place or times
    ///     of phases, which sorts of lines do not have, the device is several GPUs, or the tuning does not fit
    public static LineSort with(SorterBuilder builder, LineOrder order) {
        Objects.requireNonNull(order, "order");
        return new LineSort(FileSorters.ofLines(Objects.requireNonNull(builder, "builder")), order);
    }

    /// Keeps only the first one of equal lines. Lines are equal if all their keys are; without keys, if they are the
    /// same bytes.
    public LineSort unique() {
        this.isUnique = true;
        return this;
    }

    /// Writes equal lines once, behind their number: as `uniq -c` does, the number is aligned to the right in seven
    /// columns, or wider if it has more digits, and a space follows. Lines are equal if they have the same bytes and
    /// come one after another in this order; with [#unique], if all their keys are equal, and then the first of them is
    /// written.
    public LineSort counts() {
        this.isCounted = true;
        return this;
    }

    /// Does what [#counts] does, and then sorts the counted lines as `sort -rn` does: the greatest number first, and
    /// lines with the same number by their bytes, from last to first. An eighth of the memory is for counted lines, and
    /// more of them go to a temporary file.
    public LineSort byCount() {
        this.isByCount = true;
        return counts();
    }

    /// Writes only the first lines of the result, as `head -n` would: with [#unique], this many different ones, and
    /// with [#byCount], those with the greatest numbers. Unless they are too many for the memory, the inputs are read
    /// once, and without counts there is no temporary file. This takes the place of an earlier call of this method or
    /// of [#last].
    ///
    /// @throws IllegalArgumentException if `count` is negative
    public LineSort first(long count) {
        return cut(count, false);
    }

    /// Writes only the last lines of the result, as `tail -n` would, in order. Otherwise this is like [#first].
    ///
    /// @throws IllegalArgumentException if `count` is negative
    public LineSort last(long count) {
        return cut(count, true);
    }

    private LineSort cut(long count, boolean isLast) {
        if (count < 0) {
            throw new IllegalArgumentException(
                    "the " + (isLast ? "last " : "first ") + count + " lines: must not be negative");
        }
        this.cut = new LineCut(count, isLast);
        return this;
    }

    private void refuseCut(String method) {
        if (cut != null) {
            throw new IllegalArgumentException(method + " with " + (cut.isLast() ? "last" : "first")
                    + ": only sort writes a part of the lines; leave it out");
        }
    }

    /// Sets how many bytes of host memory to take for lines, their keys and sorting them, nearly all of it outside of
    /// the Java heap. Not counted are what Java itself takes and the system's cache of files. With less than 32 KiB for
    /// each thread, fewer threads work; less than 64 KiB count as 64 KiB.
    ///
    /// The default is half of what the system says is available (on Linux; elsewhere half of the greatest Java heap).
    ///
    /// @throws IllegalArgumentException if `bytes` is not positive
    public LineSort memory(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("memory of " + bytes + " bytes: must be positive");
        }
        this.memoryBytes = bytes;
        return this;
    }

    /// Limits how many inputs ([#merge]) or sorted chunks are merged at a time. More are merged in several rounds. By
    /// default, the memory decides, and no more than 200 inputs are open at once, or as many as the system allows.
    ///
    /// @throws IllegalArgumentException if `count` is less than 2
    public LineSort mergeAtMost(int count) {
        if (count < 2) {
            throw new IllegalArgumentException("merging " + count + " at a time: must be at least 2");
        }
        this.mostMerged = count;
        return this;
    }

    /// Sets the folder of the temporary file, which is as large as the inputs; of several folders, each sorted run goes
    /// to the next one. The default is the folder of the output; if the output is a stream or that folder cannot be
    /// written to, it is the folder that `TMPDIR` names, or that of the system. Only a sort that needs temporary files
    /// looks at the folders.
    public LineSort temporaryFolder(Path first, Path... more) {
        List<Path> folders = new ArrayList<>(List.of(more));
        folders.addFirst(Objects.requireNonNull(first, "first"));
        this.temporaryFolders = folders;
        return this;
    }

    /// Makes an existing output file stay the same file and get new content, as [FileSort#writeThrough] says.
    public LineSort writeThrough() {
        this.overwrites = true;
        return this;
    }

    /// Sets a listener, which is told how the sort goes on. It is not told a plan, and it is told how far the sort has
    /// come only if the sizes of all inputs are known.
    public LineSort listener(FileListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /// Sorts the lines of all inputs, and waits until that is done.
    ///
    /// @param inputs files, pipes or [#STANDARD_INPUT]
    /// @param output where the lines go; may be one of the inputs
    /// @return what the sort did. Its elements are lines; the phases are `read`, `filter` (for [#first] and [#last]),
    ///     `keys` (where there are any), `sort`, `write runs` and `merge` if the lines did not fit in the memory, or
    ///     else `write`, then `by count` if counted lines are sorted, and `publish`.
    /// @throws IOException              if a file cannot be read or written, was changed meanwhile, or has a part of a
    ///     line that is longer than 1 GiB and compared as a number, month or version, or if a disk has too little room;
    ///     the message says which and what to do. In these cases nothing is changed.
    /// @throws java.io.InterruptedIOException if this thread is interrupted; its interrupt status stays set, and
    ///     nothing is changed
    /// @throws IllegalArgumentException if only the [#first] or [#last] lines are wanted, with [#counts] that are not
    ///     sorted
    /// @throws OutOfMemoryError         if the system has less memory than this sort was told to take
    public SortReport sort(List<Path> inputs, Path output) throws IOException {
        if (isCounted && !isByCount && cut != null) {
            throw new IllegalArgumentException("counts with " + (cut.isLast() ? "last" : "first")
                    + ": lines that are left out cannot be counted; leave it out, or use byCount");
        }
        LineJob job = job(inputs, output);
        if (isByCount) {
            return calling(CANNOT_SORT, () -> new LinesByCount(job, sorters, listener).sort(false));
        }
        try (LineSorter sorter = sorters.build(job.stringOrder(), job.sortingThreads())) {
            return calling(CANNOT_SORT, () -> new ExternalLineSort(job, sorter::argsort, listener).sort());
        }
    }

    /// Merges inputs, each of which is sorted in this order already. Lines of inputs that are not sorted stay in the
    /// order of their input. If there are too many inputs to be merged at once ([#mergeAtMost]), they are merged in
    /// rounds, in temporary files. Waits until that is done.
    ///
    /// @param inputs files, pipes or [#STANDARD_INPUT]; of equal lines, those of the first input come first
    /// @param output where the lines go; may be one of the inputs
    /// @throws IOException as by [#sort], or if a line is longer than 2 GiB
    /// @throws IllegalArgumentException if only the [#first] or [#last] lines are wanted
    public SortReport merge(List<Path> inputs, Path output) throws IOException {
        refuseCut("merge");
        LineJob job = job(inputs, output);
        return calling(
                CANNOT_SORT,
                () -> isByCount
                        ? new LinesByCount(job, sorters, listener).sort(true)
                        : new ExternalLineMerge(job, listener).merge());
    }

    /// Looks for the first line of an input that is out of order: a line that belongs before the line before it, or
    /// that is equal to it if lines are to be [#unique].
    ///
    /// @throws IOException if the input cannot be read, or a line is longer than 2 GiB
    /// @throws IllegalArgumentException if only the [#first] or [#last] lines are wanted
    public Optional<LineDisorder> firstDisorder(Path input) throws IOException {
        refuseCut("firstDisorder");
        return calling("cannot check " + input, () -> LineCheck.firstDisorder(job(List.of(input), STANDARD_OUTPUT)));
    }

    private LineJob job(List<Path> inputs, Path output) {
        long memory = memoryBytes != 0 ? memoryBytes : Math.max(1, AvailableMemory.available() / DEFAULT_SHARE);
        int threads = Math.min(sorters.cpuThreads(), Workers.most());
        Repeats repeats = Repeats.of(isUnique, isCounted);
        return new LineJob(
                inputs, output, overwrites, order, repeats, memory, threads, mostMerged, temporaryFolders, cut);
    }

    private interface Call<T> {
        T run() throws IOException;
    }

    /// @param failure what to say if the call fails and its exception does not say so itself
    private static <T> T calling(String failure, Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (IOException e) {
            throw FileFailure.ofSort(failure, e);
        }
    }
}
