package io.samplesort.gpu.host;

import io.samplesort.cuda.Event;
import io.samplesort.gpu.sort.DeviceColumns;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/// The work of one GPU in a sort whose runs do not stay on a device, see [HostRuns]: chunks come to the GPU, are sorted
/// and go back, as many as the GPU has time for.
final class RunStream extends ChunkPipeline {
    private final Slots slots;
    private final Event allocated;
    private long writtenBytes;
    private long sortedCount;

    RunStream(HostSort owner, HostPlan plan, List<MemorySegment> host, boolean isTimed) {
        super(owner, plan, host, isTimed);
        try {
            slots = own(new Slots());
            allocated = mark();
        } catch (RuntimeException | Error e) {
            try {
                close();
            } catch (RuntimeException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /// The parts of a transfer between host memory and a slot.
    interface Parts {
        List<TransferBatch.Part> of(int chunk, DeviceColumns slot);
    }

    /// Brings chunks to the device, sorts them and sends them back, until there are none left.
    ///
    /// @param next returns the number of the next chunk of all GPUs; negative if there is none
    /// @param from where the chunks come from
    /// @param to   where they go
    void sortChunks(IntSupplier next, Parts from, Parts to) {
        try (UploadFlow uploads = owner.uploads(byteSize(), uploadClock);
                DownloadFlow downloads = owner.downloads(byteSize(), downloadClock)) {
            try {
                streamThrough(next, from, to, uploads, downloads);
            } catch (RuntimeException | Error e) {
                downloads.closeAfter(e);
                throw e;
            } finally {
                writtenBytes = downloads.writtenBytes();
            }
        }
    }

    private void streamThrough(IntSupplier next, Parts from, Parts to, UploadFlow uploads, DownloadFlow downloads) {
        List<Integer> chunks = new ArrayList<>();
        List<TransferBatch> uploaded = new ArrayList<>();
        List<TransferBatch> downloaded = new ArrayList<>();
        int chunk = next.getAsInt();
        for (int done = 0; chunk >= 0 || done < chunks.size(); done++) {
            // The uploads are one chunk ahead, so that the next chunk is on its way while this one is sorted.
            while (chunk >= 0 && chunks.size() < done + 2) {
                int number = chunks.size();
                DeviceColumns slot = slots.get(number);
                Event isFree = number < HostPlan.SLOTS
                        ? allocated
                        : downloaded.get(number - HostPlan.SLOTS).completion();
                chunks.add(chunk);
                uploaded.add(uploads.submit(from.of(chunk, slot), isFree));
                chunk = next.getAsInt();
            }
            int sorted = chunks.get(done);
            sorting.waitFor(uploaded.get(done).completion());
            enqueueSort(plan.size(sorted), slots.get(done).from(0));
            sortedCount += plan.size(sorted);
            downloaded.add(downloads.submit(to.of(sorted, slots.get(done)), mark()));
        }
        uploads.finish();
        downloads.finish();
    }

    /// Returns how many bytes of host memory the latest call of [#sortChunks] has written.
    long writtenBytes() {
        return writtenBytes;
    }

    /// Returns how many elements this GPU has sorted, counting those in chunks and those in buckets.
    long sortedCount() {
        return sortedCount;
    }
}
