package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringCase;
import io.samplesort.StringSorter;
import io.samplesort.cuda.Owned;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.types.DistinctStrings;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever call of the driver fails in a sort of strings: the message says so, the strings are as they were, nothing
/// is left behind, and the next sort is right.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
@Timeout(600)
class GpuStringFailureTest {
    /// As few as take all launches of a sort in three rounds.
    private static final int COUNT = 1700;
    private static final Strings STRINGS = strings();
    private static final int[] EXPECTED = IntStream.range(0, COUNT)
            .boxed()
            .sorted((i, j) -> StringOrder.bytes().compare(STRINGS, i, j))
            .mapToInt(i -> i)
            .toArray();

    private static final DistinctStrings DISTINCT = distinct();

    private final Emulator emulator = Emulator.start();
    private List<String> before;

    /// What users ask of a GPU.
    private enum Work {
        DEVICE_INDEXES {
            @Override
            int[] run(StringSorter sorter, Trial trial) {
                sorter.argsort(trial.source, trial.permutation);
                int[] permutation = new int[COUNT];
                trial.permutation.copyTo(MemorySegment.ofArray(permutation));
                return permutation;
            }
        },
        DEVICE_COPY {
            @Override
            int[] run(StringSorter sorter, Trial trial) {
                sorter.sortedCopy(trial.source, trial.target);
                assertThat(sorter.isSorted(trial.target)).isTrue();
                return EXPECTED;
            }
        },
        DEVICE_DISTINCT {
            @Override
            int[] run(StringSorter sorter, Trial trial) {
                int found = (int) sorter.distinct(trial.source, trial.permutation, trial.counts);
                assertThat(firsts(trial.permutation, found)).isEqualTo(DISTINCT.indexes());
                assertThat(firsts(trial.counts, found)).isEqualTo(DISTINCT.counts());
                return EXPECTED;
            }
        },
        DEVICE_PERMUTATION {
            @Override
            int[] run(StringSorter sorter, Trial trial) {
                trial.permutation.copyFrom(MemorySegment.ofArray(EXPECTED));
                sorter.applyPermutation(trial.permutation, trial.source, trial.target);
                assertThat(sorter.isSorted(trial.target)).isTrue();
                return EXPECTED;
            }
        },
        HOST_INDEXES {
            @Override
            int[] run(StringSorter sorter, Trial trial) {
                return sorter.argsort(STRINGS);
            }
        };

        abstract int[] run(StringSorter sorter, Trial trial);
    }

    /// Memory for one try, whose content the device keeps from before the faults on.
    private static final class Trial implements AutoCloseable {
        private final Owned owned = new Owned();
        final DeviceMemory permutation = memory(COUNT * 4L);
        final DeviceMemory counts = memory(COUNT * 4L);
        final DeviceStrings source = strings();
        final DeviceStrings target = strings();

        Trial() {
            fill();
        }

        /// Copies the strings to the device, on a stream that is not that of the sorter.
        void fill() {
            source.bytes().copyFrom(STRINGS.bytes());
            source.offsets().copyFrom(STRINGS.offsets());
        }

        private DeviceMemory memory(long bytes) {
            return owned.add(DeviceMemory.allocate(Device.gpu(0), bytes));
        }

        private DeviceStrings strings() {
            return new DeviceStrings(
                    memory(STRINGS.bytes().byteSize()), memory(STRINGS.offsets().byteSize()), ElementType.LONG, COUNT);
        }

        @Override
        public void close() {
            owned.close();
        }
    }

    /// Strings that take three rounds.
    private static Strings strings() {
        byte[][] strings = StringCase.LATE_DIFFERENCES.strings(new Random(4), COUNT);
        for (int i = 0; i < COUNT; i++) {
            strings[i] = Arrays.copyOf(strings[i], strings[i].length + i % 3);
            strings[i][i % 5 == 0 ? 2 : 140] ^= 1;
        }
        return Strings.copyOf(strings);
    }

    private static DistinctStrings distinct() {
        try (StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes())) {
            return cpu.distinct(STRINGS);
        }
    }

    private static int[] firsts(DeviceMemory memory, int count) {
        int[] firsts = new int[count];
        memory.copyTo(MemorySegment.ofArray(firsts));
        return firsts;
    }

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
        return Arrays.stream(Work.values())
                .flatMap(work -> Arrays.stream(Fault.values()).map(fault -> Arguments.of(work, fault)));
    }

    /// The first call of each kind of work fails, and then others than those of the next kind, as they have many in
    /// common.
    @ParameterizedTest
    @MethodSource("worksAndFaults")
    void callsMayFail(Work work, Fault fault) {
        checkFailures(work, fault, 2 + work.ordinal() % 3, 1);
    }

    @ParameterizedTest
    @MethodSource("worksAndFaults")
    @Tag("exhaustive")
    void moreCallsMayFail(Work work, Fault fault) {
        checkFailures(work, fault, 2, 4);
    }

    /// @param second the second call that fails
    /// @param share  the first calls fail one by one; after n calls, the next to fail is n / share + 1 further on
    private void checkFailures(Work work, Fault fault, int second, int share) {
        int failures = 0;
        for (int n = 1; fails(work, fault, n); n = n == 1 ? second : n + 1 + n / share) {
            failures++;
        }
        assertThat(failures).as("calls that failed, each in turn").isPositive();
    }

    private static StringSorter build() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
    }

    /// Does work whose n-th call fails, and checks what is left. Returns false if the work has fewer calls.
    private boolean fails(Work work, Fault fault, int n) {
        String what = work + ", " + fault + " at call " + n;
        boolean isAlive = fault != Fault.LOST_DEVICE;
        StringSorter[] sorter = new StringSorter[1];
        Trial trial = new Trial();
        emulator.inject(fault, n);
        Throwable failure = catchThrowable(() -> {
            sorter[0] = build();
            assertThat(work.run(sorter[0], trial)).as(what).isEqualTo(EXPECTED);
        });
        emulator.inject(fault, 0);
        if (failure != null) {
            assertThat(failure).as(what).isInstanceOf(SampleSortException.class);
        }
        if (isAlive && sorter[0] != null) {
            // A kernel of the call that has failed would race with this.
            trial.fill();
            assertThat(work.run(sorter[0], trial)).as("after %s", what).isEqualTo(EXPECTED);
        }
        close(sorter[0], isAlive);
        close(trial, isAlive);
        emulator.reset();
        assertThat(emulator.leftovers()).as("left behind by %s", what).isEqualTo(before);
        return failure != null;
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
}
