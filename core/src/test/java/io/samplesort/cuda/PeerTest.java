package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.CudaException;
import io.samplesort.types.GpuUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Several emulated GPUs: each has its own memory and its own faults, what one may touch of another is checked, and so
/// is the order of work that touches the same bytes.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class PeerTest {
    private static final int COUNT = 64;
    private static final long BYTES = COUNT * (long) Integer.BYTES;

    private final Emulator emulator = Emulator.start();

    @AfterEach
    void reset() {
        emulator.reset();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void eachGpuHasMemoryOfItsOwn(int count) {
        try (SeveralGpus gpus = SeveralGpus.of(count);
                Gpus all = new Gpus(count)) {
            assertThat(CudaDevice.count()).isEqualTo(count);
            for (Gpu gpu : all.list) {
                gpu.write(gpu.array(), 100L * gpu.number());
            }
            for (Gpu gpu : all.list) {
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
                Gpus all = new Gpus(2)) {
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
                Gpus all = new Gpus(2)) {
            Gpu near = all.get(0);
            Gpu far = all.get(1);
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
                Gpus all = new Gpus(2)) {
            Gpu near = all.get(0);
            Gpu far = all.get(1);
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
                Gpus all = new Gpus(3)) {
            Gpu near = all.get(0);
            Gpu far = all.get(2);
            assertThat(CudaDevice.canReach(0, 1)).isTrue();
            assertThat(CudaDevice.canReach(0, 2)).isFalse();
            assertThat(CudaDevice.canReach(0, 0)).isFalse();
            assertThat(near.context.enablePeer(all.get(1).context)).isTrue();
            assertThat(near.context.enablePeer(far.context)).isFalse();
            near.write(near.array(), 30);
            near.in(() -> near.stream.copyBetween(far.array(), far.context, near.array(), near.context, BYTES));
            near.synchronize();
            assertThat(far.numbers()[3]).isEqualTo(33);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            write_numbers, write_numbers, has written
            write_numbers, copy_numbers, has read
            copy_numbers, write_numbers, has written
            count_up, count_up, has written
            """)
    void kernelsOfTwoGpusThatNothingOrdersRace(String far, String near, String verb) {
        int races = 0;
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(onTwoGpus(seed, near, far, true)).isNull();
            Throwable race = onTwoGpus(seed, near, far, false);
            assertThat(race).isInstanceOf(CudaException.class).hasMessageContaining("race: ");
            races += race.getMessage().contains(verb) ? 1 : 0;
        }
        assertThat(races).as("races in this order").isBetween(1, 20);
    }

    /// Runs a kernel on each of two GPUs, both on the numbers of the second one.
    private Throwable onTwoGpus(long seed, String nearKernel, String farKernel, boolean waits) {
        emulator.reset();
        emulator.setSeed(seed);
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Gpus all = new Gpus(2)) {
            Gpu near = all.get(0);
            Gpu far = all.get(1);
            near.context.enablePeer(far.context);
            far.touch(farKernel, far.array());
            if (waits) {
                far.in(() -> far.event.record(far.stream));
                near.in(() -> near.stream.waitFor(far.event));
            }
            near.touch(nearKernel, far.array());
            return catchThrowable(() -> {
                near.synchronize();
                far.synchronize();
            });
        } catch (CudaException e) {
            // On a GPU that is lost, closing fails as well.
            return e;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copiesAndKernelsOfTwoStreamsRace(boolean onOneGpu) {
        for (long seed = 1; seed <= 20; seed++) {
            emulator.reset();
            emulator.setSeed(seed);
            try (SeveralGpus gpus = SeveralGpus.of(2);
                    Gpus all = new Gpus(2)) {
                Gpu near = all.get(0);
                Gpu far = onOneGpu ? near : all.get(1);
                far.write(far.array(), 1);
                near.in(() -> {
                    try (Stream other = Stream.create(near.context)) {
                        other.copyBetween(near.pooledArray(), near.context, far.array(), far.context, BYTES);
                        assertThatThrownBy(() -> {
                                    other.synchronize();
                                    far.synchronize();
                                })
                                .hasMessageContaining("race: ")
                                .hasMessageContaining("with no stream, event or wait that orders the two");
                    }
                });
            } catch (CudaException e) {
                assertThat(e).hasMessageContaining("race: ");
            }
        }
    }

    @Test
    void aHostThatWaitsOrdersWork() {
        for (long seed = 1; seed <= 20; seed++) {
            emulator.setSeed(seed);
            try (SeveralGpus gpus = SeveralGpus.of(2);
                    Gpus all = new Gpus(2)) {
                all.get(0).context.enablePeer(all.get(1).context);
                all.get(1).write(all.get(1).array(), 1);
                all.get(1).synchronize();
                all.get(0).write(all.get(1).array(), 2);
                all.get(0).synchronize();
                assertThat(all.get(1).numbers()[0]).isEqualTo(2);
            }
        }
    }

    @Test
    void aLostGpuLeavesTheOthersAlone() {
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Gpus all = new Gpus(3)) {
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
                Gpus all = new Gpus(2)) {
            emulator.inject(1, Fault.LAUNCH, 1);
            all.get(0).write(all.get(0).array(), 1);
            assertThatThrownBy(() -> all.get(1).write(all.get(1).array(), 1)).hasMessageContaining("was told to fail");
            all.get(1).write(all.get(1).array(), 1);
        }
    }

    @Test
    void whatBelongsToAnotherGpuIsRefused() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Gpus all = new Gpus(2)) {
            Gpu near = all.get(0);
            Gpu far = all.get(1);
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
                assertThatThrownBy(() -> kernel.launch(near.stream, 1, COUNT, 0, Kernel.Mode.AFTER))
                        .hasMessageContaining("is loaded on GPU 1, while the current context is that of GPU 0");
            });
        }
    }

    @Test
    void pinnedMemoryIsThatOfAllGpus() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Gpus all = new Gpus(2)) {
            Gpu near = all.get(0);
            Gpu far = all.get(1);
            near.write(near.array(), 40);
            near.in(() -> near.stream.copyToHost(near.pinned.segment(), near.array(), BYTES));
            near.synchronize();
            far.in(() -> {
                assertThat(PinnedMemory.isPinned(far.context, near.pinned.segment()))
                        .isTrue();
                far.stream.copyToDevice(far.array(), near.pinned.segment(), BYTES);
            });
            assertThat(far.numbers()[2]).isEqualTo(42);
        }
    }

    /// What a test uses of each GPU.
    private static final class Gpus implements AutoCloseable {
        final List<Gpu> list = new ArrayList<>();

        Gpus(int count) {
            for (int number = 0; number < count; number++) {
                list.add(new Gpu(number));
            }
        }

        Gpu get(int number) {
            return list.get(number);
        }

        @Override
        public void close() {
            list.forEach(Gpu::close);
        }
    }

    /// A GPU with peers.cu loaded and an array of numbers.
    private static final class Gpu {
        static final byte[] IMAGE =
                Nvrtc.compile(new Nvrtc.Program("peers.cu", source(), Map.of()), List.of("--gpu-architecture=sm_90"));

        final Context context;
        final CudaModule module;
        final Stream stream;
        final Event event;
        final PinnedMemory pinned;
        private final DeviceAllocation array;
        private final DeviceAllocation pooled;

        Gpu(int number) {
            context = Context.retainPrimary(number);
            try (Context.Scope scope = context.enter()) {
                module = CudaModule.load(context, IMAGE);
                stream = Stream.create(context);
                event = Event.create(context, false);
                pinned = PinnedMemory.allocate(context, BYTES);
                array = DeviceAllocation.allocate(context, BYTES);
                pooled = DeviceAllocation.allocateAsync(context, stream, BYTES);
                stream.fill(array.address(), (byte) 0, BYTES);
                stream.fill(pooled.address(), (byte) 0, BYTES);
                stream.synchronize();
            }
        }

        int number() {
            return context.device().ordinal();
        }

        long array() {
            return array.address();
        }

        long pooledArray() {
            return pooled.address();
        }

        Kernel kernel(String name) {
            return module.kernel(name);
        }

        void in(Runnable work) {
            try (Context.Scope scope = context.enter()) {
                work.run();
            }
        }

        void write(long address, long value) {
            in(() -> kernel("write_numbers").with(address).with(value).launch(stream, 1, COUNT, 0, Kernel.Mode.AFTER));
        }

        /// Runs a kernel of peers.cu on numbers; those that it needs beside are this GPU's own.
        void touch(String kernel, long address) {
            switch (kernel) {
                case "write_numbers" -> write(address, 1);
                case "copy_numbers" ->
                    in(() -> kernel(kernel)
                            .with(address)
                            .with(pooledArray())
                            .launch(stream, 1, COUNT, 0, Kernel.Mode.AFTER));
                default -> in(() -> kernel(kernel).with(address).launch(stream, 1, COUNT, 0, Kernel.Mode.AFTER));
            }
        }

        void synchronize() {
            in(stream::synchronize);
        }

        int[] numbers() {
            return numbers(array());
        }

        int[] numbers(long address) {
            MemorySegment host = pinned.segment();
            in(() -> stream.copyToHost(host, address, BYTES));
            synchronize();
            return host.toArray(ValueLayout.JAVA_INT);
        }

        private static String source() {
            try (InputStream in = PeerTest.class.getResourceAsStream("peers.cu")) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /// After a fault each of these fails as well, but still gives back what it held.
        void close() {
            Context.Scope scope = context.enter();
            for (AutoCloseable part : List.of(pooled, array, pinned, event, stream, module, scope, context)) {
                try {
                    part.close();
                } catch (Exception e) {
                    assertThat(e).isInstanceOf(CudaException.class);
                }
            }
        }
    }
}
