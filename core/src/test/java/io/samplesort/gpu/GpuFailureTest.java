package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever call of the driver fails: the message says so, the input is as it was or the message says what it holds,
/// nothing is left behind, and the next sort is right.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
@Timeout(600)
class GpuFailureTest {
    /// Whether every call fails once, which takes minutes.
    private static final boolean IS_EVERYTHING = Boolean.getBoolean("tests.everything");

    private final Emulator emulator = Emulator.start();
    private List<String> before;

    @BeforeEach
    void count() {
        before = emulator.leftovers();
    }

    @AfterEach
    void nothingIsLeft() {
        emulator.reset();
        assertThat(emulator.leftovers()).isEqualTo(before);
    }

    static Stream<Arguments> worksAndFaults() {
        return Arrays.stream(GpuWork.values())
                .flatMap(work -> Arrays.stream(Fault.values()).map(fault -> Arguments.of(work, fault)));
    }

    /// The first call of each kind of work fails, and then others than those of the next kind, as they have many in
    /// common.
    @ParameterizedTest
    @MethodSource("worksAndFaults")
    void callsMayFail(GpuWork work, Fault fault) {
        checkFailures(work, fault, 2 + work.ordinal() % 3, 1);
    }

    @ParameterizedTest
    @MethodSource("worksAndFaults")
    @Tag("exhaustive")
    void moreCallsMayFail(GpuWork work, Fault fault) {
        checkFailures(work, fault, 2, IS_EVERYTHING ? Integer.MAX_VALUE : 4);
    }

    /// There are up to a thousand calls.
    ///
    /// @param second the second call that fails
    /// @param share  the first calls fail one by one; after n calls, the next to fail is n / share + 1 further on
    private void checkFailures(GpuWork work, Fault fault, int second, int share) {
        int failures = 0;
        for (int n = 1; fails(work, fault, n); n = n == 1 ? second : n + 1 + n / share) {
            failures++;
        }
        assertThat(failures).as("calls that failed, each in turn").isPositive();
    }

    /// Does work whose n-th call fails, and checks what is left. Returns false if the work has fewer calls.
    private boolean fails(GpuWork work, Fault fault, int n) {
        String what = work + ", " + fault + " at call " + n;
        boolean isAlive = fault != Fault.LOST_DEVICE;
        GpuWork.Trial trial = work.trial();
        AtomicReference<Sorter> sorter = new AtomicReference<>();
        emulator.inject(fault, n);
        Throwable failure = catchThrowable(() -> {
            sorter.set(work.builder().build(ElementType.LONG));
            trial.run(sorter.get());
        });
        emulator.inject(fault, 0);
        if (failure == null) {
            trial.checkResult();
            sorter.get().close();
            trial.close();
            return false;
        }
        assertThat(failure).as(what).isInstanceOf(SampleSortException.class);
        assertThat(Throwables.getStackTrace(failure)).as(what).contains(toldToFail(fault));
        trial.checkInput(failure.getMessage(), isAlive);
        boolean isUsable = isAlive && sorter.get() != null;
        if (isAlive) {
            trial.refill();
        }
        if (isUsable) {
            runAndCheck(work, sorter.get());
        }
        close(sorter.get(), isAlive);
        close(trial, isAlive);
        emulator.reset();
        assertThat(emulator.leftovers()).as("left behind by %s", what).isEqualTo(before);
        if (!isUsable) {
            try (Sorter next = work.builder().build(ElementType.LONG)) {
                runAndCheck(work, next);
            }
        }
        return true;
    }

    /// Closes something. On a device that is lost this fails, but gives back what it can.
    private static void close(AutoCloseable closeable, boolean isAlive) {
        Throwable failure = catchThrowable(() -> {
            try (closeable) {}
        });
        if (isAlive) {
            assertThat(failure).isNull();
        } else if (failure != null) {
            assertThat(failure).isInstanceOf(CudaException.class);
        }
    }

    private void runAndCheck(GpuWork work, Sorter sorter) {
        try (GpuWork.Trial trial = work.trial()) {
            trial.run(sorter);
            trial.checkResult();
        }
    }

    private static String toldToFail(Fault fault) {
        return fault == Fault.LOST_DEVICE ? "a test has told the device to fail" : "was told to fail";
    }

    /// Losing the device between sorts shows when the sorter is closed, which gives back what it holds all the same.
    @ParameterizedTest
    @EnumSource(GpuWork.class)
    void closingOnALostDeviceGivesEverythingBack(GpuWork work) {
        GpuWork.Trial trial = work.trial();
        Sorter sorter = work.builder().build(ElementType.LONG);
        trial.run(sorter);
        trial.checkResult();
        emulator.inject(Fault.LOST_DEVICE, 1);
        assertThatThrownBy(() -> trial.run(sorter))
                .isInstanceOf(SampleSortException.class)
                .hasMessageContaining("restart the process");
        close(sorter, false);
        close(trial, false);
        emulator.reset();
        assertThat(emulator.leftovers()).isEqualTo(before);
    }

    /// What a sorter keeps between sorts does not grow by those that fail.
    @ParameterizedTest
    @EnumSource(
            value = GpuWork.class,
            names = {"DEVICE_INDEXES", "HOST_CHUNKS"})
    void failuresUseUpNothing(GpuWork work) {
        usesUpNothing(work);
    }

    @ParameterizedTest
    @EnumSource(GpuWork.class)
    @Tag("exhaustive")
    void failuresOfAnyWorkUseUpNothing(GpuWork work) {
        usesUpNothing(work);
    }

    private void usesUpNothing(GpuWork work) {
        try (Sorter sorter = work.builder().build(ElementType.LONG)) {
            runAndCheck(work, sorter);
            List<String> kept = emulator.leftovers();
            for (Fault fault : List.of(Fault.LAUNCH, Fault.COPY)) {
                for (int n = 1; n < 30; n += 6) {
                    try (GpuWork.Trial trial = work.trial()) {
                        emulator.inject(fault, n);
                        Throwable failure = catchThrowable(() -> trial.run(sorter));
                        emulator.inject(fault, 0);
                        if (failure == null) {
                            trial.checkResult();
                        }
                    }
                    runAndCheck(work, sorter);
                    assertThat(emulator.leftovers())
                            .as("%s, %s at call %d", work, fault, n)
                            .isEqualTo(kept);
                }
            }
        }
    }

    /// With threads that copy, it is unknown how far the copies came; but none is left at it, or waits for ever.
    @Test
    void threadsThatCopyEndWithTheSort() {
        long[] elements = new SplittableRandom(8).longs(16_000).toArray();
        long[] expected = elements.clone();
        Arrays.sort(expected);
        SorterBuilder builder = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=3");
        int failures = 0;
        for (int n = 1; n < 90; n += 29) {
            for (Fault fault : List.of(Fault.LAUNCH, Fault.ALLOCATION, Fault.COPY)) {
                try (Sorter sorter = builder.build(ElementType.LONG)) {
                    emulator.inject(fault, n);
                    Throwable failure = catchThrowable(() -> sorter.sort(MemorySegment.ofArray(elements.clone())));
                    emulator.inject(fault, 0);
                    if (failure != null) {
                        assertThat(failure).isInstanceOf(SampleSortException.class);
                        failures++;
                    }
                    long[] again = elements.clone();
                    sorter.sort(MemorySegment.ofArray(again));
                    assertThat(again).isEqualTo(expected);
                }
            }
        }
        assertThat(failures).isGreaterThan(4);
    }
}
