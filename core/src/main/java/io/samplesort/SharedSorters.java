package io.samplesort;

import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;

/// The sorters behind the one-shot methods of [SampleSort]. They are kept for the life of the process and lent to one
/// thread at a time; a new one is made when all of a kind are lent.
final class SharedSorters {
    /// Bytes of host memory that an idle sorter may keep: enough for sorts that come often, too little to be missed.
    private static final long KEPT_BYTES = 256L << 20;

    private record Kind(ElementType key, ElementType payload) {}

    private static final Map<Kind, Deque<Sorter>> IDLE = new ConcurrentHashMap<>();

    private static final Deque<ColumnSorter> IDLE_COLUMN_SORTERS = new ConcurrentLinkedDeque<>();

    private static final Deque<StringSorter> IDLE_STRING_SORTERS = new ConcurrentLinkedDeque<>();

    private SharedSorters() {}

    /// @param payload null if elements have no payload
    static <T> T with(ElementType key, ElementType payload, Function<Sorter, T> sort) {
        Deque<Sorter> idle = IDLE.computeIfAbsent(new Kind(key, payload), k -> new ConcurrentLinkedDeque<>());
        Sorter sorter = idle.pollFirst();
        if (sorter == null) {
            SorterBuilder builder = new SorterBuilder(Device.auto());
            sorter = (payload == null ? builder : builder.payload(payload)).build(key);
        }
        try {
            return sort.apply(sorter);
        } finally {
            sorter.release(KEPT_BYTES);
            idle.addFirst(sorter);
        }
    }

    /// Lends a sorter of rows.
    static <T> T withColumns(Function<ColumnSorter, T> sort) {
        ColumnSorter sorter = IDLE_COLUMN_SORTERS.pollFirst();
        if (sorter == null) {
            sorter = new SorterBuilder(Device.auto()).buildColumns();
        }
        try {
            return sort.apply(sorter);
        } finally {
            sorter.release(KEPT_BYTES);
            IDLE_COLUMN_SORTERS.addFirst(sorter);
        }
    }

    /// Lends a sorter of strings by their bytes.
    static <T> T withStrings(Function<StringSorter, T> sort) {
        StringSorter sorter = IDLE_STRING_SORTERS.pollFirst();
        if (sorter == null) {
            sorter = new SorterBuilder(Device.auto()).buildStrings(StringOrder.bytes());
        }
        try {
            return sort.apply(sorter);
        } finally {
            sorter.release(KEPT_BYTES);
            IDLE_STRING_SORTERS.addFirst(sorter);
        }
    }
}
