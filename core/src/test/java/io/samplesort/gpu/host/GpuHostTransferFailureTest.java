package io.samplesort.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies of host memory during which something fails.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuHostTransferFailureTest {
    private static final int BLOCK = 4096;

    private final Emulator emulator = Emulator.start();
    private final byte[] source = new byte[61 * BLOCK + 3];

    GpuHostTransferFailureTest() {
        new SplittableRandom(7).nextBytes(source);
    }

    @AfterEach
    void reset() {
        emulator.inject(Fault.ALLOCATION, 0);
        emulator.reset();
    }

    @ParameterizedTest(name = "{0} helpers, groups of {1} blocks")
    @CsvSource({"0, 1", "3, 1", "3, 4"})
    void everyBufferMayBeRefused(int helpers, int groupBlocks) {
        TransferPlan plan = new TransferPlan(0, helpers, BLOCK, groupBlocks, 4, 100_000);
        try (Device device = new Device()) {
            for (int n = 1; n <= 5; n++) {
                try (HostTransfer transfer = device.transfer()) {
                    emulator.inject(Fault.ALLOCATION, n);
                    Throwable failure = catchThrowable(() -> device.upload(transfer, plan, source));
                    emulator.inject(Fault.ALLOCATION, 0);
                    if (n <= 4) {
                        assertThat(failure).isInstanceOf(CudaException.class).hasMessageContaining("told to fail");
                    } else {
                        assertThat(failure).isNull();
                    }
                    device.upload(transfer, plan, source);
                    assertThat(device.download(transfer, plan)).isEqualTo(source);
                }
            }
        }
    }

    /// Whenever the device is lost, the bytes that have been written are counted. The moments begin before a download,
    /// and come ever later within the time that one takes on this machine.
    @Test
    void theDeviceMayBeLostAtAnyTime() throws InterruptedException {
        int failures = 0;
        for (int n = 0; n < 60; n++) {
            TransferPlan plan = new TransferPlan(0, n % 5, BLOCK, 1 << n % 3, 3, 100_000);
            try (Device device = new Device();
                    HostTransfer transfer = device.transfer()) {
                device.upload(transfer, plan, source);
                long before = System.nanoTime();
                device.download(transfer, plan);
                long begin = System.nanoTime();
                long delay = (begin - before) * n / 60;
                byte[] target = new byte[source.length];
                Thread thief = new Thread(() -> {
                    while (System.nanoTime() - begin < delay) {
                        Thread.onSpinWait();
                    }
                    emulator.inject(Fault.LOST_DEVICE, 1);
                });
                DownloadFlow downloads = new DownloadFlow(transfer, device.stream, plan, StageClock.none());
                thief.start();
                if (n == 0) {
                    thief.join();
                }
                Throwable failure = catchThrowable(() -> device.finish(downloads, target));
                long changed = changedBytes(target);
                if (failure == null) {
                    assertThat(target).isEqualTo(source);
                } else {
                    failures++;
                    assertThat(failure).isInstanceOf(CudaException.class);
                    assertThat(downloads.writtenBytes()).isBetween(changed, (long) target.length);
                }
                thief.join();
                emulator.reset();
            }
        }
        assertThat(failures).isPositive();
    }

    private static long changedBytes(byte[] target) {
        return IntStream.range(0, target.length).filter(i -> target[i] != 0).count();
    }

    /// The device, with memory for the source.
    private final class Device implements AutoCloseable {
        private final Owned owned = new Owned();
        private final Context context = owned.add(Context.retainPrimary(0));
        private final Context.Scope scope = owned.add(context.enter());
        private final Stream stream = owned.add(Stream.create(context));
        private final long address =
                owned.add(DeviceAllocation.allocate(context, source.length)).address();

        HostTransfer transfer() {
            return new HostTransfer(context, Tuning.defaultFor(ElementType.LONG, null));
        }

        void upload(HostTransfer transfer, TransferPlan plan, byte[] bytes) {
            finish(new UploadFlow(transfer, stream, plan, StageClock.none()), bytes);
        }

        byte[] download(HostTransfer transfer, TransferPlan plan) {
            byte[] target = new byte[source.length];
            finish(new DownloadFlow(transfer, stream, plan, StageClock.none()), target);
            return target;
        }

        void finish(TransferFlow flow, byte[] bytes) {
            try (flow) {
                MemorySegment host = MemorySegment.ofArray(bytes);
                flow.submit(List.of(new TransferBatch.Part(host, address)), null)
                        .completion();
                flow.finish();
            }
        }

        @Override
        public void close() {
            owned.close();
        }
    }
}
