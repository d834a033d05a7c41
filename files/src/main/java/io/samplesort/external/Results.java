package io.samplesort.external;

import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.Leftovers;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.OutputPlace;
import io.samplesort.disk.SortFolders;
import io.samplesort.files.types.FileListener;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The results of one sort or merge of files: where they go, and how they get there when all of them are complete.
final class Results implements Closeable {
    private final boolean overwrites;
    private final FileListener listener;
    private final List<Path> paths = new ArrayList<>();
    private final List<OutputPlace> places = new ArrayList<>();
    /// How many bytes each result will have.
    private final List<Long> sizes = new ArrayList<>();
    /// The inputs that results will replace.
    private final Set<InputFile> replacedInputs = new LinkedHashSet<>();
    private final List<OutputFile> files = new ArrayList<>();

    /// @param overwrites whether existing files are overwritten instead of replaced
    Results(boolean overwrites, FileListener listener) {
        this.overwrites = overwrites;
        this.listener = listener;
    }

    /// Finds the place of a result. Nothing is written yet.
    ///
    /// @param bytes  how many it will have
    /// @param inputs all that is read
    void add(Path path, long bytes, List<InputFile> inputs) throws IOException {
        OutputPlace place = OutputPlace.of(path, overwrites);
        for (OutputPlace other : places) {
            if (place.file().equals(other.file())) {
                throw new IllegalArgumentException("two results would go to the same file, " + place.file());
            }
        }
        paths.add(path);
        places.add(place);
        sizes.add(bytes);
        for (InputFile input : inputs) {
            if (place.isAt(input.path())) {
                place.checkNotReading(input.path());
                input.refuseGrowth();
                replacedInputs.add(input);
            }
        }
    }

    /// Returns whether a result will replace an input.
    boolean replaceInputs() {
        return !replacedInputs.isEmpty();
    }

    /// Returns whether a result lies in the folder for temporary files until it is complete.
    boolean needTemporaryFolder() {
        return places.stream().anyMatch(OutputPlace::isOverwritten);
    }

    /// Returns the file that temporary files are named after and lie next to: the first result, or the input if that
    /// result goes to a stream.
    Path neighbour(Path input) throws IOException {
        OutputPlace first = places.getFirst();
        return first.isStream() ? input.toRealPath() : first.file();
    }

    /// Returns the folder for temporary files.
    ///
    /// @param named the one that the user has named; null for that of the neighbour or, if that cannot be written to,
    ///     for one of the system's
    Path temporaryFolder(Path named, Path input) throws IOException {
        if (named != null) {
            return named;
        }
        List<Path> candidates = new ArrayList<>(SortFolders.ofSystem());
        candidates.addFirst(neighbour(input).getParent());
        return SortFolders.firstUsable(candidates);
    }

    /// Removes what killed sorts to the same files have left.
    ///
    /// @return the files that were removed
    Set<Path> removeLeftovers(Path temporaryFolder) throws IOException {
        Set<Path> removed = new LinkedHashSet<>();
        for (OutputPlace place : places) {
            if (!place.isStream()) {
                Path folder =
                        place.isOverwritten() ? temporaryFolder : place.file().getParent();
                removed.addAll(
                        Leftovers.remove(folder, place.file().getFileName().toString()));
            }
        }
        return removed;
    }

    /// Adds what the results need.
    void addNeeds(DiskSpace space, Path temporaryFolder) throws IOException {
        for (int i = 0; i < places.size(); i++) {
            places.get(i).addNeed(space, sizes.get(i), temporaryFolder);
        }
    }

    /// Begins to write all results.
    ///
    /// @return where to, in the order of the results
    List<OutputFile> open(Path temporaryFolder) throws IOException {
        for (int i = 0; i < places.size(); i++) {
            files.add(places.get(i).open(temporaryFolder));
            files.get(i).expect(sizes.get(i), sizes.get(i));
        }
        return files;
    }

    /// Puts the results in their places.
    void publish() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            checkSize(i);
            for (String loss : files.get(i).complete()) {
                listener.lost(paths.get(i), loss);
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
        for (int i = 0; i < files.size(); i++) {
            try {
                files.get(i).publish();
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
        files.forEach(OutputFile::settle);
    }

    private void checkSize(int result) {
        long bytes = files.get(result).byteSize();
        if (bytes != sizes.get(result)) {
            throw new IllegalStateException(bytes + " bytes were written for " + paths.get(result) + ", which has "
                    + sizes.get(result) + ": this is a fault of the program, and the input is as it was");
        }
    }

    /// Removes everything that was not put in its place.
    @Override
    public void close() throws IOException {
        SortFolders.close(files);
    }
}
