package io.samplesort.files;

import io.samplesort.Sorter;
import io.samplesort.disk.FileFailure;
import io.samplesort.errors.SortCancelledException;
import io.samplesort.external.ExternalMerge;
import io.samplesort.external.ExternalSelection;
import io.samplesort.external.ExternalSort;
import io.samplesort.external.IndexColumn;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.memory.AvailableMemory;
import io.samplesort.shared.FileSorters;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sorts files of any size within a given memory, with any [Sorter]:
///
/// ```java
/// SortReport report = FileSort.with(sorter).memory(4L << 30).sort(Path.of("keys.bin"));
/// ```
///
/// A file that does not fit is sorted in chunks to runs in a temporary file, and then bucket by bucket (docs/design).
/// In that case elements are read and written twice, in long pieces, while others are sorted. A sort is stable if its
/// sorter is.
///
/// The result is written to another file in the same folder, forced to the disk, and renamed when it is complete.
/// Whatever goes wrong before that (a full disk, a failing sorter, an interrupt or a kill), the files are unchanged. If
/// there are several files, all are complete before the first is renamed. Temporary files are removed; those of a
/// process that was killed are removed by the next sort to a file of that name with the same folder for temporary
/// files.
///
/// An output that is a pipe or a device, or `/dev/stdout`, is written to directly, and what was written to it stays
/// written if the sort fails. An input must be a regular file.
///
/// A result takes over the permissions, the owner, the group and the user attributes (`user.*`) of the file that it
/// replaces. [FileListener#lost] reports whatever cannot be preserved. Other names of that file (hard links) keep the
/// old content. Access control lists and attributes of the system (`security.*`) are neither taken over nor reported,
/// because Java does not reach them: the result has the access control list that its folder gives to new files.
///
/// Two threads must not use it at once, nor its sorter.
public final class FileSort {
    /// By default, a sort takes the available memory divided by this.
    private static final int DEFAULT_SHARE = 2;

    private final Sorter sorter;
    private long memoryBytes;
    private @Nullable Path temporaryFolder;
    private boolean overwrites;
    private FileListener listener = new FileListener() {};
    /// How many of the first or last elements are wanted; -1 for all.
    private long wanted = -1;
    private boolean isLast;

    private FileSort(Sorter sorter) {
        this.sorter = sorter;
    }

    /// Returns a file sort that uses this sorter. The sorter still belongs to the caller, who closes it.
    public static FileSort with(Sorter sorter) {
        return new FileSort(Objects.requireNonNull(sorter, "sorter"));
    }

