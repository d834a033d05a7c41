package io.samplesort.gpu.chunks;

import io.samplesort.gpu.transfer.DownloadFlow;
import io.samplesort.types.SampleSortException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/// A sort of host memory on one GPU that holds all elements at once, so that results go right to where they belong.
abstract class DevicePipeline extends ChunkPipeline implements HostPipeline {
    private boolean isWrittenBack;

    DevicePipeline(HostSort owner, HostPlan plan, List<MemorySegment> host, boolean isTimed) {
        super(owner, plan, host, isTimed);
    }

    /// Copies results back to the input.
    ///
    /// @param submit hands over all of them
    final void download(Consumer<DownloadFlow> submit) {
        try (DownloadFlow downloads = owner.downloads(byteSize(), downloadClock)) {
            writeBack(downloads, () -> {
                submit.accept(downloads);
                downloads.finish();
            });
        }
    }

    /// Does work that copies results back to the input. If it fails before anything is written, the failure is thrown
    /// as it is.
    private void writeBack(DownloadFlow downloads, Runnable work) {
        try {
            work.run();
            isWrittenBack = true;
        } catch (RuntimeException | Error e) {
            downloads.closeAfter(e);
            if (downloads.writtenBytes() == 0) {
                throw e;
            }
            throw afterWriting(downloads.writtenBytes(), e);
        }
    }

    @Override
    public boolean isWrittenBack() {
        return isWrittenBack;
    }

    private SampleSortException afterWriting(long writtenBytes, Throwable failure) {
        return new SampleSortException(
                "the GPU failed while the sorted elements were copied back: " + writtenBytes + " of the "
                        + byteSize() + " bytes of the input are overwritten with sorted elements, the rest is as it"
                        + " was; the input is lost",
                failure);
    }
}
