package io.samplesort.lines.flow;

import io.samplesort.disk.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All inputs of a sort, which are read one after another.
public final class LineSources implements Closeable {
    private final List<LineSource> sources = new ArrayList<>();
    private int next;

    /// Looks for all inputs, so that missing ones are found before any work.
    public static LineSources of(List<Path> paths) throws IOException {
        LineSources found = new LineSources();
        for (Path path : paths) {
            found.sources.add(LineSource.of(path));
        }
        return found;
    }

    /// Returns a single input.
    public static LineSources of(LineSource source) {
        LineSources found = new LineSources();
        found.sources.add(source);
        return found;
    }

    public List<LineSource> all() {
        return sources;
    }

    /// Returns the first input that has not been read to its end; null if there is none.
    public LineSource current() {
        return next < sources.size() ? sources.get(next) : null;
    }

    /// Goes on with the input after the current one.
    public void skip() throws IOException {
        sources.get(next++).close();
    }

    /// Returns how many bytes are still to be read, and one byte more for each input, since its last line may lack a
    /// terminator. With a stream among them, this is more than there can be.
    public long remaining() {
        long bytes = 0;
        for (LineSource source : sources.subList(next, sources.size())) {
            if (!source.isFile()) {
                return Long.MAX_VALUE;
            }
            bytes += source.remaining() + 1;
        }
        return bytes;
    }

    /// Returns how many bytes were read of all inputs.
    public long bytesRead() {
        return sources.stream().mapToLong(LineSource::bytesRead).sum();
    }

    @Override
    public void close() throws IOException {
        Closing.all(sources);
    }
}
