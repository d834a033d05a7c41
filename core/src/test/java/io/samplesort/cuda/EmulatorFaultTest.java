package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.emulator.Emulator;
import io.samplesort.errors.CudaException;
import io.samplesort.gpu.GpuEnvironment;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The emulated GPU finds what is wrong with a kernel and says where it is. Each kernel of faults.cu has one planted
/// fault.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class EmulatorFaultTest {
    private static final int BLOCKS = 2;
    private static final int THREADS = 64;
    private static final int SHARED_BYTES = THREADS * Integer.BYTES;
    private static final int WRITTEN = BLOCKS * THREADS;
    private static final int UNWRITTEN = 64;

    private Emulator emulator;

    @BeforeEach
    void start() {
        emulator = Emulator.start();
    }

    @AfterEach
    void reset() {
        emulator.reset();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void healthyKernelPasses(long seed) {
        emulator.setSeed(seed);
        int[] numbers = run("healthy", BLOCKS, THREADS, SHARED_BYTES);
        for (int i = 0; i < WRITTEN; i++) {
            assertThat(numbers[i]).isEqualTo(i / THREADS * THREADS + THREADS - 1 - i % THREADS);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    missing_barrier               | race: | of dynamic shared memory
                    missing_warp_barrier          | race: | of dynamic shared memory
                    write_after_read              | race: | with no barrier between
                    race_of_blocks                | race: writes 4 bytes of device memory: allocation | another block has written
                    plain_beside_atomic           | race: | device memory: allocation
                    unwritten_shared              | reads 4 bytes of dynamic shared memory, offset | which nothing has written
                    unwritten_device              | reads 4 bytes of device memory: allocation | which nothing has written
                    shared_out_of_bounds          | writes 4 bytes of dynamic shared memory, offset 256 | beyond the 256 bytes of this launch
                    device_write_past_end         | writes 4 bytes beyond device memory | past the end of allocation
                    device_read_before_begin      | reads 4 bytes beyond device memory | 4 bytes before allocation
                    null_pointer                  | writes 4 bytes at address 0x | which is no device memory
                    misaligned                    | writes 4 bytes at a misaligned address | device memory
                    barrier_divergence            | barrier divergence: waits in __syncthreads | has returned
                    different_barriers            | barrier divergence: waits in __syncthreads | waits in __syncthreads
                    lane_missing_returned         | __shfl_xor_sync with mask 0xffffffff and a lane missing | has returned
                    lane_missing_elsewhere        | __ballot_sync with mask 0xffffffff and a lane missing | waits in __syncthreads
                    caller_not_in_mask            | __any_sync with mask 0x0000ffff | in which the calling lane is missing
                    shuffle_from_outside_the_mask | __shfl_sync with mask 0x0000ffff | reads a lane that is not in the mask
                    """)
    void faultIsFoundAndItsPlaceNamed(String kernel, String what, String where) {
        emulator.setSeed(7);
        Throwable fault = catchThrowable(() -> run(kernel, BLOCKS, THREADS, SHARED_BYTES));
        assertThat(fault)
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("kernel " + kernel + ", block ")
                .hasMessageContaining(", thread ")
                .hasMessageContaining(what)
                .hasMessageContaining(where)
                .hasMessageContaining("(faults.cu:")
                .hasMessageContaining("seed 7");
        // After a fault nothing works any more, as on a real device.
        assertThatThrownBy(() -> run("healthy", BLOCKS, THREADS, SHARED_BYTES)).isInstanceOf(CudaException.class);
    }

    @Test
    void endlessWaitIsAnError() {
        assertThatThrownBy(() -> run("waits_forever", BLOCKS, THREADS, SHARED_BYTES))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("kernel waits_forever hangs");
    }

    @Test
    void seedReplaysTheFault() {
        Set<String> messages = new TreeSet<>();
        for (long seed = 1; seed <= 5; seed++) {
            String first = messageOf("missing_barrier", seed);
            assertThat(messageOf("missing_barrier", seed)).isEqualTo(first);
            messages.add(first.replaceAll("seed \\d+", ""));
        }
        assertThat(messages).as("other seeds, other threads").hasSizeGreaterThan(1);
    }

    private String messageOf(String kernel, long seed) {
        emulator.reset();
        emulator.setSeed(seed);
        return catchThrowable(() -> run(kernel, BLOCKS, THREADS, SHARED_BYTES)).getMessage();
    }

    @Test
    void launchBeyondTheLimitsIsRefused() {
        assertThatThrownBy(() -> run("healthy", BLOCKS, 1025, SHARED_BYTES))
                .hasMessageContaining("1025 threads a block; 1024 are possible");
        assertThatThrownBy(() -> run("healthy", BLOCKS, THREADS, 50_000))
                .hasMessageContaining("50000 bytes of dynamic shared memory; 49152 are allowed");
        assertThatThrownBy(() -> run("healthy", 0, THREADS, SHARED_BYTES)).hasMessageContaining("has no threads");
        try (Device device = new Device()) {
            assertThatThrownBy(() -> device.module.kernel("absent")).hasMessageContaining("has no kernel absent");
            Kernel healthy = device.module.kernel("healthy");
            assertThatThrownBy(() -> healthy.launch(device.stream, 1, 32, 0, Kernel.Mode.AFTER))
                    .hasMessageContaining("healthy lacks parameter 0 of 1");
            assertThatThrownBy(() -> healthy.with(0, 0))
                    .hasMessageContaining("takes 8 bytes as argument 0 and was given 16");
            assertThatThrownBy(() -> healthy.with(0).with(0))
                    .hasMessageContaining("takes 1 arguments and was given more");
            assertThatThrownBy(() -> healthy.launch(device.stream, 1, 32, 0, Kernel.Mode.AFTER))
                    .hasMessageContaining("1 are not set");
        }
    }

    @Test
    void memoryIsFreedOnceAndNotUsedAfterwards() {
        Driver driver = Cuda.driver();
        try (Device device = new Device()) {
            DeviceAllocation allocation = DeviceAllocation.allocate(device.context, 1000);
            long address = allocation.address();
            assertThat(emulator.leftovers()).anyMatch(line -> line.contains("1000 bytes"));
            allocation.close();
            assertThatThrownBy(() -> driver.memFree.call(address)).hasMessageContaining("freed twice");
            assertThatThrownBy(() -> device.stream.fill(address, (byte) 0, 8)).hasMessageContaining("has been freed");
            assertThatThrownBy(() -> device.stream.fill(device.array.address(), (byte) 0, 1000))
                    .hasMessageContaining("past the end");
        }
    }

    @Test
    void forbiddenMemoryIsTouchedByFillsAlone() {
        long forbidden = WRITTEN * 4L;
        try (Device device = new Device()) {
            long address = device.array.address() + forbidden;
            emulator.forbid(device.stream.handle(), address, 4);
            device.stream.fill(device.array.address(), (byte) 0, device.array.byteSize());
            device.stream.copyOnDevice(address + 8, device.array.address(), 8);
            device.stream.synchronize();
            for (long[] copy : new long[][] {{address - 4, address + 8}, {address + 8, address}}) {
                assertThatThrownBy(() -> {
                            device.stream.copyOnDevice(copy[0], copy[1], 8);
                            device.stream.synchronize();
                        })
                        .hasMessageContaining("touches memory that is forbidden")
                        .hasMessageContaining("offset " + forbidden);
                emulator.reset();
            }
            device.module
                    .kernel("unwritten_device")
                    .with(device.array.address())
                    .launch(device.stream, BLOCKS, THREADS, SHARED_BYTES, Kernel.Mode.AFTER);
            assertThatThrownBy(device.stream::synchronize)
                    .hasMessageContaining("reads 4 bytes of device memory: allocation")
                    .hasMessageContaining("offset " + forbidden + ", which is forbidden");
            emulator.reset();
            emulator.permit(device.stream.handle(), address, 4);
            device.stream.copyOnDevice(address, address + 8, 4);
            device.stream.synchronize();
        }
    }

    @Test
    void destroyedStreamsEventsAndModulesAreRefused() {
        Driver driver = Cuda.driver();
        try (Device device = new Device()) {
            Stream stream = Stream.create(device.context);
            long handle = stream.handle();
            assertThat(emulator.leftovers()).contains("stream " + handle);
            stream.close();
            assertThat(emulator.leftovers()).doesNotContain("stream " + handle);
            assertThatThrownBy(() -> Stream.borrow(device.context, handle).synchronize())
                    .hasMessageContaining("has been destroyed");
            assertThatThrownBy(() -> driver.eventDestroy.call(handle)).hasMessageContaining("does not exist");
            assertThatThrownBy(() -> driver.moduleUnload.call(handle)).hasMessageContaining("not loaded");
        }
    }

    @Test
    void downloadOfWhatNothingWroteIsAnError() {
        try (Device device = new Device();
                PinnedMemory host = PinnedMemory.allocate(device.context, 256)) {
            device.stream.copyToHost(host.segment(), device.array.address() + WRITTEN * 4L, 256);
            assertThatThrownBy(device.stream::synchronize)
                    .hasMessageContaining("copies device memory that nothing has written");
        }
    }

    @Test
    void streamsWaitForEachOtherByEventsAlone() {
        int failures = 0;
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(throughTwoStreams(seed, true)).isNull();
            failures += throughTwoStreams(seed, false) == null ? 0 : 1;
        }
        assertThat(failures).as("streams that did not wait and met nothing").isGreaterThan(5);
    }

    @Test
    void memoryIsThereOnceItsStreamHasComeToIt() {
        int failures = 0;
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(onAnotherStream(seed, true)).isNull();
            Throwable failure = onAnotherStream(seed, false);
            if (failure != null) {
                failures++;
                assertThat(failure).hasMessageContaining("which the stream of its allocation has not come to");
            }
        }
        assertThat(failures).as("streams that did not wait for memory").isGreaterThan(5);
    }

    /// Fills memory on another stream than the one that allocates it.
    private Throwable onAnotherStream(long seed, boolean waits) {
        emulator.reset();
        emulator.setSeed(seed);
        try (Device device = new Device();
                Stream other = Stream.create(device.context);
                Event allocated = Event.create(device.context, false)) {
            DeviceAllocation memory = DeviceAllocation.allocateAsync(device.context, device.stream, 256);
            allocated.record(device.stream);
            if (waits) {
                other.waitFor(allocated);
            }
            other.fill(memory.address(), (byte) 0, 256);
            Throwable failure = catchThrowable(other::synchronize);
            memory.close();
            return failure;
        } catch (CudaException e) {
            // On a device that is lost, closing fails as well.
            return e;
        }
    }

    /// Copies numbers to the device on one stream and back on another.
    private Throwable throughTwoStreams(long seed, boolean waits) {
        emulator.reset();
        emulator.setSeed(seed);
        try (Device device = new Device();
                Stream other = Stream.create(device.context);
                Event written = Event.create(device.context, false);
                PinnedMemory host = PinnedMemory.allocate(device.context, 256)) {
            long unwritten = device.array.address() + WRITTEN * 4L;
            host.segment().fill((byte) 7);
            device.stream.copyToDevice(unwritten, host.segment(), 256);
            written.record(device.stream);
            if (waits) {
                other.waitFor(written);
            }
            other.copyToHost(host.segment(), unwritten, 256);
            return catchThrowable(other::synchronize);
        } catch (CudaException e) {
            // On a device that is lost, closing fails as well.
            return e;
        }
    }

    /// Launches a kernel of faults.cu on the array 0, 1, 2, … and returns what it has made of it.
    private static int[] run(String kernel, int blocks, int threads, int sharedBytes) {
        try (Device device = new Device();
                PinnedMemory host = PinnedMemory.allocate(device.context, WRITTEN * 4L)) {
            Kernel function = device.module.kernel(kernel);
            function.with(device.array.address())
                    .launch(device.stream, blocks, threads, sharedBytes, Kernel.Mode.AFTER);
            device.stream.copyToHost(host.segment(), device.array.address(), WRITTEN * 4L);
            device.stream.synchronize();
            return host.segment().toArray(ValueLayout.JAVA_INT);
        }
    }

    /// The emulated device with faults.cu loaded and an array of numbers.
    private static final class Device implements AutoCloseable {
        static final byte[] IMAGE =
                Nvrtc.compile(new Nvrtc.Program("faults.cu", source(), Map.of()), List.of("--gpu-architecture=sm_90"));

        final Context context = Context.retainPrimary(0);
        final Context.Scope scope = context.enter();
        final CudaModule module = CudaModule.load(context, IMAGE);
        final Stream stream = Stream.create(context);
        final DeviceAllocation array = DeviceAllocation.allocate(context, (WRITTEN + UNWRITTEN) * 4L);

        Device() {
            int[] numbers = new int[WRITTEN];
            Arrays.setAll(numbers, i -> i);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_INT, numbers);
                stream.copyToDevice(array.address(), segment, segment.byteSize());
                stream.synchronize();
            }
        }

        private static String source() {
            try (InputStream in = EmulatorFaultTest.class.getResourceAsStream("faults.cu")) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /// After a fault each of these fails as well, but still gives back what it held.
        @Override
        public void close() {
            for (AutoCloseable part : List.of(array, stream, module, scope, context)) {
                try {
                    part.close();
                } catch (Exception e) {
                    assertThat(e).isInstanceOf(CudaException.class);
                }
            }
        }
    }
}
