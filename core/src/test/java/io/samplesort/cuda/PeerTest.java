package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Several emulated GPUs: each has its own memory and its own faults, and what one may touch of another is checked.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class PeerTest {
    private final Emulator emulator = Emulator.start();

    @AfterEach
    void reset() {
        emulator.reset();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void eachGpuHasMemoryOfItsOwn(int count) {
        try (SeveralGpus gpus = SeveralGpus.of(count);
                PeerBed all = new PeerBed(count)) {
            assertThat(CudaDevice.count()).isEqualTo(count);
            for (PeerBed.Gpu gpu : all.list) {
                gpu.write(gpu.array(), 100L * gpu.number());
            }
            for (PeerBed.Gpu gpu : all.list) {
                assertThat(gpu.numbers()[5]).isEqualTo(100 * gpu.number() + 5);
            }
            assertThatThrownBy(() -> CudaDevice.get(count))
                    .isInstanceOf(GpuUnavailableException.class)
                    .hasMessageContaining("there is no GPU " + count)
                    .hasMessageContaining(count + " are visible");
        }
        assertThat(CudaDevice.count()).isEqualTo(1);
    }

    @Test
    void memoryRunsOutOnOneGpuAlone() {
        try (SeveralGpus gpus = SeveralGpus.withMemory(64 << 20, 1 << 20);
                PeerBed all = new PeerBed(2)) {
            assertThat(CudaDevice.get(0).totalBytes()).isEqualTo(64 << 20);
            assertThat(CudaDevice.get(1).totalBytes()).isEqualTo(1 << 20);
            try (Context.Scope scope = all.get(0).context.enter()) {
                DeviceAllocation.allocate(all.get(0).context, 8 << 20).close();
            }
            try (Context.Scope scope = all.get(1).context.enter()) {
                assertThatThrownBy(() -> DeviceAllocation.allocate(all.get(1).context, 8 << 20))
                        .isInstanceOf(CudaException.class)
                        .hasMessageContaining("on gpu:1")
                        .hasMessageContaining("CUDA_ERROR_OUT_OF_MEMORY");
            }
        }
    }

    enum Memory {
        OF_CONTEXT,
        OF_POOL
    }

    @ParameterizedTest
    @EnumSource
    void kernelsTouchTheMemoryOfAPeerOnceTheyMay(Memory memory) {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                PeerBed all = new PeerBed(2)) {
            PeerBed.Gpu near = all.get(0);
            PeerBed.Gpu far = all.get(1);
            long address = memory == Memory.OF_POOL ? far.pooledArray() : far.array();
            assertThat(near.context.enablePeer(far.context)).isTrue();
            assertThat(near.context.enablePeer(far.context)).as("a second time").isTrue();
            near.write(address, 7);
            near.synchronize();
            assertThat(far.numbers(address)[1]).isEqualTo(8);
            // The other direction has not been allowed.
            far.write(near.array(), 9);
            assertThatThrownBy(far::synchronize)
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("on gpu:1")
                    .hasMessageContaining("kernel write_numbers, block 0, thread ")
                    .hasMessageContaining("writes 4 bytes of device memory: allocation")
                    .hasMessageContaining("on GPU 0, offset")
                    .hasMessageContaining("which the context of GPU 1 has no peer access to");
        }
    }

    /// Peer access of a context is not access to the pool, and a program that forgets the one or the other fails.
    @Test
    void poolsAreOpenedByThemselves() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                PeerBed all = new PeerBed(2)) {
            PeerBed.Gpu near = all.get(0);
            PeerBed.Gpu far = all.get(1);
            try (Context.Scope scope = near.context.enter()) {
                Cuda.driver().ctxEnablePeerAccess.call(far.context.handle(), 0);
            }
            near.write(far.array(), 7);
            near.synchronize();
            near.write(far.pooledArray(), 7);
            assertThatThrownBy(near::synchronize).hasMessageContaining("has no peer access to");
        }
    }

    @Test
    void copiesReachAGpuThatKernelsCannotReach() {
        try (SeveralGpus gpus = SeveralGpus.of(3).separate(0, 2);
                PeerBed all = new PeerBed(3)) {
            PeerBed.Gpu near = all.get(0);
            PeerBed.Gpu far = all.get(2);
            assertThat(CudaDevice.canReach(0, 1)).isTrue();
            assertThat(CudaDevice.canReach(0, 2)).isFalse();
            assertThat(CudaDevice.canReach(0, 0)).isFalse();
            assertThat(near.context.enablePeer(all.get(1).context)).isTrue();
            assertThat(near.context.enablePeer(far.context)).isFalse();
            near.write(near.array(), 30);
            near.in(() -> near.stream.copyBetween(far.array(), far.context, near.array(), near.context, PeerBed.BYTES));
            near.synchronize();
            assertThat(far.numbers()[3]).isEqualTo(33);
        }
    }

    @Test
    void aLostGpuLeavesTheOthersAlone() {
        try (SeveralGpus gpus = SeveralGpus.of(3);
                PeerBed all = new PeerBed(3)) {
            emulator.inject(1, Fault.LOST_DEVICE, 1);
            all.get(0).write(all.get(0).array(), 1);
            assertThatThrownBy(() -> all.get(1).write(all.get(1).array(), 1))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("on gpu:1")
                    .hasMessageContaining("a test has told the device to fail");
            all.get(2).write(all.get(2).array(), 4);
            assertThat(all.get(0).numbers()[1]).isEqualTo(2);
            assertThat(all.get(2).numbers()[1]).isEqualTo(5);
            assertThatThrownBy(all.get(1)::synchronize).hasMessageContaining("on gpu:1");
        }
    }

    @Test
    void oneGpuRefusesWhatAnotherDoes() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                PeerBed all = new PeerBed(2)) {
            emulator.inject(1, Fault.LAUNCH, 1);
            all.get(0).write(all.get(0).array(), 1);
            assertThatThrownBy(() -> all.get(1).write(all.get(1).array(), 1)).hasMessageContaining("was told to fail");
            all.get(1).write(all.get(1).array(), 1);
        }
    }

    @Test
    void whatBelongsToAnotherGpuIsRefused() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                PeerBed all = new PeerBed(2)) {
            PeerBed.Gpu near = all.get(0);
            PeerBed.Gpu far = all.get(1);
            near.in(() -> {
                assertThatThrownBy(() -> far.stream.synchronize())
                        .hasMessageContaining("on a stream of GPU 1, while the current context is that of GPU 0");
                assertThatThrownBy(() -> far.event.record(near.stream))
                        .hasMessageContaining("of an event of GPU 1 on a stream of GPU 0");
                assertThatThrownBy(() -> near.stream.fill(far.array(), (byte) 0, 8))
                        .hasMessageContaining("memory of another GPU");
                assertThatThrownBy(() -> near.stream.copyOnDevice(near.array(), far.array(), 8))
                        .hasMessageContaining("for GPU 0 of memory of GPU 1");
                Kernel kernel = far.kernel("write_numbers").with(near.array()).with(1);
                assertThatThrownBy(() -> kernel.launch(near.stream, 1, PeerBed.COUNT, 0, Kernel.Mode.AFTER))
                        .hasMessageContaining("is loaded on GPU 1, while the current context is that of GPU 0");
            });
        }
    }

    @Test
    void pinnedMemoryIsThatOfAllGpus() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                PeerBed all = new PeerBed(2)) {
            PeerBed.Gpu near = all.get(0);
            PeerBed.Gpu far = all.get(1);
            near.write(near.array(), 40);
            near.in(() -> near.stream.copyToHost(near.pinned.segment(), near.array(), PeerBed.BYTES));
            near.synchronize();
            far.in(() -> {
                assertThat(PinnedMemory.isPinned(far.context, near.pinned.segment()))
                        .isTrue();
                far.stream.copyToDevice(far.array(), near.pinned.segment(), PeerBed.BYTES);
            });
            assertThat(far.numbers()[2]).isEqualTo(42);
        }
    }
}
