package io.samplesort.external;

import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.Leftovers;
import io.samplesort.disk.OutputFile;
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
import java.util.List;
import java.util.Set;

/// One external sort: it sorts files that may be larger than the memory. It checks the files first, and puts the
/// results in their places in the end ([Results]). [ExternalPasses] does the work in between.
public final class ExternalSort implements Closeable {
    private final PartSorter sorter;
    private final List<FileColumn> columns;
    /// Null if all columns are read and written.
    private final IndexColumn indexes;
    private final long memoryBytes;
    private final Path temporaryFolder;
    private final FileListener listener;

    private final long start = System.nanoTime();
    private final List<InputFile> inputs = new ArrayList<>();
    private final Results results;
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
        this.listener = listener;
        this.results = new Results(overwrites, listener);
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
        List<OutputFile> outputs = results.open(runFolder());
        if (plan.isInParts()) {
            temporary = TemporaryFile.create(runFolder(), runName(), true);
        }
        for (int i = 0; i < inputs.size(); i++) {
            writeHeader(i, outputs.get(i));
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
            results.publish();
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

    private void writeHeader(int column, OutputFile output) throws IOException {
        if (indexes == null) {
            inputs.get(column).copyHeader(output);
        } else {
            output.append(indexes.header(), bytes -> {});
        }
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
        for (int i = 0; i < columns.size(); i++) {
            InputFile input = inputs.get(i);
            long bytes = indexes == null ? input.size() : indexes.fileBytes(input.count());
            results.add(columns.get(i).output(), bytes, inputs);
        }
        if (indexes != null && results.replaceInputs()) {
            throw new IllegalArgumentException("the permutation would replace "
                    + inputs.getFirst().path() + ", whose order it tells: name another file for it");
        }
    }

    private Path runFolder() throws IOException {
        return results.temporaryFolder(temporaryFolder, inputs.getFirst().path());
    }

    private String runName() throws IOException {
        return results.neighbour(inputs.getFirst().path()).getFileName().toString();
    }

    private void checkRunFolder(FilePlan plan) throws IOException {
        if (plan.isInParts() || results.needTemporaryFolder()) {
            SortFolders.checkTemporary(runFolder());
        }
    }

    private void removeLeftovers() throws IOException {
        Set<Path> removed = results.removeLeftovers(runFolder());
        removed.addAll(Leftovers.remove(runFolder(), runName()));
        removed.forEach(listener::removed);
    }

    private void checkDisks(FilePlan plan) throws IOException {
        DiskSpace space = new DiskSpace();
        if (plan.isInParts()) {
            space.need(runFolder(), plan.temporaryBytes(), "sorted parts");
        }
        results.addNeeds(space, runFolder());
        space.check();
    }

    /// Closes the inputs and removes everything that was not put in its place.
    @Override
    public void close() throws IOException {
        List<Closeable> open = new ArrayList<>(inputs);
        open.add(results);
        if (temporary != null) {
            open.add(temporary);
        }
        SortFolders.close(open);
    }
}
