package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.errors.CudaException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What tests of several emulated GPUs use of each: a stream, an event, pinned memory, and two arrays of numbers.
final class PeerBed implements AutoCloseable {
    static final int COUNT = 64;
    static final long BYTES = COUNT * (long) Integer.BYTES;

    final List<Gpu> list = new ArrayList<>();

    PeerBed(int count) {
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

    /// A GPU with peers.cu loaded and an array of numbers.
    static final class Gpu {
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

        /// Runs a kernel of peers.cu on numbers; all others that it needs are this GPU's own.
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
            try (InputStream in = PeerBed.class.getResourceAsStream("peers.cu")) {
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
