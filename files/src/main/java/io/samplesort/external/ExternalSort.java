package io.samplesort.external;

import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.Leftovers;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.OutputPlace;
import io.samplesort.disk.SortFolders;
import io.samplesort.disk.TemporaryFile;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// One external sort: it sorts files that may be larger than the memory. It checks the files first, and puts the
/// results in their places in the end. [ExternalPasses] does the work in between.
public final class ExternalSort implements Closeable {
    private final PartSorter sorter;
    private final List<FileColumn> columns;
    /// Null if all columns are read and written.
    private final IndexColumn indexes;
    private final long memoryBytes;
    private final Path temporaryFolder;
    private final boolean overwrites;
    private final FileListener listener;

    private final long start = System.nanoTime();
    private final List<InputFile> inputs = new ArrayList<>();
    private final List<OutputPlace> places = new ArrayList<>();
    /// The inputs that results will replace.
    private final Set<InputFile> replacedInputs = new LinkedHashSet<>();
    private final List<OutputFile> outputs = new ArrayList<>();
    private TemporaryFile temporary;

    /// @param columns         the files of the keys and payloads; in an argsort, one file of keys whose output is the
    ///     permutation
    /// @param indexes         the payloads of an argsort, null for any other sort
    /// @param temporaryFolder null for the folder of the first output, or of the first input if that output is a
    ///     stream; if that cannot be written to, for one of the system's
    /// @param overwrites      whether existing output files are overwritten instead of replaced
    public ExternalSort(
            PartSorter sorter,
            List<FileColumn> columns,
            IndexColumn indexes,
            long memoryBytes,
            Path temporaryFolder,
            boolean overwrites,
            FileListener listener) {
        this.sorter = sorter;
        this.columns = columns;
        this.indexes = indexes;
        this.memoryBytes = memoryBytes;
        this.temporaryFolder = temporaryFolder;
        this.overwrites = overwrites;
        this.listener = listener;
    }

    /// Sorts the files.
    ///
    /// @throws FileFailure if a file or disk is not fit for the sort; the message says what to do
    public SortReport run() throws IOException {
        openInputs();
        findPlaces();
        FilePlan plan = plan(inputs.getFirst().count());
        checkRunFolder(plan);
        removeLeftovers();
        checkDisks(plan);
        listener.planned(plan);
        for (int i = 0; i < places.size(); i++) {
            outputs.add(places.get(i).open(runFolder()));
            outputs.get(i).expect(outputBytes(i), outputBytes(i));
        }
        if (plan.isInParts()) {
            temporary = TemporaryFile.create(runFolder(), runName(), true);
        }
        for (int i = 0; i < inputs.size(); i++) {
            writeHeader(i);
        }
        try (Arena arena = Arena.ofShared();
                ExternalPasses passes =
                        new ExternalPasses(sorter, plan, columns, indexes, inputs, outputs, listener, arena)) {
            if (plan.isInParts()) {
                passes.sortRuns(temporary);
                passes.sortBuckets();
            } else {
                passes.sortAtOnce();
            }
            publish();
            return passes.report(System.nanoTime() - start);
        }
    }

    private FilePlan plan(long count) {
        if (indexes != null && count > indexes.maxCount()) {
            throw new IllegalArgumentException(columns.getFirst().input() + " has " + count
                    + " elements, too many for indexes of " + indexes.indexBytes() + " bytes: use longs");
        }
        FilePlan plan = FilePlanner.plan(
                count, sorter.cost(count), memoryBytes, Runtime.getRuntime().maxMemory());
        return indexes == null ? plan : plan.ofIndexes(indexes.indexBytes());
    }

    private void writeHeader(int column) throws IOException {
        if (indexes == null) {
            inputs.get(column).copyHeader(outputs.get(column));
        } else {
            outputs.get(column).append(indexes.header(), bytes -> {});
        }
    }

    private long outputBytes(int column) {
        InputFile input = inputs.get(column);
        return indexes == null ? input.size() : indexes.fileBytes(input.count());
    }

    private void openInputs() throws IOException {
        List<ElementType> types = sorter.columnTypes();
        for (int i = 0; i < columns.size(); i++) {
            FileColumn column = columns.get(i);
            inputs.add(InputFile.open(
                    column.input(), column.headerBytes(), types.get(i).byteSize()));
            if (inputs.get(i).count() != inputs.getFirst().count()) {
                throw new FileFailure(
                        columns.getFirst().input() + " has " + inputs.getFirst().count() + " keys and " + column.input()
                                + " " + inputs.get(i).count() + " payloads: there must be as many payloads as keys");
            }
        }
    }

