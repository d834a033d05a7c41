package io.samplesort.gpu;

import io.samplesort.SampleSortException;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/// Moves host memory of any kind to the device and back through a ring of pinned buffers: several threads fill or empty
/// one buffer while the copy engine works on another. Heap memory is never handed to an asynchronous copy itself, since
/// the garbage collector may move it.
final class HostTransfer implements AutoCloseable {
    private static final int BUFFER_COUNT = 3;
    private static final long BUFFER_BYTES = 16L << 20;
    /// Below this a second thread costs more than it copies.
    private static final long BYTES_PER_THREAD = 1L << 20;

    private static final int MAX_THREADS = Math.min(8, Runtime.getRuntime().availableProcessors());

    private final PinnedMemory[] buffers = new PinnedMemory[BUFFER_COUNT];
    private final Event[] done = new Event[BUFFER_COUNT];
    private final Owned owned = new Owned();

    HostTransfer(Context context) {
        try {
            for (int i = 0; i < BUFFER_COUNT; i++) {
                buffers[i] = owned.add(PinnedMemory.allocate(context, BUFFER_BYTES));
                done[i] = owned.add(Event.create(context, false));
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Copies all of `source` to the device; returns when `source` has been read.
    void upload(Stream stream, MemorySegment source, long device) {
        long bytes = source.byteSize();
        int index = 0;
        for (long offset = 0; offset < bytes; offset += BUFFER_BYTES, index = (index + 1) % BUFFER_COUNT) {
            long length = Math.min(BUFFER_BYTES, bytes - offset);
            MemorySegment buffer = buffers[index].segment();
            // An event that was never recorded counts as done.
            done[index].synchronize();
            copy(source, offset, buffer, 0, length);
            stream.copyToDevice(device + offset, buffer, length);
            done[index].record(stream);
        }
        for (Event event : done) {
            event.synchronize();
        }
    }

    /// Copies from the device to all of `target`; returns when it is complete.
    ///
    /// @throws SampleSortException if the device fails half-way; the message says how much of `target` is written
    void download(Stream stream, long device, MemorySegment target) {
        long bytes = target.byteSize();
        long chunks = (bytes + BUFFER_BYTES - 1) / BUFFER_BYTES;
        long written = 0;
        try {
            for (long chunk = 0; chunk < chunks + BUFFER_COUNT - 1; chunk++) {
                if (chunk < chunks) {
                    int index = (int) (chunk % BUFFER_COUNT);
                    long offset = chunk * BUFFER_BYTES;
                    stream.copyToHost(
                            buffers[index].segment(), device + offset, Math.min(BUFFER_BYTES, bytes - offset));
                    done[index].record(stream);
                }
                long ready = chunk - (BUFFER_COUNT - 1);
                if (ready >= 0) {
                    int index = (int) (ready % BUFFER_COUNT);
                    done[index].synchronize();
                    long offset = ready * BUFFER_BYTES;
                    long length = Math.min(BUFFER_BYTES, bytes - offset);
                    copy(buffers[index].segment(), 0, target, offset, length);
                    written = offset + length;
                }
            }
        } catch (RuntimeException e) {
            throw new SampleSortException(
                    "the GPU failed while the sorted elements were copied back: of the " + bytes
                            + " bytes of the input the first " + written
                            + " are overwritten with sorted elements, the rest is as it was; the input is lost",
                    e);
        }
    }

    private static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
        int threads = Math.clamp(bytes / BYTES_PER_THREAD, 1, MAX_THREADS);
        if (threads == 1) {
            MemorySegment.copy(from, fromOffset, to, toOffset, bytes);
            return;
        }
        IntStream.range(0, threads).parallel().forEach(i -> {
            long begin = bytes * i / threads;
            long end = bytes * (i + 1) / threads;
            MemorySegment.copy(from, fromOffset + begin, to, toOffset + begin, end - begin);
        });
    }

    @Override
    public void close() {
        owned.close();
    }
}
