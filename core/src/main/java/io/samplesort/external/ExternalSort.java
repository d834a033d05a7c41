package io.samplesort.external;

import io.samplesort.files.AtomicFile;
import io.samplesort.files.DiskSpace;
import io.samplesort.files.FileFailure;
import io.samplesort.files.InputFile;
import io.samplesort.files.Leftovers;
import io.samplesort.files.TemporaryFile;
import io.samplesort.types.ElementType;
import io.samplesort.types.FileColumn;
import io.samplesort.types.FileListener;
import io.samplesort.types.FilePlan;
import io.samplesort.types.SortReport;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// One external sort: it sorts files that may be larger than the memory. It checks the files first, and puts the
/// results in their places in the end. [ExternalPasses] does the work between.
public final class ExternalSort implements Closeable {
    private final PartSorter sorter;
    private final List<FileColumn> columns;
    private final long memoryBytes;
    private final Path temporaryFolder;
    private final FileListener listener;

    private final long start = System.nanoTime();
    private final List<InputFile> inputs = new ArrayList<>();
    private final List<Path> targets = new ArrayList<>();
    /// The inputs that results will replace.
    private final Set<InputFile> replacedInputs = new LinkedHashSet<>();
    private final List<AtomicFile> outputs = new ArrayList<>();
    private TemporaryFile temporary;

    /// @param temporaryFolder null for the folder of the first output
    public ExternalSort(
            PartSorter sorter,
            List<FileColumn> columns,
            long memoryBytes,
            Path temporaryFolder,
            FileListener listener) {
        this.sorter = sorter;
        this.columns = columns;
        this.memoryBytes = memoryBytes;
        this.temporaryFolder = temporaryFolder;
        this.listener = listener;
    }

    /// Sorts the files.
    ///
    /// @throws FileFailure if a file or disk is not fit for the sort; the message says what to do
    public SortReport run() throws IOException {
        openInputs();
        findTargets();
        long count = inputs.getFirst().count();
        FilePlan plan = FilePlanner.plan(
                count, sorter.cost(count), memoryBytes, Runtime.getRuntime().maxMemory());
        removeLeftovers();
        checkDisks(plan);
        listener.planned(plan);
        for (FileColumn column : columns) {
            outputs.add(AtomicFile.create(column.output()));
        }
        if (plan.isInParts()) {
            temporary = TemporaryFile.create(runFolder(), runName(), true);
        }
        for (int i = 0; i < inputs.size(); i++) {
            inputs.get(i).copyHeader(outputs.get(i).channel());
        }
        try (Arena arena = Arena.ofShared()) {
            ExternalPasses passes = new ExternalPasses(sorter, plan, columns, inputs, outputs, listener, arena);
            if (plan.isInParts()) {
                passes.sortRuns(temporary.channel());
                passes.sortBuckets();
            } else {
                passes.sortAtOnce();
            }
            publish();
            return passes.report(System.nanoTime() - start);
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

    private void findTargets() throws IOException {
        for (FileColumn column : columns) {
            Path target = AtomicFile.target(column.output());
            if (targets.contains(target)) {
                throw new IllegalArgumentException("two results would go to the same file, " + target);
            }
            targets.add(target);
            for (InputFile input : inputs) {
                if (Files.exists(target) && Files.isSameFile(input.path(), target)) {
                    replacedInputs.add(input);
                }
            }
        }
        if (temporaryFolder != null && !Files.isDirectory(temporaryFolder)) {
            throw new FileFailure("the folder " + temporaryFolder + " for temporary files is not there: make it first");
        }
        if (temporaryFolder != null && !Files.isWritable(temporaryFolder)) {
            throw new FileFailure("the folder " + temporaryFolder
                    + " for temporary files cannot be written to: check its permissions, or name another");
        }
    }

    private Path runFolder() {
        return temporaryFolder == null ? targets.getFirst().getParent() : temporaryFolder;
    }

    private String runName() {
        return targets.getFirst().getFileName().toString();
    }

    private void removeLeftovers() throws IOException {
        Set<Path> removed = new LinkedHashSet<>();
        for (Path target : targets) {
            removed.addAll(
                    Leftovers.remove(target.getParent(), target.getFileName().toString()));
        }
        removed.addAll(Leftovers.remove(runFolder(), runName()));
        removed.forEach(listener::removed);
    }

    private void checkDisks(FilePlan plan) throws IOException {
        DiskSpace space = new DiskSpace();
        if (plan.isInParts()) {
            space.need(runFolder(), plan.temporaryBytes(), "sorted parts");
        }
        for (int i = 0; i < targets.size(); i++) {
            Path target = targets.get(i);
            space.need(
                    target.getParent(),
                    inputs.get(i).size(),
                    target.getFileName().toString());
        }
        space.check();
    }

    /// Puts the results in their places.
    private void publish() throws IOException {
        for (int i = 0; i < outputs.size(); i++) {
            for (String loss : outputs.get(i).complete()) {
                listener.lost(columns.get(i).output(), loss);
            }
        }
        for (InputFile input : replacedInputs) {
            // The sort would overwrite what somebody has written to the input, or put there, since it was read. An
            // input that somebody has removed must not come back.
            input.checkUnchanged();
        }
        // The files are renamed right after each other, with nothing slow between.
        for (int i = 0; i < outputs.size(); i++) {
            try {
                outputs.get(i).publish();
            } catch (IOException e) {
                throw new FileFailure(
                        "cannot put " + targets.get(i) + " in its place"
                                + (i == 0 ? "" : ", though " + targets.subList(0, i) + " was replaced already"),
                        e);
            }
        }
        outputs.forEach(AtomicFile::settle);
    }

    /// Closes the inputs and removes everything that was not put in its place.
    @Override
    public void close() throws IOException {
        List<Closeable> open = new ArrayList<>(inputs);
        open.addAll(outputs);
        if (temporary != null) {
            open.add(temporary);
        }
        IOException failure = null;
        for (Closeable file : open) {
            try {
                file.close();
            } catch (IOException e) {
                failure = new FileFailure("cannot remove a temporary file; the next sort will try again", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
