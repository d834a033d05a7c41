package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.errors.SortCancelledException;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.SortListener;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every kind of sorter has the listener that its builder was given.
class SortListenerTest {
    private static final SortListener CANCELS = new SortListener() {
        @Override
        public boolean isCancelled() {
            return true;
        }
    };

    private static SorterBuilder cancelled() {
        return SampleSort.onCpu().listener(CANCELS);
    }

    @Test
    void aListenerCancelsSortsOfNumbersBeforeTheyBegin() {
        long[] keys = {3, 1, 2};
        try (Sorter sorter = cancelled().build(ElementType.LONG)) {
            assertThatThrownBy(() -> sorter.sort(keys))
                    .isInstanceOf(SortCancelledException.class)
                    .hasMessage("the listener has cancelled the sort of 3 elements: the input is as it was");
            isCancelled(() -> sorter.argsort(keys));
            isCancelled(() -> sorter.sortedCopy(MemorySegment.ofArray(keys), MemorySegment.ofArray(new long[3])));
            assertThat(sorter.isSorted(MemorySegment.ofArray(keys))).isFalse();
        }
        assertThat(keys).containsExactly(3, 1, 2);
    }

    @Test
    void aListenerCancelsSortsOfEverythingElse() {
        Strings strings = Strings.utf8(List.of("b", "a"));
        try (StringSorter sorter = cancelled().buildStrings(StringOrder.bytes())) {
            isCancelled(() -> sorter.argsort(strings));
            isCancelled(() -> sorter.sorted(strings));
            isCancelled(() -> sorter.distinct(strings));
        }
        try (ColumnSorter sorter = cancelled().buildColumns()) {
            isCancelled(() -> sorter.argsort(KeyColumn.of(new int[] {2, 1})));
        }
        String[] objects = {"b", "a"};
        for (Comparator<String> order :
                List.of(Keys.comparing((String text) -> text), Comparator.<String>naturalOrder())) {
            try (ObjectSorter<String> sorter = cancelled().buildObjects(order)) {
                isCancelled(() -> sorter.sort(objects));
                isCancelled(() -> sorter.sort(new ArrayList<>(List.of(objects))));
                isCancelled(() -> sorter.argsort(objects));
            }
        }
        assertThat(objects).containsExactly("b", "a");
    }

    private static void isCancelled(Runnable sort) {
        assertThatThrownBy(sort::run)
                .isInstanceOfSatisfying(
                        SortCancelledException.class,
                        e -> assertThat(e.isInputUnchanged()).isTrue());
    }

    @Test
    void aListenerIsToldHowFarALongSortHasCome() {
        List<Long> told = new ArrayList<>();
        SortListener listener = new SortListener() {
            @Override
            public void progressed(long done, long count) {
                told.add(done);
            }
        };
        long[] keys = new SplittableRandom(1).longs(1 << 22).toArray();
        try (Sorter sorter = SampleSort.onCpu().listener(listener).build(ElementType.LONG)) {
            sorter.sort(keys);
        }
        assertThat(keys).isSorted();
        assertThat(told).isSorted().hasSizeGreaterThan(3).first().isEqualTo(0L);
        assertThat(told.getLast()).isPositive();
    }

    @Test
    void anExceptionOfAListenerEndsTheSort() {
        SortListener listener = new SortListener() {
            @Override
            public void progressed(long done, long count) {
                throw new IllegalStateException("enough");
            }
        };
        long[] keys = {2, 1};
        try (Sorter sorter = SampleSort.onCpu().listener(listener).build(ElementType.LONG)) {
            assertThatThrownBy(() -> sorter.sort(keys))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("enough");
        }
        assertThat(keys).containsExactly(2, 1);
    }

    /// Work in memory of the calling thread alone, of which there is enough for the kernels.
    private interface Confined {
        void run(SorterBuilder builder, MemorySegment ints, MemorySegment twice);
    }

