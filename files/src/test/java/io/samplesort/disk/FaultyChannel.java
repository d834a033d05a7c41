package io.samplesort.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.atomic.AtomicInteger;

/// A file on a device that moves a few bytes at a time, and fails after a number of calls.
final class FaultyChannel extends FileChannel {
    private final FileChannel file;
    private final int mostBytes;
    private final AtomicInteger callsLeft;

    /// @param mostBytes how many bytes a call moves at most
    /// @param callsLeft how many calls succeed
    FaultyChannel(FileChannel file, int mostBytes, int callsLeft) {
        this.file = file;
        this.mostBytes = mostBytes;
        this.callsLeft = new AtomicInteger(callsLeft);
    }

    private interface Move {
        int move(ByteBuffer piece) throws IOException;
    }

    private int move(ByteBuffer buffer, Move move) throws IOException {
        if (callsLeft.getAndDecrement() <= 0) {
            throw new IOException("Input/output error");
        }
        ByteBuffer piece = buffer.slice(buffer.position(), Math.min(mostBytes, buffer.remaining()));
        int moved = move.move(piece);
        buffer.position(buffer.position() + Math.max(0, moved));
        return moved;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return move(target, file::read);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return move(target, piece -> file.read(piece, position));
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return move(source, file::write);
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return move(source, piece -> file.write(piece, position));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return read(targets[offset]);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return write(sources[offset]);
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        file.force(metaData);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException("tests do not need it");
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException("tests do not need it");
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException("tests do not need it");
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return file.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
