package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.SampleSortException;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever call of the driver fails in a sort in place: the elements are as they were, or the message says that they
/// are lost. Nothing is left behind, and the next sort is right.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuInPlaceFailureTest {
    private static final int COUNT = 20_000;
    private static final long[] KEYS = new SplittableRandom(3).longs(COUNT).toArray();
    private static final long[] SORTED = Arrays.stream(KEYS).sorted().toArray();

    private final Emulator emulator = Emulator.start();

    /// All memory is taken before anything is changed, so each allocation is tried, and so is each copy. Of the dozens
    /// of launches fewer and fewer are.
    @ParameterizedTest
    @EnumSource(Fault.class)
    void callsMayFail(Fault fault) {
        boolean isAlive = fault != Fault.LOST_DEVICE;
        int failures = 0;
        int lost = 0;
        boolean hasFailed = true;
        for (int n = 1; hasFailed; n += fault == Fault.ALLOCATION || fault == Fault.COPY ? 1 : 1 + n) {
            List<String> before = emulator.leftovers();
            try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), COUNT * 8L);
                    Sorter sorter = SampleSort.onGpu()
                            .tuning(GpuInPlaceTest.TUNING)
                            .deviceMemory(COUNT * 8L * 9 / 10)
                            .build(ElementType.LONG)) {
                memory.copyFrom(MemorySegment.ofArray(KEYS));
                emulator.inject(fault, n);
                Throwable failure = catchThrowable(() -> sorter.sort(memory));
                emulator.inject(fault, 0);
                hasFailed = failure != null;
                failures += hasFailed ? 1 : 0;
                if (hasFailed) {
                    lost += check(failure, fault, memory) ? 1 : 0;
                }
                if (isAlive) {
                    memory.copyFrom(MemorySegment.ofArray(KEYS));
                    sorter.sort(memory);
                    assertThat(longs(memory))
                            .as("%s at call %d, the next sort", fault, n)
                            .isEqualTo(SORTED);
                }
            } catch (SampleSortException e) {
                // What is closed on a device that is lost says so.
                assertThat(isAlive).as("%s at call %d: %s", fault, n, e).isFalse();
            }
            emulator.reset();
            assertThat(emulator.leftovers()).as("%s at call %d", fault, n).isEqualTo(before);
        }
        assertThat(failures).as("calls that failed, each in turn").isGreaterThan(4);
        assertThat(lost > 0).as("elements were lost").isEqualTo(fault != Fault.ALLOCATION);
    }

    /// Checks what a failure has left. Returns whether it says that elements are lost.
    private static boolean check(Throwable failure, Fault fault, DeviceMemory memory) {
        String cause = fault == Fault.LOST_DEVICE ? "a test has told the device to fail" : "was told to fail";
        assertThat(failure).isInstanceOf(SampleSortException.class);
        assertThat(Throwables.getStackTrace(failure)).contains(cause);
        boolean isLost = failure.getMessage().contains("they are lost");
        if (!isLost && fault != Fault.LOST_DEVICE) {
            assertThat(longs(memory)).as("after %s", failure.getMessage()).isEqualTo(KEYS);
        }
        return isLost;
    }

    private static long[] longs(DeviceMemory memory) {
        long[] longs = new long[COUNT];
        memory.copyTo(MemorySegment.ofArray(longs));
        return longs;
    }
}
