package io.samplesort;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// What a [SorterBuilder] can build, each with an input for it, to find out which options have an effect.
public enum BuiltSorter {
    /// Sorts numbers.
    ELEMENTS {
        @Override
        public SortReport sort(SorterBuilder builder, int count) {
            try (Sorter sorter = builder.build(ElementType.LONG)) {
                return sorter.sort(numbers(count));
            }
        }
    },
    /// Sorts strings.
    STRINGS {
        @Override
        public SortReport sort(SorterBuilder builder, int count) {
            byte[][] strings = new SplittableRandom(1)
                    .longs(count)
                    .mapToObj(number -> Long.toString(number, 36).getBytes(StandardCharsets.US_ASCII))
                    .toArray(byte[][]::new);
            try (StringSorter sorter = builder.buildStrings(StringOrder.bytes())) {
                return sorter.argsort(Strings.copyOf(strings), new int[count]);
            }
        }
    },
    /// Sorts rows of two columns.
    ROWS {
        @Override
        public SortReport sort(SorterBuilder builder, int count) {
            try (ColumnSorter sorter = builder.buildColumns()) {
                MemorySegment permutation = MemorySegment.ofArray(new int[count]);
                return sorter.argsort(List.of(KeyColumn.of(numbers(count)), KeyColumn.of(new int[count])), permutation);
            }
        }
    },
    /// Sorts objects by a key.
    OBJECTS {
        @Override
        public SortReport sort(SorterBuilder builder, int count) {
            Long[] objects = Arrays.stream(numbers(count)).boxed().toArray(Long[]::new);
            try (ObjectSorter<Long> sorter = builder.buildObjects(Keys.comparingLong(Long::longValue))) {
                return sorter.sort(objects);
            }
        }
    };

    private static long[] numbers(int count) {
        return new SplittableRandom(1).longs(count).toArray();
    }

    /// Builds a sorter, sorts this number of random keys of 8 bytes or a little more, and closes it.
    public abstract SortReport sort(SorterBuilder builder, int count);
}
