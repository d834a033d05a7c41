package io.samplesort.cli;

import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file of keys: raw and little-endian, or NumPy's `.npy`, whose header says what it holds.
///
/// @param path        the file
/// @param type        of its keys
/// @param headerBytes before the first key
/// @param count       keys
record KeyFile(Path path, KeyType type, long headerBytes, long count) {
    /// Looks at a file and checks that it holds whole keys of a known type.
    ///
    /// @param type null where the file's own header is to say it
    static KeyFile open(Path path, KeyType type) {
        if (Files.isDirectory(path)) {
            throw new CommandFailure(path + " is a folder: name a file");
        }
        if (!Files.isRegularFile(path)) {
            throw new CommandFailure(path + " is not there, or no regular file");
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (isNpy(path)) {
                NpyHeader header = NpyHeader.read(path, channel);
                if (type != null && type != header.type()) {
                    throw new CommandFailure(path + " holds " + header.type() + " keys by its header, and --type says "
                            + type + ": leave --type out");
                }
                long expected =
                        header.byteSize() + header.count() * header.type().byteSize();
                if (size != expected) {
                    throw new CommandFailure(path + " has " + size + " bytes and by its header should have " + expected
                            + ": it is truncated, or no plain array");
                }
                return new KeyFile(path, header.type(), header.byteSize(), header.count());
            }
            if (type == null) {
                throw new CommandFailure(path + " is a raw file: say with --type what it holds");
            }
            if (size % type.byteSize() != 0) {
                throw new CommandFailure(path + " has " + size + " bytes, which is no multiple of " + type.byteSize()
                        + ", the size of a " + type + ": is --type right?");
            }
            return new KeyFile(path, type, 0, size / type.byteSize());
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    static boolean isNpy(Path path) {
        return path.getFileName().toString().endsWith(".npy");
    }

    /// The keys, mapped read-only. The memory is valid until `arena` is closed.
    MemorySegment map(Arena arena) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            // A mapping begins at a page: map the header as well and leave it out.
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, headerBytes + keyBytes(), arena)
                    .asSlice(headerBytes);
        } catch (IOException e) {
            throw new CommandFailure("cannot map " + path + ": " + e.getMessage(), e);
        }
    }

    /// The keys in memory of their own, aligned.
    MemorySegment read(Arena arena, Progress progress) {
        MemorySegment keys = arena.allocate(Math.max(1, keyBytes()), ValueLayout.JAVA_LONG.byteAlignment())
                .asSlice(0, keyBytes());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            SegmentIo.read(channel, headerBytes, keys, progress);
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
        }
        return keys;
    }

    /// The bytes before the first key.
    byte[] header() {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment header = MemorySegment.ofArray(new byte[(int) headerBytes]);
            SegmentIo.read(channel, 0, header, Progress.none());
            return header.toArray(ValueLayout.JAVA_BYTE);
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    long keyBytes() {
        return count * type.byteSize();
    }
}
