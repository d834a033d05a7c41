package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a sort says is final must be final, whoever reads it meanwhile.
class FinalPrefixTest {
    private static final int COUNT = 60_000;

    private static CpuSorter sorter(int parallelism) {
        return SortCase.sorter(ElementType.LONG, null, Order.natural(), SortCase.TINY, parallelism);
    }

    private static long[] keys(InputDistribution distribution) {
        long[] keys = new long[COUNT];
        distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, SortCase.SEED);
        return keys;
    }

    @ParameterizedTest
    @EnumSource
    void whatIsToldIsFinal(InputDistribution distribution) {
        for (int parallelism : new int[] {1, 2, 3}) {
            long[] keys = keys(distribution);
            long[] expected = keys.clone();
            Arrays.sort(expected);
            List<Long> told = Collections.synchronizedList(new ArrayList<>());
            try (CpuSorter sorter = sorter(parallelism)) {
                sorter.sort(MemorySegment.ofArray(keys), null, count -> {
                    int before = told.isEmpty() ? 0 : told.getLast().intValue();
                    assertThat(count).as("-Dtests.seed=" + SortCase.SEED).isBetween((long) before, (long) COUNT);
                    assertThat(Arrays.mismatch(expected, before, (int) count, keys, before, (int) count))
                            .as("-Dtests.seed=" + SortCase.SEED)
                            .isEqualTo(-1);
                    told.add(count);
                });
            }
            assertThat(keys).isEqualTo(expected);
        }
    }

    /// Where the system holds up the thread that sorts the first range, all others may be sorted before it, and then
    /// only the end is told. So with several threads one sort of many has to tell of its beginning.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theBeginningIsToldLongBeforeTheEnd(int parallelism) {
        int attempts = parallelism == 1 ? 1 : 50;
        boolean early = false;
        try (CpuSorter sorter = sorter(parallelism)) {
            for (int attempt = 0; attempt < attempts && !early; attempt++) {
                List<Long> told = Collections.synchronizedList(new ArrayList<>());
                sorter.sort(MemorySegment.ofArray(keys(InputDistribution.UNIFORM)), null, told::add);
                assertThat(told).isSorted().endsWith((long) COUNT);
                early = told.stream().anyMatch(count -> count > 0 && count < COUNT);
            }
        }
        assertThat(early).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whoeverIsToldCanEndTheSort(int parallelism) {
        long[] keys = keys(InputDistribution.UNIFORM);
        try (CpuSorter sorter = sorter(parallelism)) {
            assertThatThrownBy(() -> sorter.sort(MemorySegment.ofArray(keys), null, count -> {
                        if (count > COUNT / 2) {
                            throw new IllegalStateException("enough");
                        }
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("enough");
            // The next sort finds nothing left of this one.
            long[] expected = keys.clone();
            Arrays.sort(expected);
            sorter.sort(MemorySegment.ofArray(keys), null);
            assertThat(keys).isEqualTo(expected);
        }
    }
}
