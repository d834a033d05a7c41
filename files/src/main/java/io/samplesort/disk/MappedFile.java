package io.samplesort.disk;

import io.samplesort.memory.PageAdvice;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongConsumer;

/// A file in a file system that lies in memory, mapped, so that several threads can write to it at once. Linux locks a
/// file as long as a thread writes to it by a system call, and new pages take most of the time of such a call.
///
/// No access of Java to the mapping can fail, since the system has provided the pages before. If it has too little room
/// for them, a system call writes what is left, and its failure says why.
///
/// Threads that make the system provide pages at the same time get in each other's way. So one thread does this
/// beforehand, while others read and sort.
final class MappedFile implements Closeable {
    /// On disks, providing pages also reserves blocks, one at a time, which takes longer than writing.
    private static final Set<String> MEMORY_SYSTEMS = Set.of("tmpfs", "ramfs");

    /// This much is provided and copied at a time, while it is in the caches of one core.
    private static final long PIECE_BYTES = 1L << 20;

    /// This much is provided beforehand at a time; the end of the file waits for it if it comes meanwhile.
    private static final long STEP_BYTES = 8L << 20;

    private final FileChannel channel;
    private final Arena arena;
    private final MemorySegment memory;
    /// This many bytes, from the first one on, are known to have their pages.
    private volatile long providedBytes;

    private volatile boolean isClosed;
    /// The thread that provides pages; null if there is none.
    private Thread provider;

    private MappedFile(FileChannel channel, Arena arena, MemorySegment memory) {
        this.channel = channel;
        this.arena = arena;
        this.memory = memory;
    }

    /// Returns whether a file is better written this way.
    static boolean pays(Path file) throws IOException {
        FileStore store = Stores.of(file);
        return store != null && MEMORY_SYSTEMS.contains(store.type());
    }

    /// Maps the first bytes of a file, which is made longer if it has fewer.
    static MappedFile of(FileChannel channel, long bytes) throws IOException {
        Arena arena = Arena.ofShared();
        boolean isMapped = false;
        try {
            MappedFile file =
                    new MappedFile(channel, arena, channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena));
            isMapped = true;
            return file;
        } finally {
            if (!isMapped) {
                arena.close();
            }
        }
    }

    /// Begins to provide the first bytes, by a thread that does nothing else.
    void provideAhead(long bytes) {
        Thread thread = Thread.ofPlatform().daemon().name("samplesort-provide").unstarted(() -> {
            for (long from = 0; from < bytes && !isClosed; from += STEP_BYTES) {
                MemorySegment step = memory.asSlice(from, Math.min(STEP_BYTES, bytes - from));
                if (!PageAdvice.provide(step)) {
                    // The threads that write there will find out why.
                    return;
                }
                providedBytes = from + step.byteSize();
            }
        });
        try {
            thread.start();
            provider = thread;
        } catch (OutOfMemoryError e) {
            // The system refuses another thread, so those that write provide the pages.
            provider = null;
        }
    }

    /// Returns whether all these bytes are mapped.
    boolean holds(long position, long bytes) {
        return position + bytes <= memory.byteSize();
    }

    /// Writes a segment to its place. Several threads may do so at once.
    ///
    /// @param moved as by [SegmentIo#write]
    void write(long position, MemorySegment source, LongConsumer moved) throws IOException {
        for (long from = 0; from < source.byteSize(); from += PIECE_BYTES) {
            MemorySegment piece = source.asSlice(from, Math.min(PIECE_BYTES, source.byteSize() - from));
            MemorySegment place = memory.asSlice(position + from, piece.byteSize());
            if (position + from + piece.byteSize() <= providedBytes || PageAdvice.provide(place)) {
                place.copyFrom(piece);
                moved.accept(piece.byteSize());
            } else {
                SegmentIo.write(channel, position + from, piece, moved);
            }
        }
    }

    /// Ends the mapping. The file stays as it is.
    @Override
    public void close() {
        isClosed = true;
        if (provider != null) {
            Threads.join(provider);
        }
        Closing.end(arena);
    }
}
