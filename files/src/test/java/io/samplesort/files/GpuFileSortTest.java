package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Files in parts with a sorter on a GPU: all that is special about them is the sorter.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuFileSortTest {
    private static final int COUNT = 20_003;
    private static final long MEMORY = 3 * 8 * 2500;

    @TempDir
    private Path folder;

    private final long[] keys = new SplittableRandom(7).longs(COUNT, 0, 5000).toArray();

    private Path write(String name, MemorySegment elements) throws IOException {
        return Files.write(folder.resolve(name), elements.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void sortsInParts() throws IOException {
        Path file = write("keys", MemorySegment.ofArray(keys));
        FilePlan[] plans = new FilePlan[1];
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .order(Order.unsigned())
                .build(ElementType.LONG)) {
            FileSort.with(sorter)
                    .memory(MEMORY)
                    .listener(new FileListener() {
                        @Override
                        public void planned(FilePlan plan) {
                            plans[0] = plan;
                        }
                    })
                    .sort(file);
        }
        assertThat(plans[0].runs()).isEqualTo(9);
        Arrays.sort(keys);
        assertThat(MemorySegment.ofArray(Files.readAllBytes(file)).mismatch(MemorySegment.ofArray(keys)))
                .isEqualTo(-1);
    }

    /// The sorter of elements with their indexes has all settings of the sorter that was handed over, which works on.
    @Test
    void permutationsComeFromTheSameGpu() throws IOException {
        Path in = write("keys", MemorySegment.ofArray(keys));
        Path out = folder.resolve("permutation");
        Order order = Order.natural().reversed();
        long[] expected = new long[COUNT];
        try (Sorter onCpu = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            onCpu.argsort(MemorySegment.ofArray(keys), MemorySegment.ofArray(expected));
        }
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .order(order)
                .timesPhases()
                .build(ElementType.LONG)) {
            for (long memory : new long[] {MEMORY, 1L << 30}) {
                SortReport report = FileSort.with(sorter).memory(memory).argsort(in, out);
                assertThat(report.device()).startsWith("gpu:0");
                assertThat(MemorySegment.ofArray(Files.readAllBytes(out)).mismatch(MemorySegment.ofArray(expected)))
                        .isEqualTo(-1);
            }
            assertThat(sorter.sort(new long[] {1, 2}).elementCount()).isEqualTo(2);
        }
        try (Sorter sorter = SampleSort.onGpu().deviceMemory(1000).build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(sorter).argsort(in, out))
                    .isInstanceOf(InsufficientDeviceMemoryException.class);
        }
    }

    @Test
    void staysStableWithPayloads() throws IOException {
        int[] payloads = new int[COUNT];
        Arrays.setAll(payloads, i -> i);
        Path keyFile = write("keys", MemorySegment.ofArray(keys));
        Path payloadFile = write("payloads", MemorySegment.ofArray(payloads));
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .payload(ElementType.INT)
                .stable()
                .build(ElementType.LONG)) {
            FileSort.with(sorter).memory(MEMORY).sort(FileColumn.of(keyFile), FileColumn.of(payloadFile));
        }
        try (Sorter sorter =
                SampleSort.onCpu().payload(ElementType.INT).stable().build(ElementType.LONG)) {
            sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
        }
        assertThat(MemorySegment.ofArray(Files.readAllBytes(keyFile)).mismatch(MemorySegment.ofArray(keys)))
                .isEqualTo(-1);
        assertThat(MemorySegment.ofArray(Files.readAllBytes(payloadFile)).mismatch(MemorySegment.ofArray(payloads)))
                .isEqualTo(-1);
    }

    @Test
    void aSortThatFailsHalfWayLeavesTheFileAndTheSorter() throws IOException {
        Path file = write("keys", MemorySegment.ofArray(keys));
        Sorter sorter = SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG);
        FileListener failing = new FileListener() {
            @Override
            public void moved(long movedBytes, long totalBytes) {
                if (movedBytes > totalBytes / 2) {
                    throw new IllegalStateException("the disk is gone");
                }
            }
        };
        assertThatThrownBy(() ->
                        FileSort.with(sorter).memory(MEMORY).listener(failing).sort(file))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the disk is gone");
        // It can sort again, and nothing of what went before is left.
        FileSort.with(sorter).memory(MEMORY).sort(file);
        sorter.close();
        Arrays.sort(keys);
        assertThat(MemorySegment.ofArray(Files.readAllBytes(file)).mismatch(MemorySegment.ofArray(keys)))
                .isEqualTo(-1);
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).containsExactly(file);
        }
    }

    @Test
    void chunksAreNoLargerThanTheDeviceHolds() throws IOException {
        Path file = folder.resolve("keys");
        byte[] bytes = new byte[8 * 20_000];
        new Random(9).nextBytes(bytes);
        Files.write(file, bytes);
        int[] parts = new int[1];
        FileListener listener = new FileListener() {
            @Override
            public void planned(FilePlan plan) {
                parts[0] = plan.runs();
            }
        };
        try (Sorter sorter = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY)
                        .deviceMemory(150 << 10)
                        .build(ElementType.LONG);
                Sorter hopeless = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY)
                        .deviceMemory(1000)
                        .build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(hopeless).memory(1 << 20).sort(file))
                    .isInstanceOf(InsufficientDeviceMemoryException.class);
            assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
            FileSort.with(sorter).memory(1 << 20).listener(listener).sort(file);
        }
        // The host's memory would take all of it at once.
        assertThat(parts[0]).isGreaterThan(1);
        long[] expected = new long[bytes.length / 8];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer().get(expected);
        Arrays.sort(expected);
        long[] sorted = new long[expected.length];
        ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.nativeOrder())
                .asLongBuffer()
                .get(sorted);
        assertThat(sorted).isEqualTo(expected);
    }

    @Tag("several")
    @Test
    void sortsOnSeveralGpus() throws IOException {
        Path file = write("keys", MemorySegment.ofArray(keys));
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = SampleSort.onGpus(0, 1)
                        .tuning(GpuContractTest.TINY)
                        .tuning("chunkBytes=16384,transferBytes=4096,transferThreads=3,maxChunkCount=7")
                        .build(ElementType.LONG)) {
            FileSort.with(sorter).memory(3 * 8 * 7_000).sort(file);
        }
        Arrays.sort(keys);
        assertThat(MemorySegment.ofArray(Files.readAllBytes(file)).mismatch(MemorySegment.ofArray(keys)))
                .isEqualTo(-1);
    }
}