    static List<Confined> workInConfinedMemory() {
        return List.of(
                (builder, ints, twice) -> {
                    try (Sorter sorter = builder.build(ElementType.INT)) {
                        sorter.sort(ints);
                    }
                },
                (builder, ints, twice) -> {
                    try (SortedOperations operations = builder.buildSortedOperations(ElementType.INT)) {
                        operations.merge(List.of(ints, ints), twice);
                    }
                },
                (builder, ints, twice) -> {
                    try (Selector selector = builder.buildSelector(ElementType.INT)) {
                        selector.nth(ints, 1, twice.asSlice(0, Integer.BYTES));
                    }
                },
                (builder, ints, twice) -> {
                    try (ColumnSorter sorter = builder.buildColumns()) {
                        sorter.argsort(KeyColumn.of(ints, ElementType.INT));
                    }
                },
                (builder, ints, twice) -> {
                    try (StringSorter sorter = builder.buildStrings(StringOrder.bytes())) {
                        sorter.argsort(Strings.of(twice, ints, ElementType.INT));
                    }
                });
    }

    /// Memory must not be freed under threads that use it.
    @ParameterizedTest
    @MethodSource("workInConfinedMemory")
    void aListenerMayCloseTheArenaOfTheCallingThread(Confined work) {
        for (int count : new int[] {1000, 1 << 20}) {
            Arena arena = Arena.ofConfined();
            Thread caller = Thread.currentThread();
            SortListener listener = new SortListener() {
                @Override
                public void progressed(long done, long all) {
                    if (Thread.currentThread().equals(caller) && arena.scope().isAlive()) {
                        arena.close();
                    }
                }
            };
            MemorySegment ints = arena.allocate((long) count * Integer.BYTES, 8);
            MemorySegment twice = arena.allocate(2L * count * Integer.BYTES, 8);
            assertThatThrownBy(() -> work.run(SampleSort.onCpu().listener(listener), ints, twice))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /// Such memory stays confined while a listener watches, so no other thread may touch it.
    @Test
    void aListenerMayWatchRowsInConfinedMemory() {
        int count = 1 << 18;
        SplittableRandom random = new SplittableRandom(1);
        int[] keys = random.ints(count, 0, 1000).toArray();
        int[] places = IntStream.rangeClosed(0, count).toArray();
        byte[] letters = new byte[count];
        random.nextBytes(letters);
        try (Arena arena = Arena.ofConfined();
                ColumnSorter sorter =
                        SampleSort.onCpu().listener(new SortListener() {}).buildColumns()) {
            MemorySegment ints = arena.allocateFrom(ValueLayout.JAVA_INT, keys);
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, letters);
            MemorySegment offsets = arena.allocateFrom(ValueLayout.JAVA_INT, places);
            KeyColumn[] confined = {
                KeyColumn.of(ints, ElementType.INT), KeyColumn.of(Strings.of(bytes, offsets, ElementType.INT))
            };
            KeyColumn[] shared = {KeyColumn.of(keys), KeyColumn.of(Strings.of(letters, places))};
            assertThat(sorter.argsort(confined)).isEqualTo(sorter.argsort(shared));
            assertThat(sorter.argsort(confined[0])).isEqualTo(sorter.argsort(shared[0]));
            assertThat(sorter.argfirst(100, confined)).isEqualTo(sorter.argfirst(100, shared));
            assertThat(sorter.arglast(100, confined[1])).isEqualTo(sorter.arglast(100, shared[1]));
        }
    }

    @Test
    void aListenerMaySortByItself() {
        AtomicBoolean hasSorted = new AtomicBoolean();
        SortListener listener = new SortListener() {
            @Override
            public void progressed(long done, long count) {
                long[] own = {2, 1};
                SampleSort.sort(own);
                hasSorted.set(own[0] == 1);
            }
        };
        long[] keys = {2, 1};
        try (Sorter sorter = SampleSort.onCpu().listener(listener).build(ElementType.LONG)) {
            sorter.sort(keys);
        }
        assertThat(keys).containsExactly(1, 2);
        assertThat(hasSorted).isTrue();
    }
}
