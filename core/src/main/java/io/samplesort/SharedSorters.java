package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.DirectSort;
import io.samplesort.cuda.MissingDriver;
import io.samplesort.memory.ArrayRange;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import io.samplesort.types.StringOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// The sorters behind the one-shot methods of [SampleSort]. They are kept for the life of the process. Each is lent to
/// one thread at a time; when all of a kind are lent, a new one is made.
final class SharedSorters {
    /// Bytes of host memory that an idle sorter may keep: enough for sorts that come often, and too little to matter to
    /// others.
    private static final long KEPT_BYTES = 256L << 20;

    /// The methods are written out, since a record's generated ones would take 20 ms in the first sort of a process.
    private record Kind(ElementType key, ElementType payload, boolean isUnsigned, boolean isReversed) {
        Kind(ElementType key, ElementType payload, NaturalOrder order) {
            this(key, payload, order.isUnsigned(), order.isReversed());
        }

        Order order() {
            return new NaturalOrder(isUnsigned, isReversed);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Kind kind
                    && key.equals(kind.key)
                    && Objects.equals(payload, kind.payload)
                    && isUnsigned == kind.isUnsigned
                    && isReversed == kind.isReversed;
        }

        @Override
        public int hashCode() {
            return 31 * key.hashCode() + Objects.hashCode(payload) + (isUnsigned ? 1 : 0) + (isReversed ? 2 : 0);
        }
    }

    /// The idle sorters of numbers. The one given back last is lent first. The lock of the map guards it, and so do
    /// those of the next three: the JDK's collections that need no lock take 5 ms to load.
    private static final Map<Kind, Deque<Sorter>> IDLE = new HashMap<>();

    /// The idle engines of the CPU.
    private static final Map<Kind, Deque<CpuSorter>> IDLE_CPU_SORTERS = new HashMap<>();

    private static final Deque<ColumnSorter> IDLE_COLUMN_SORTERS = new ArrayDeque<>();

    private static final Deque<StringSorter> IDLE_STRING_SORTERS = new ArrayDeque<>();

    private SharedSorters() {}

    /// Sorts the elements `from` to `to - 1` of an array of primitive numbers. Most first sorts of a process come here.
    /// If it is clear that the CPU sorts, its engine is called directly, since building a sorter would take another 5
    /// ms.
    static SortReport sort(ElementType type, Object array, int from, int to) {
        return sort(type, array, from, to, Order.natural());
    }

    /// Sorts in another order as well.
    static SortReport sort(ElementType type, Object array, int from, int to, Order order) {
        // A switch over classes would take several milliseconds in the first sort of a process.
        if (!(order instanceof NaturalOrder natural)) {
            return with(type, null, order, sorter -> sorter.sortRange(type, array, from, to));
        }
        SortReport direct = DirectSort.isNatural(type, natural) ? DirectSort.trySort(array, from, to) : null;
        if (direct != null) {
            return direct;
        }
        // A thread of its own loads what the CPU engine needs while this one looks for a GPU.
        CpuSorter.load();
        ArrayRange elements = new ArrayRange(array, from, to);
        if (to - from < SorterBuilder.DEFAULT_GPU_THRESHOLD) {
            return sortOnCpu(new Kind(type, null, natural), elements);
        }
        String refusal = MissingDriver.message();
        if (refusal != null) {
            return new SortReportBuilder(sortOnCpu(new Kind(type, null, natural), elements))
                    .fallbackReason(refusal)
                    .build();
        }
        return with(type, null, order, sorter -> sorter.sortRange(type, array, from, to));
    }

    private static SortReport sortOnCpu(Kind kind, ArrayRange elements) {
        CpuSorter idle = first(IDLE_CPU_SORTERS, kind);
        CpuSorter sorter = idle == null ? new CpuSorter(kind.key, null, kind.order()) : idle;
        try {
            return sorter.sort(elements);
        } finally {
            sorter.release(KEPT_BYTES);
            addFirst(IDLE_CPU_SORTERS, kind, sorter);
        }
    }

    /// Lends a sorter of numbers. One in an order of the user's own is made for this sort alone: its comparator may
    /// hold on to anything.
    ///
    /// @param payload null if elements have no payload
    static <T> T with(ElementType key, ElementType payload, Order order, Function<Sorter, T> sort) {
        if (!(order instanceof NaturalOrder natural)) {
            try (Sorter own = builder(payload).order(order).build(key)) {
                return sort.apply(own);
            }
        }
        Kind kind = new Kind(key, payload, natural);
        Sorter sorter = take(kind);
        try {
            return sort.apply(sorter);
        } finally {
            giveBack(kind, sorter);
        }
    }

    private static Sorter take(Kind kind) {
        Sorter idle = first(IDLE, kind);
        if (idle != null) {
            return idle;
        }
        return builder(kind.payload).order(kind.order()).build(kind.key);
    }

    private static SorterBuilder builder(ElementType payload) {
        SorterBuilder builder = new SorterBuilder(Device.auto());
        return payload == null ? builder : builder.payload(payload);
    }

    private static void giveBack(Kind kind, Sorter sorter) {
        sorter.release(KEPT_BYTES);
        addFirst(IDLE, kind, sorter);
    }

    private static <K, T> T first(Map<K, Deque<T>> idle, K kind) {
        synchronized (idle) {
            Deque<T> ofKind = idle.get(kind);
            return ofKind == null ? null : ofKind.pollFirst();
        }
    }

    private static <K, T> void addFirst(Map<K, Deque<T>> idle, K kind, T sorter) {
        synchronized (idle) {
            idle.computeIfAbsent(kind, any -> new ArrayDeque<>()).addFirst(sorter);
        }
    }

    /// Lends a sorter of rows by key columns.
    static <T> T withColumns(Function<ColumnSorter, T> sort) {
        ColumnSorter sorter = first(IDLE_COLUMN_SORTERS);
        if (sorter == null) {
            sorter = new SorterBuilder(Device.auto()).buildColumns();
        }
        try {
            return sort.apply(sorter);
        } finally {
            sorter.release(KEPT_BYTES);
            addFirst(IDLE_COLUMN_SORTERS, sorter);
        }
    }

    /// Lends a sorter of strings by their bytes.
    static <T> T withStrings(Function<StringSorter, T> sort) {
        StringSorter sorter = first(IDLE_STRING_SORTERS);
        if (sorter == null) {
            sorter = new SorterBuilder(Device.auto()).buildStrings(StringOrder.bytes());
        }
        try {
            return sort.apply(sorter);
        } finally {
            sorter.release(KEPT_BYTES);
            addFirst(IDLE_STRING_SORTERS, sorter);
        }
    }

    private static <T> T first(Deque<T> idle) {
        synchronized (idle) {
            return idle.pollFirst();
        }
    }

    private static <T> void addFirst(Deque<T> idle, T sorter) {
        synchronized (idle) {
            idle.addFirst(sorter);
        }
    }
}