    private void findPlaces() throws IOException {
        for (FileColumn column : columns) {
            OutputPlace place = OutputPlace.of(column.output(), overwrites);
            for (OutputPlace other : places) {
                if (place.file().equals(other.file())) {
                    throw new IllegalArgumentException("two results would go to the same file, " + place.file());
                }
            }
            places.add(place);
            for (InputFile input : inputs) {
                if (place.isAt(input.path())) {
                    place.checkNotReading(input.path());
                    if (indexes != null) {
                        throw new IllegalArgumentException("the permutation would replace " + input.path()
                                + ", whose order it tells: name another file for it");
                    }
                    input.refuseGrowth();
                    replacedInputs.add(input);
                }
            }
        }
    }

    /// Returns the file that the temporary file is named after and lies next to: the first result, or the input if that
    /// result goes to a stream.
    private Path runNeighbour() throws IOException {
        OutputPlace first = places.getFirst();
        return first.isStream() ? inputs.getFirst().path().toRealPath() : first.file();
    }

    private Path runFolder() throws IOException {
        if (temporaryFolder != null) {
            return temporaryFolder;
        }
        List<Path> candidates = new ArrayList<>(SortFolders.ofSystem());
        candidates.addFirst(runNeighbour().getParent());
        return SortFolders.firstUsable(candidates);
    }

    private String runName() throws IOException {
        return runNeighbour().getFileName().toString();
    }

    private void checkRunFolder(FilePlan plan) throws IOException {
        if (plan.isInParts() || places.stream().anyMatch(OutputPlace::isOverwritten)) {
            SortFolders.checkTemporary(runFolder());
        }
    }

    /// Returns the places of results that are regular files.
    private List<OutputPlace> filePlaces() {
        return places.stream().filter(place -> !place.isStream()).toList();
    }

    private void removeLeftovers() throws IOException {
        Set<Path> removed = new LinkedHashSet<>();
        for (OutputPlace place : filePlaces()) {
            Path folder = place.isOverwritten() ? runFolder() : place.file().getParent();
            removed.addAll(Leftovers.remove(folder, place.file().getFileName().toString()));
        }
        removed.addAll(Leftovers.remove(runFolder(), runName()));
        removed.forEach(listener::removed);
    }

    private void checkDisks(FilePlan plan) throws IOException {
        DiskSpace space = new DiskSpace();
        if (plan.isInParts()) {
            space.need(runFolder(), plan.temporaryBytes(), "sorted parts");
        }
        for (int i = 0; i < places.size(); i++) {
            places.get(i).addNeed(space, outputBytes(i), runFolder());
        }
        space.check();
    }

    /// Puts the results in their places.
    private void publish() throws IOException {
        for (int i = 0; i < outputs.size(); i++) {
            checkSize(i);
            for (String loss : outputs.get(i).complete()) {
                listener.lost(columns.get(i).output(), loss);
            }
        }
        for (InputFile input : replacedInputs) {
            // The sort would overwrite what was written to the input, or put in its place, since it was read. And an
            // input that was removed must not come back.
            input.checkUnchanged();
        }
        for (InputFile input : replacedInputs) {
            // Windows renames nothing to the name of an open file.
            input.close();
        }
        // The files are renamed right after each other, with nothing slow in between.
        for (int i = 0; i < outputs.size(); i++) {
            try {
                outputs.get(i).publish();
            } catch (IOException e) {
                if (i == 0 && e instanceof FileFailure) {
                    throw e;
                }
                List<Path> published =
                        places.subList(0, i).stream().map(OutputPlace::file).toList();
                throw new FileFailure(
                        "cannot put " + places.get(i).file() + " in its place"
                                + (i == 0 ? "" : ", though " + published + " was replaced already"),
                        e);
            }
        }
        outputs.forEach(OutputFile::settle);
    }

    private void checkSize(int column) {
        long bytes = outputs.get(column).byteSize();
        if (bytes != outputBytes(column)) {
            throw new IllegalStateException(bytes + " bytes were written for "
                    + columns.get(column).output()
                    + ", which has " + outputBytes(column) + ": this is a fault of the program, and the input is as it"
                    + " was");
        }
    }

    /// Closes the inputs and removes everything that was not put in its place.
    @Override
    public void close() throws IOException {
        List<Closeable> open = new ArrayList<>(inputs);
        open.addAll(outputs);
        if (temporary != null) {
            open.add(temporary);
        }
        SortFolders.close(open);
    }
}
