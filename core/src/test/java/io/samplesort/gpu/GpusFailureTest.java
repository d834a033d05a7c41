package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.types.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One of several GPUs fails at one call after another: the error names it, the input is as it was or the message says
/// what it holds, memory is given back on all GPUs, and the next sort is right.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
@Timeout(600)
class GpusFailureTest {
    private static final long[] NUMBERS = new SplittableRandom(3).longs(9_000).toArray();

    private final Emulator emulator = Emulator.start();
    private SeveralGpus gpus;
    private List<String> before;

    @BeforeEach
    void begin() {
        gpus = SeveralGpus.of(3);
        before = emulator.leftovers();
    }

    @AfterEach
    void nothingIsLeft() {
        emulator.reset();
        assertThat(emulator.leftovers()).isEqualTo(before);
        gpus.close();
    }

    /// @param isExchanged whether the GPUs hold all elements together
    private static Sorter sorter(boolean isExchanged) {
        return SampleSort.onGpus()
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=2")
                .deviceMemory(isExchanged ? Long.MAX_VALUE : 60 << 10)
                .build(ElementType.LONG);
    }

    /// Each fault in both ways of sorting, on one GPU or another.
    @ParameterizedTest
    @CsvSource(textBlock = """
            false, 1, ALLOCATION, 17
            false, 2, LAUNCH, 61
            false, 0, COPY, 53
            false, 1, LOST_DEVICE, 149
            true, 0, ALLOCATION, 5
            true, 2, LAUNCH, 5
            true, 1, COPY, 5
            true, 2, LOST_DEVICE, 71
            """)
    void callsOfOneGpuMayFail(boolean isExchanged, int gpu, Fault fault, int step) {
        everyCallOfOneGpuMayFail(isExchanged, gpu, fault, step);
    }

    @ParameterizedTest
    @Tag("exhaustive")
    @CsvSource(textBlock = """
            false, 0, ALLOCATION, 7
            false, 1, ALLOCATION, 5
            false, 2, LAUNCH, 23
            false, 1, LAUNCH, 37
            false, 0, COPY, 31
            false, 1, COPY, 17
            false, 2, LOST_DEVICE, 37
            false, 1, LOST_DEVICE, 61
            true, 0, ALLOCATION, 3
            true, 1, ALLOCATION, 2
            true, 2, LAUNCH, 3
            true, 0, COPY, 5
            true, 1, COPY, 3
            true, 2, LOST_DEVICE, 29
            """)
    void everyCallOfOneGpuMayFail(boolean isExchanged, int gpu, Fault fault, int step) {
        int failures = 0;
        for (int n = 1; fails(isExchanged, gpu, fault, n); n += step) {
            failures++;
        }
        assertThat(failures).as("calls that failed, each in turn").isPositive();
    }

    /// Sorts while the n-th call of a GPU fails. Returns false if it has fewer calls.
    private boolean fails(boolean isExchanged, int gpu, Fault fault, int n) {
        String what = "gpu:" + gpu + ", " + fault + " at call " + n;
        boolean isAlive = fault != Fault.LOST_DEVICE;
        long[] numbers = NUMBERS.clone();
        emulator.inject(gpu, fault, n);
        Sorter[] sorter = {null};
        Throwable failure = catchThrowable(() -> {
            sorter[0] = sorter(isExchanged);
            sorter[0].sort(numbers);
        });
        emulator.inject(gpu, fault, 0);
        if (failure != null) {
            assertThat(failure).as(what).isInstanceOf(SampleSortException.class);
            assertThat(Throwables.getStackTrace(failure)).as(what).contains("gpu:" + gpu);
            checkInput(what, failure.getMessage(), numbers);
        } else {
            assertThat(numbers).isEqualTo(sorted());
        }
        Sorter opened = sorter[0];
        if (opened != null && isAlive) {
            long[] again = NUMBERS.clone();
            opened.sort(again);
            assertThat(again).as("after %s", what).isEqualTo(sorted());
        }
        if (opened != null) {
            Throwable closing = catchThrowable(opened::close);
            assertThat(closing == null || !isAlive && closing instanceof CudaException)
                    .as(what)
                    .isTrue();
        }
        emulator.reset();
        assertThat(emulator.leftovers()).as("left behind by %s", what).isEqualTo(before);
        return failure != null;
    }

    private static long[] sorted() {
        long[] sorted = NUMBERS.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static void checkInput(String what, String message, long[] numbers) {
        if (message.contains("the input holds all its elements")) {
            long[] found = numbers.clone();
            Arrays.sort(found);
            assertThat(found).as(what).isEqualTo(sorted());
        } else if (message.contains("the input is lost")) {
            assertThat(message).as(what).contains(" bytes are overwritten with it");
        } else if (message.contains("the input is sorted")) {
            assertThat(numbers).as(what).isEqualTo(sorted());
        } else {
            assertThat(numbers).as("%s: %s", what, message).isEqualTo(NUMBERS);
        }
    }

    @Test
    void theOtherGpusSortOnWhereOneIsLost() {
        emulator.inject(1, Fault.LOST_DEVICE, 1);
        assertThat(catchThrowable(() -> sorter(true).close()))
                .isInstanceOf(SampleSortException.class)
                .hasMessageContaining("gpu:1");
        try (Sorter others = SampleSort.onGpus(0, 2)
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=8192")
                .build(ElementType.LONG)) {
            long[] numbers = NUMBERS.clone();
            others.sort(numbers);
            assertThat(numbers).isEqualTo(sorted());
        }
    }
}