    /// Sets how many bytes of host memory to take: for chunks of the file, and for what the sorter needs for each
    /// element and each thread, part of which may be on the Java heap. If threads need more than half of this memory,
    /// only half is counted for them. Not counted are 0.3% of a chunk, what Java itself takes, including its
    /// short-lived objects, and the system's cache of files.
    ///
    /// The default is half of what the system says is available (on Linux; elsewhere half of the greatest Java heap).
    ///
    /// @throws IllegalArgumentException if `bytes` is not positive
    public FileSort memory(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("memory of " + bytes + " bytes: must be positive");
        }
        this.memoryBytes = bytes;
        return this;
    }

    /// Sets the folder of the temporary file, which is as large as all columns together. The default is the folder of
    /// the sorted keys, or that of the unsorted keys if the sorted ones go to a pipe or a device; if it cannot be
    /// written to, the folder that `TMPDIR` names, or that of the system. Only a sort that needs the temporary file
    /// looks at the folder.
    public FileSort temporaryFolder(Path folder) {
        this.temporaryFolder = Objects.requireNonNull(folder, "folder");
        return this;
    }

    /// Makes an existing output file stay the same file and get new content, instead of being replaced. This is for
    /// files that cannot be replaced, such as those that are mounted by themselves or lie in a folder without write
    /// permission, and for files that should keep their other names (hard links).
    ///
    /// The result is complete in the folder for temporary files before it is copied over the content of the file and
    /// forced to the disk. Programs that read the file meanwhile see a part of the old and a part of the new content.
    /// If copying fails, the message says in what state the file is and where the complete result lies. A process that
    /// is killed meanwhile leaves the result in the folder for temporary files as `NAME.HEX.result`.
    public FileSort writeThrough() {
        this.overwrites = true;
        return this;
    }

    /// Writes only the first elements of the result, in order. The file is read once, there is no temporary file, and
    /// the memory has to hold two and a quarter times these elements, and 16 MiB more. A file with no more elements is
    /// sorted as a whole. Payloads, an argsort and a merge cannot be combined with it. This takes the place of an
    /// earlier call of this method or of [#last]. These elements alone remain of a file that the result replaces, as by
    /// [FileColumn#of].
    ///
    /// @throws IllegalArgumentException if `count` is negative
    public FileSort first(long count) {
        return cut(count, false);
    }

    /// Writes only the last elements of the result, in order. Otherwise this is like [#first].
    ///
    /// @throws IllegalArgumentException if `count` is negative
    public FileSort last(long count) {
        return cut(count, true);
    }

    private FileSort cut(long count, boolean takesLast) {
        if (count < 0) {
            throw new IllegalArgumentException(
                    "the " + (takesLast ? "last " : "first ") + count + " elements: must not be negative");
        }
        this.wanted = count;
        this.isLast = takesLast;
        return this;
    }

    private void refuseCut(String what) {
        if (wanted >= 0) {
            throw new IllegalArgumentException(what + " with " + (isLast ? "last" : "first")
                    + ": only a sort of one file writes a part of the elements; leave it out");
        }
    }

    /// Sets a listener, which is told how the sort goes on.
    public FileSort listener(FileListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /// Sorts a file of elements alone, and replaces it.
    ///
    /// @throws IOException as by [#sort(FileColumn, FileColumn...)]
    public SortReport sort(Path file) throws IOException {
        return sort(FileColumn.of(file));
    }

    /// Sorts a file of keys, and moves element i of each file of payloads along with key i. Waits until that is done.
    ///
    /// @param payloads as many files as the sorter has payload types, in that order
    /// @return what the sort did. For a file that was sorted in parts, the phases are `runs` and `buckets`; the stages
    ///     are `read`, `sort` and `write`.
    /// @throws IOException              if a file cannot be read or written, does not hold whole elements, or was
    ///     changed meanwhile, or if a disk has too little room; the message says which and what to do. In these cases
    ///     nothing is changed unless the message says so.
    /// @throws java.io.InterruptedIOException if this thread is interrupted; its interrupt status stays set, and
    ///     nothing is changed
    /// @throws IllegalArgumentException if the memory is too little, two results would go to the same file, or the
    ///     sorter is for another number of payloads
    /// @throws IllegalStateException    if the sorter is closed or is sorting
    /// @throws OutOfMemoryError         if the system has less memory than this sort was told to take
    public SortReport sort(FileColumn keys, FileColumn... payloads) throws IOException {
        List<FileColumn> columns = new ArrayList<>(List.of(payloads));
        columns.addFirst(keys);
        if (payloads.length != sorter.payloadTypes().size()) {
            throw new IllegalArgumentException("this sorter is for "
                    + sorter.payloadTypes().size() + " payloads and was given " + payloads.length + " files of them");
        }
        if (payloads.length > 0) {
            refuseCut("payloads");
        }
        return wanted < 0 || areAllWanted(keys) ? run(sorter, columns, null) : select(keys, null);
    }

    /// Sorts a file of elements alone, of which only the [#first] or [#last] are wanted, and writes another header.
    ///
    /// @param header what is written before the elements, in the place of what precedes them in the input
    /// @throws IOException              as by [#sort(FileColumn, FileColumn...)]
    /// @throws IllegalArgumentException if all elements are wanted, the memory is too little, or the sorter has
    ///     payloads
    public SortReport sort(FileColumn elements, byte[] header) throws IOException {
        if (wanted < 0 || !sorter.payloadTypes().isEmpty()) {
            throw new IllegalArgumentException(
                    "a sort with another header: it is for the first or last elements of a file without payloads");
        }
        return select(elements, header);
    }

    /// Returns whether a file has no more elements than are wanted. Where the memory does not hold all of them, a sort
    /// takes temporary files.
    private boolean areAllWanted(FileColumn elements) {
        try {
            return wanted
                    >= (Files.size(elements.input()) - elements.headerBytes())
                            / sorter.keyType().byteSize();
        } catch (IOException e) {
            // The selection says what is wrong with the file.
            return false;
        }
    }

    private SortReport select(FileColumn elements, byte @Nullable [] header) throws IOException {
        return calling("sort " + elements.input(), "which is as it was", () -> {
            try (ExternalSelection selection = new ExternalSelection(
                    new FilePartSorter(sorter),
                    elements,
                    header,
                    wanted,
                    isLast,
                    memory(),
                    temporaryFolder,
                    overwrites,
                    listener)) {
                return selection.run();
            }
        });
    }

    /// Finds the order of the elements in a file and writes it to another one as a permutation of longs, without a
    /// header.
    ///
    /// @param permutation the file of the permutation
    /// @throws IOException as by [#argsort(FileColumn, ElementType, byte[])]
    public SortReport argsort(Path elements, Path permutation) throws IOException {
        return argsort(FileColumn.of(elements).to(permutation), ElementType.LONG, new byte[0]);
    }

    /// Finds the order of the elements in a file, which stays as it is, and writes it to another one as a permutation:
    /// entry i is the index of the element that comes i-th in sorted order. Equal elements come in the order of their
    /// indexes. So the result is that of [Sorter#argsort(java.lang.foreign.MemorySegment,
    /// java.lang.foreign.MemorySegment)], for files of any size.
    ///
    /// The elements are sorted together with their indexes, by another sorter with the settings of this one. So a file
    /// that is sorted in parts needs a temporary file for both.
    ///
    /// ```java
    /// try (Sorter sorter = SampleSort.onBestDevice().build(ElementType.DOUBLE)) {
    ///     FileSort.with(sorter).argsort(Path.of("values.bin"), Path.of("permutation.bin"));
    /// }
    /// ```
    ///
    /// @param elements the file of the elements; its output is the file of the permutation, whose indexes are not
    ///     converted
    /// @param index    the type of the indexes, [ElementType#INT] or [ElementType#LONG]
    /// @param header   what is written before the permutation in its file; may be empty
    /// @return what the sort did, as by [#sort(FileColumn, FileColumn...)]
    /// @throws IOException              as by [#sort(FileColumn, FileColumn...)]
    /// @throws java.io.InterruptedIOException if this thread is interrupted; its interrupt status stays set, and
    ///     nothing is changed
    /// @throws IllegalArgumentException if the indexes are of another type, the memory is too little, the permutation
    ///     would replace the elements, there are more than 2^31 elements and the indexes are ints, or the sorter is for
    ///     elements with payloads
    /// @throws IllegalStateException    if the sorter is closed or is sorting
    /// @throws OutOfMemoryError         if the system has less memory than this sort was told to take
    public SortReport argsort(FileColumn elements, ElementType index, byte[] header) throws IOException {
        if (!index.equals(ElementType.INT) && !index.equals(ElementType.LONG)) {
            throw new IllegalArgumentException(
                    "indexes of type " + index + ": a permutation has indexes of type INT or LONG");
        }
        if (!sorter.payloadTypes().isEmpty()) {
            throw new IllegalArgumentException("this sorter is for "
                    + sorter.payloadTypes().size() + " payloads: an argsort takes a sorter without payloads");
        }
        refuseCut("argsort");
        try (Sorter indexed = FileSorters.withIndexes(sorter, index)) {
            return run(indexed, List.of(elements), new IndexColumn(index.byteSize(), header));
        }
    }

    /// Merges files that are sorted already in the order of the sorter, to another file. The files have elements alone,
    /// without headers.
    ///
    /// @param inputs of equal elements, those of the first input come first
    /// @param output where the elements go; may be one of the inputs, which it then replaces
    /// @throws IOException as by [#merge(List, byte[])]
    public SortReport merge(List<Path> inputs, Path output) throws IOException {
        return merge(
                inputs.stream().map(input -> FileColumn.of(input).to(output)).toList(), new byte[0]);
    }

    /// Merges files that are sorted already in the order of the sorter. Each is read once, and there is no temporary
    /// file. The merge is stable, whatever the sorter: equal elements come in the order of the inputs, and then in that
    /// of their places.
    ///
    /// @param inputs the files, all with the same output, which may be one of them
    /// @param header what is written before the elements; may be empty. Headers of inputs are left out.
    /// @return what the merge did; the phase is `merge`, and the stages are `read`, `sort` and `write`
    /// @throws IOException              if an input is not in order; the message names the element. Otherwise as by
    ///     [#sort(FileColumn, FileColumn...)]. A result in a file is not put in its place in these cases.
    /// @throws java.io.InterruptedIOException if this thread is interrupted; its interrupt status stays set, and
    ///     nothing is changed
    /// @throws IllegalArgumentException if there is no input, the outputs differ, the memory is too little, or the
    ///     sorter has payloads
    /// @throws IllegalStateException    if the sorter is closed or is sorting
    /// @throws OutOfMemoryError         if the system has less memory than this merge was told to take
    public SortReport merge(List<FileColumn> inputs, byte[] header) throws IOException {
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("a merge of no files: name at least one");
        }
        Path output = inputs.getFirst().output();
        for (FileColumn input : inputs) {
            if (!input.output().equals(output)) {
                throw new IllegalArgumentException(
                        "a merge to " + output + " and to " + input.output() + ": all inputs go to the same output");
            }
        }
        if (!sorter.payloadTypes().isEmpty()) {
            throw new IllegalArgumentException("this sorter is for "
                    + sorter.payloadTypes().size() + " payloads: a merge takes a sorter without payloads");
        }
        refuseCut("merge");
        return calling("merge the files to " + output, "and all inputs are as they were", () -> {
            try (ExternalMerge merge = new ExternalMerge(
                    new FilePartSorter(sorter), inputs, header, memory(), temporaryFolder, overwrites, listener)) {
                return merge.run();
            }
        });
    }

    private interface Call {
        SortReport run() throws IOException;
    }

    /// @param what  what is done, such as `sort keys.bin`
    /// @param state what is said of the inputs if it fails
    private static SortReport calling(String what, String state, Call call) throws IOException {
        try {
            return call.run();
        } catch (SortCancelledException e) {
            throw new SortCancelledException(
                    "the listener of the sorter has cancelled the " + what.replaceFirst(" ", " of ") + ", " + state,
                    true);
        } catch (IOException e) {
            throw FileFailure.ofSort("cannot " + what + ", " + state, e);
        }
    }

    private long memory() {
        return memoryBytes != 0 ? memoryBytes : Math.max(1, AvailableMemory.available() / DEFAULT_SHARE);
    }

    private SortReport run(Sorter sorter, List<FileColumn> columns, @Nullable IndexColumn indexes) throws IOException {
        return calling("sort " + columns.getFirst().input(), "which is as it was", () -> {
            try (ExternalSort sorting = new ExternalSort(
                    new FilePartSorter(sorter), columns, indexes, memory(), temporaryFolder, overwrites, listener)) {
                return sorting.run();
            }
        });
    }
}
