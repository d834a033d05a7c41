package io.samplesort.lines;

import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.Leftovers;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.OutputPlace;
import io.samplesort.disk.SortFolders;
import io.samplesort.disk.TemporaryFile;
import io.samplesort.files.types.FileListener;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.flow.LineSources;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/// The files of one sort of lines: its inputs, its output, and its temporary files. What is not published is removed
/// when this is closed.
final class LineFiles implements Closeable {
    /// The name of temporary files for an output without a name.
    private static final String STREAM_NAME = "lines";

    private final LineJob job;
    private final FileListener listener;
    /// The inputs of the whole sort.
    private final LineSources inputs;
    /// The lines that this step of it reads.
    private final LineSources sources;

    private final OutputPlace place;
    private final List<TemporaryFile> temporaries = new ArrayList<>();
    private ResultWriter result;
    /// Takes the lines in place of the output; null if they go there.
    private LineSink instead;

    private LineFiles(LineJob job, FileListener listener, LineSources inputs, LineSources sources, OutputPlace place) {
        this.job = job;
        this.listener = listener;
        this.inputs = inputs;
        this.sources = sources;
        this.place = place;
    }

    /// Looks for the inputs and for the place of the output, and removes what killed sorts have left there.
    ///
    /// @throws FileFailure if a file or folder is not fit for the sort
    static LineFiles open(LineJob job, FileListener listener) throws IOException {
        OutputPlace place = OutputPlace.of(job.output(), job.overwrites());
        LineSources inputs = LineSources.of(job.inputs());
        LineFiles files = new LineFiles(job, listener, inputs, inputs, place);
        for (LineSource source : files.inputsAtPlace()) {
            source.refuseGrowth();
        }
        if (place.isOverwritten()) {
            SortFolders.checkTemporary(files.resultFolder());
        }
        files.removeLeftovers();
        return files;
    }

    /// Makes the lines go to a sink and not to the output.
    void writeTo(LineSink sink) {
        instead = sink;
    }

    /// Returns the files of the step behind this one, which writes the output.
    ///
    /// @param source what this step has written
    LineFiles after(LineJob next, LineSource source) {
        return new LineFiles(next, listener, inputs, LineSources.of(source), place);
    }

    LineSources sources() {
        return sources;
    }

    /// Returns the input files that the output goes to.
    private Set<LineSource> inputsAtPlace() throws IOException {
        Set<LineSource> found = new LinkedHashSet<>();
        for (LineSource source : inputs.all()) {
            if (source.isFile() && place.isAt(source.path())) {
                found.add(source);
            }
        }
        return found;
    }

    private List<Path> temporaryFolders() {
        if (!job.temporaryFolders().isEmpty()) {
            return job.temporaryFolders();
        }
        List<Path> candidates = new ArrayList<>(SortFolders.ofSystem());
        if (!place.isStream()) {
            candidates.addFirst(folder());
        }
        return List.of(SortFolders.firstUsable(candidates));
    }

    /// Returns where the result of an overwritten file lies until it is complete.
    private Path resultFolder() {
        return temporaryFolders().getFirst();
    }

    private Path folder() {
        return place.file().getParent();
    }

    private String name() {
        return place.isStream() ? STREAM_NAME : place.file().getFileName().toString();
    }

    private void removeLeftovers() throws IOException {
        Set<Path> folders = new LinkedHashSet<>(temporaryFolders());
        if (!place.isStream()) {
            folders.add(folder());
        }
        for (Path folder : folders) {
            Leftovers.remove(folder, name()).forEach(listener::removed);
        }
    }

    /// Checks whether the folders and disks are fit for what will be written, as far as that is known.
    ///
    /// @param bytes    of all lines
    /// @param hasParts whether there will be sorted parts
    void checkDisks(long bytes, boolean hasParts) throws IOException {
        DiskSpace space = new DiskSpace();
        if (hasParts) {
            List<Path> folders = temporaryFolders();
            for (Path folder : folders) {
                SortFolders.checkTemporary(folder);
                space.need(folder, Math.ceilDiv(bytes, folders.size()), "sorted parts");
            }
        }
        // It is not known how few lines will be left if not all are kept, and how many bytes their numbers take.
        if (job.keepsAll()) {
            place.addNeed(space, bytes, resultFolder());
        }
        if (job.cut() == null && job.repeats() != Repeats.LEFT_OUT) {
            space.check();
        }
    }

    /// Makes a temporary file in each of the folders.
    List<TemporaryFile> newTemporaries() throws IOException {
        List<TemporaryFile> made = new ArrayList<>();
        for (Path folder : temporaryFolders()) {
            made.add(newTemporary(folder));
        }
        return made;
    }

    /// Makes a temporary file in the first one of the folders.
    TemporaryFile newTemporary() throws IOException {
        return newTemporary(temporaryFolders().getFirst());
    }

    private TemporaryFile newTemporary(Path folder) throws IOException {
        SortFolders.checkTemporary(folder);
        TemporaryFile file = TemporaryFile.create(folder, name(), true);
        temporaries.add(file);
        return file;
    }

    void remove(List<TemporaryFile> files) throws IOException {
        for (TemporaryFile file : files) {
            temporaries.remove(file);
            file.close();
        }
    }

    /// Returns whether the output is a stream, which is written to directly.
    boolean isStream() {
        return place.isStream();
    }

    /// Begins the result, unless it has begun already.
    ///
    /// @param isReading  whether inputs are read while it is written
    /// @param leastBytes how many bytes it has at least
    /// @param mostBytes  how many bytes it has at most; 0 if not known
    /// @param moved      is called with the bytes that were written, by several threads
    /// @throws FileFailure if it is a stream to a file that is still being read
    LineSink result(boolean isReading, long leastBytes, long mostBytes, LongConsumer moved) throws IOException {
        if (instead != null) {
            return instead;
        }
        if (result == null) {
            if (isReading && place.isStream()) {
                for (LineSource source : inputsAtPlace()) {
                    place.checkNotReading(source.path());
                }
            }
            result = new ResultWriter(place.open(resultFolder()), job.output(), moved);
            result.expect(leastBytes, mostBytes);
        }
        return result;
    }

    /// Puts the output in its place if it has all lines and no input was changed meanwhile.
    ///
    /// @param last the tally of the step that wrote the output
    void publish(LineTally last) throws IOException {
        OutputFile output = result.output();
        last.checkWritten(output.byteSize());
        for (String loss : output.complete()) {
            listener.lost(job.output(), loss);
        }
        checkInputs();
        // Windows renames nothing to the name of an open file.
        inputs.close();
        try {
            output.publish();
        } catch (FileFailure e) {
            throw e;
        } catch (IOException e) {
            throw new FileFailure("cannot put " + place.file() + " in its place", e);
        }
        output.settle();
    }

    private void checkInputs() throws IOException {
        // What a stream has appended to an input has made the input longer.
        Set<LineSource> written = place.isStream() ? inputsAtPlace() : Set.of();
        for (LineSource source : inputs.all()) {
            long growth = written.contains(source) ? 0 : source.checkUnchanged();
            if (growth > 0) {
                listener.grown(source.path(), growth);
            }
        }
    }

    @Override
    public void close() throws IOException {
        List<Closeable> open = new ArrayList<>(temporaries);
        open.add(sources);
        if (result != null) {
            open.add(result.output());
        }
        SortFolders.close(open);
    }
}
