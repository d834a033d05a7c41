package io.samplesort.external;

import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.FileLimit;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.SortFolders;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import io.samplesort.shared.FileSorters;
import io.samplesort.types.SortReport;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One merge of files that are sorted already, to a single result. Buckets of one size are cut from all inputs, as from
/// the runs of a sort, so each is read once, and no temporary file is needed.
public final class ExternalMerge implements Closeable {
    private final PartSorter sorter;
    private final List<FileColumn> columns;
    private final byte[] header;
    private final long memoryBytes;
    private final Path temporaryFolder;
    private final FileListener listener;

    private final long start = System.nanoTime();
    private final List<InputFile> inputs = new ArrayList<>();
    private final Results results;

    /// @param columns         the inputs, all with the same output
    /// @param header          what is written before the elements
    /// @param temporaryFolder where a result lies that will overwrite a file, as by [ExternalSort]
    public ExternalMerge(
            PartSorter sorter,
            List<FileColumn> columns,
            byte[] header,
            long memoryBytes,
            Path temporaryFolder,
            boolean overwrites,
            FileListener listener) {
        this.sorter = sorter;
        this.columns = columns;
        this.header = header.clone();
        this.memoryBytes = memoryBytes;
        this.temporaryFolder = temporaryFolder;
        this.listener = listener;
        this.results = new Results(overwrites, listener);
    }

    /// Merges the files.
    ///
    /// @throws FileFailure if an input is not in order, or a file or disk is not fit; the message says what to do
    public SortReport run() throws IOException {
        openInputs();
        long count = inputs.stream().mapToLong(InputFile::count).sum();
        FilePlan plan = FilePlanner.mergePlan(count, inputs.size(), sorter.cost(count), memoryBytes);
        results.add(columns.getFirst().output(), header.length + count * plan.elementBytes(), inputs);
        Path folder = results.temporaryFolder(temporaryFolder, inputs.getFirst().path());
        if (results.needTemporaryFolder()) {
            SortFolders.checkTemporary(folder);
        }
        results.removeLeftovers(folder).forEach(listener::removed);
        DiskSpace space = new DiskSpace();
        results.addNeeds(space, folder);
        space.check();
        List<OutputFile> outputs = results.open(folder);
        outputs.getFirst().append(MemorySegment.ofArray(header), bytes -> {});
        List<FileColumn> written = columns.subList(0, 1);
        try (Arena arena = Arena.ofShared();
                FileSorters.Merger merger = sorter.merger();
                ExternalPasses passes =
                        new ExternalPasses(sorter, plan, written, null, inputs, outputs, listener, arena)) {
            passes.merge(new MergedInputs(sorter, columns, inputs, arena), merger);
            results.publish();
            return passes.report(System.nanoTime() - start);
        }
    }

    private void openInputs() throws IOException {
        int most = FileLimit.spare(columns.size());
        if (most < columns.size()) {
            throw new FileFailure(
                    "a merge of " + columns.size() + " files has to open all of them, and this process may" + " open "
                            + most + " more: raise the limit (ulimit -n), or merge some of them first");
        }
        int elementBytes = sorter.columnTypes().getFirst().byteSize();
        for (FileColumn column : columns) {
            inputs.add(InputFile.openCached(column.input(), column.headerBytes(), elementBytes));
        }
    }

    /// Closes the inputs and removes everything that was not put in its place.
    @Override
    public void close() throws IOException {
        List<Closeable> open = new ArrayList<>(inputs);
        open.add(results);
        SortFolders.close(open);
    }
}
