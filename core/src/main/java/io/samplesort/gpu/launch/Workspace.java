package io.samplesort.gpu.launch;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;

/// The device memory of one sort in addition to its input, and the stream of the sort. The memory is one stream-ordered
/// allocation, or belongs to the caller, and is divided into the regions of a [WorkspaceLayout].
public final class Workspace implements AutoCloseable {
    private final Stream stream;
    private final WorkspaceLayout layout;
    private final WorkspaceGuard guard = WorkspaceGuard.installed();
    private final Owned owned = new Owned();
    /// The device address where it begins.
    private final long base;

    /// Allocates on `stream`, and clears there the regions that must be 0 before a sort.
    ///
    /// @param leastBytes the least number of bytes to allocate
    public Workspace(Context context, Stream stream, WorkspaceLayout layout, long leastBytes) {
        this.stream = stream;
        this.layout = layout;
        base = owned.add(DeviceAllocation.allocateAsync(context, stream, Math.max(layout.byteSize(), leastBytes)))
                .address();
        begin();
    }

    /// Uses memory of the caller's, and clears there the regions that must be 0 before a sort.
    ///
    /// @param memory as much as the layout takes, or more
    public Workspace(Stream stream, WorkspaceLayout layout, DeviceAllocation memory) {
        if (memory.byteSize() < layout.byteSize()) {
            throw new IllegalArgumentException(
                    "memory of " + memory.byteSize() + " bytes: the layout takes " + layout.byteSize());
        }
        this.stream = stream;
        this.layout = layout;
        base = memory.address();
        begin();
    }

    private void begin() {
        try {
            if (layout.zeroedBytes() > 0) {
                stream.fill(base, (byte) 0, layout.zeroedBytes());
            }
            guard.opened(this);
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns the stream of the sort.
    public Stream stream() {
        return stream;
    }

    /// Returns the layout of this memory.
    public WorkspaceLayout layout() {
        return layout;
    }

    /// Returns the device address of a region of the layout.
    public long address(long region) {
        return base + region;
    }

    /// Gives the memory back to the pool once the stream has come this far.
    @Override
    public void close() {
        try (owned) {
            guard.closing(this);
        }
    }
}
