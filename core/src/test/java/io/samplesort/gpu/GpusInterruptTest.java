package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceParts;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Interrupts of threads that sort on several GPUs. A sort of memory ends as if there had been none, since others may
/// be writing to that memory, and its thread stays interrupted. All memory is given back.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
@Timeout(600)
class GpusInterruptTest {
    private static final int COUNT = 40_000;

    private static final long[] NUMBERS = new SplittableRandom(3).longs(COUNT).toArray();

    private final Emulator emulator = Emulator.start();
    private SeveralGpus gpus;
    private List<String> before;

    @BeforeEach
    void begin() {
        gpus = SeveralGpus.of(2);
        before = emulator.leftovers();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(emulator.leftovers()).isEqualTo(before);
        gpus.close();
    }

    private static Sorter sorter(String tuning) {
        return SampleSort.onGpus(0, 1)
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=2")
                .tuning(tuning)
                .build(ElementType.LONG);
    }

    /// Work that may fail.
    private interface Work {
        void run() throws Exception;
    }

    /// How work has ended.
    private record End(Throwable failure, boolean isInterrupted) {}

    /// Does work on a thread that is interrupted from the beginning on, and again and again.
    private static End interrupted(Work work) throws InterruptedException {
        AtomicReference<End> end = new AtomicReference<>();
        Thread working = begin(end, () -> {
            // However late the other interrupts are, what is waited for first finds this one.
            Thread.currentThread().interrupt();
            work.run();
        });
        while (working.isAlive()) {
            working.interrupt();
            Thread.sleep(1);
        }
        working.join();
        return end.get();
    }

    private static Thread begin(AtomicReference<End> end, Work work) {
        return Thread.ofPlatform().start(() -> {
            Throwable failure = catchThrowable(work::run);
            end.set(new End(failure, Thread.currentThread().isInterrupted()));
        });
    }

    private static long[] sorted() {
        long[] sorted = NUMBERS.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    @Test
    void deviceMemory() throws InterruptedException {
        long half = COUNT / 2 * (long) Long.BYTES;
        List<String> ways = List.of(
                "oneGpuBytes=" + Integer.MAX_VALUE,
                "bucketExchangeSize=64,maxBucketCount=64,smallSortCells=0",
                "bucketExchangeSize=" + Integer.MAX_VALUE);
        for (String way : ways) {
            try (Sorter sorter = sorter(way);
                    DeviceMemory first = DeviceMemory.allocate(Device.gpu(0), half);
                    DeviceMemory second = DeviceMemory.allocate(Device.gpu(1), half)) {
                MemorySegment numbers = MemorySegment.ofArray(NUMBERS.clone());
                first.copyFrom(numbers.asSlice(0, half));
                second.copyFrom(numbers.asSlice(half));
                End end = interrupted(() -> sorter.sort(DeviceParts.of(first, second)));
                assertThat(end.failure()).as(way).isNull();
                assertThat(end.isInterrupted()).as(way).isTrue();
                long[] found = new long[COUNT];
                first.copyTo(MemorySegment.ofArray(found).asSlice(0, half));
                second.copyTo(MemorySegment.ofArray(found).asSlice(half));
                assertThat(found).as(way).isEqualTo(sorted());
            }
        }
    }

    @Test
    void hostMemory() throws InterruptedException {
        for (boolean isExchanged : new boolean[] {false, true}) {
            try (Sorter sorter = SampleSort.onGpus(0, 1)
                    .tuning(GpuContractTest.TINY)
                    .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=2")
                    .deviceMemory(isExchanged ? Long.MAX_VALUE : 120 << 10)
                    .build(ElementType.LONG)) {
                long[] numbers = NUMBERS.clone();
                End end = interrupted(() -> sorter.sort(numbers));
                assertThat(end.failure()).isNull();
                assertThat(end.isInterrupted()).isTrue();
                assertThat(numbers).as("exchanged: %s", isExchanged).isEqualTo(sorted());
            }
        }
    }
}
