package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.DirectSort;
import io.samplesort.cuda.MissingDriver;
import io.samplesort.memory.ArrayRange;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The sorters behind the one-shot methods of [SampleSort]. Each is lent to one thread at a time; when all of a kind
/// are lent, a new one is made. Afterwards they wait for the next sort, as long as [IdleSorters] keeps them.
final class SharedSorters {
    /// Bytes of host memory that all idle sorters may keep: enough for sorts that come often, and too little to matter
    /// to others.
    static final long MOST_BYTES = 256L << 20;

    /// More than a program uses kinds of sorts, or threads that sort at once.
    private static final int MOST_SORTERS =
            Math.max(64, 4 * Runtime.getRuntime().availableProcessors());

    /// The methods are written out, since a record's generated ones would take 20 ms in the first sort of a process.
    ///
    /// @param sorter the class of the sorter
    private record Kind(
            Class<?> sorter, ElementType key, @Nullable ElementType payload, boolean isUnsigned, boolean isReversed) {
        Kind(Class<?> sorter, ElementType key, @Nullable ElementType payload, NaturalOrder order) {
            this(sorter, key, payload, order.isUnsigned(), order.isReversed());
        }

        Order order() {
            return new NaturalOrder(isUnsigned, isReversed);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Kind kind
                    && sorter == kind.sorter
                    && key.equals(kind.key)
                    && Objects.equals(payload, kind.payload)
                    && isUnsigned == kind.isUnsigned
                    && isReversed == kind.isReversed;
        }

        @Override
        public int hashCode() {
            int order = (isUnsigned ? 1 : 0) + (isReversed ? 2 : 0);
            return 31 * (31 * sorter.hashCode() + key.hashCode()) + Objects.hashCode(payload) + order;
        }
    }

    private static final IdleSorters IDLE = new IdleSorters(MOST_BYTES, MOST_SORTERS);

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
            return sortOnCpu(new Kind(CpuSorter.class, type, null, natural), elements);
        }
        String refusal = MissingDriver.message();
        if (refusal != null) {
            return new SortReportBuilder(sortOnCpu(new Kind(CpuSorter.class, type, null, natural), elements))
                    .fallbackReason(refusal)
                    .build();
        }
        return with(type, null, order, sorter -> sorter.sortRange(type, array, from, to));
    }

    /// Sorts elements that [DirectSort#trySort] has left as they were, or that are not in an order for it.
    private static SortReport sortOnCpu(Kind kind, ArrayRange elements) {
        CpuSorter idle = (CpuSorter) IDLE.take(kind);
        CpuSorter sorter = idle == null ? new CpuSorter(kind.key, null, kind.order()) : idle;
        try {
            return sorter.sortTried(elements);
        } finally {
            IDLE.giveBack(kind, sorter, sorter.keptBytes());
        }
    }

    /// Lends a sorter of numbers. One in an order of the user's own is made for this sort alone: its comparator may
    /// hold on to anything.
    ///
    /// @param payload null if elements have no payload
    static <T> T with(ElementType key, @Nullable ElementType payload, Order order, Function<Sorter, T> sort) {
        if (!(order instanceof NaturalOrder natural)) {
            try (Sorter own = builder(payload).order(order).build(key)) {
                return sort.apply(own);
            }
        }
        Kind kind = new Kind(Sorter.class, key, payload, natural);
        Sorter idle = (Sorter) IDLE.take(kind);
        Sorter sorter = idle == null ? builder(payload).order(order).build(key) : idle;
        try {
            return sort.apply(sorter);
        } finally {
            IDLE.giveBack(kind, sorter, sorter.keptBytes());
        }
    }

    private static SorterBuilder builder(@Nullable ElementType payload) {
        SorterBuilder builder = new SorterBuilder(Device.auto());
        return payload == null ? builder : builder.payload(payload);
    }

    /// Lends a sorter of segments of numbers in natural order.
    static <T> T withSegments(ElementType key, Function<SegmentedSorter, T> sort) {
        Kind kind = new Kind(SegmentedSorter.class, key, null, new NaturalOrder(false, false));
        SegmentedSorter idle = (SegmentedSorter) IDLE.take(kind);
        SegmentedSorter sorter = idle == null ? new SorterBuilder(Device.auto()).buildSegmented(key) : idle;
        try {
            return sort.apply(sorter);
        } finally {
            IDLE.giveBack(kind, sorter, sorter.keptBytes());
        }
    }

    /// Lends a selector of numbers in natural order on the CPU.
    static <T> T withSelector(ElementType key, Function<Selector, T> select) {
        Kind kind = new Kind(Selector.class, key, null, new NaturalOrder(false, false));
        Selector idle = (Selector) IDLE.take(kind);
        Selector selector = idle == null ? new SorterBuilder(Device.cpu()).buildSelector(key) : idle;
        try {
            return select.apply(selector);
        } finally {
            IDLE.giveBack(kind, selector, selector.keptBytes());
        }
    }

    /// Lends a sorter of rows by key columns.
    static <T> T withColumns(Function<ColumnSorter, T> sort) {
        ColumnSorter idle = (ColumnSorter) IDLE.take(ColumnSorter.class);
        ColumnSorter sorter = idle == null ? new SorterBuilder(Device.auto()).buildColumns() : idle;
        try {
            return sort.apply(sorter);
        } finally {
            IDLE.giveBack(ColumnSorter.class, sorter, sorter.keptBytes());
        }
    }

    /// Lends a sorter of strings by their bytes.
    static <T> T withStrings(Function<StringSorter, T> sort) {
        StringSorter idle = (StringSorter) IDLE.take(StringSorter.class);
        StringSorter sorter = idle == null ? new SorterBuilder(Device.auto()).buildStrings(StringOrder.bytes()) : idle;
        try {
            return sort.apply(sorter);
        } finally {
            IDLE.giveBack(StringSorter.class, sorter, sorter.keptBytes());
        }
    }

    /// Closes all sorters that are not lent.
    static void release() {
        IDLE.release();
    }

    /// Returns how much host memory the sorters that are not lent keep.
    static long keptBytes() {
        return IDLE.keptBytes();
    }
}
