package io.samplesort.bench.records;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.workload.RecordElements;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// What `bench records` measures: elements that are sorted by an order, and the sorts of CUB that can do the same. The
/// jobs stand in the order of the numbers by which record_baselines.cu knows them.
enum RecordJob implements Baselines.Input {
    STRUCT16("struct16", RecordElements.PRICED_ID, Order.by("price").thenBy("id"), Contender.CUB_MERGE),
    STRUCT16_U64(
            "struct16-u64",
            RecordElements.TWO_WORDS,
            Order.by("a").unsigned().thenBy("b").unsigned(),
            Contender.CUB_MERGE),
    STRUCT32(
            "struct32",
            RecordElements.TRADE,
            Order.custom(
                    "a.price * a.quantity < b.price * b.quantity", (a, b) -> RecordElements.TRADE.compare(a, 0, b, 0)),
            Contender.CUB_MERGE),
    RECORD100(
            "record100",
            RecordElements.RECORD_100,
            Order.by("key"),
            Contender.CUB_MERGE,
            Contender.CUB_MERGE_GATHER,
            Contender.CUB_RADIX_GATHER),
    /// The keys stay where they are, and the payloads become the permutation that sorts them. CUB cannot do this: it
    /// sorts the keys, too, with indexes that were laid out beforehand.
    ARGSORT_U64("argsort-u64", RecordElements.U64, Order.unsigned(), Contender.CUB_MERGE, Contender.CUB_RADIX),
    /// The payloads are indexes, which show whether equal keys have kept their order.
    STABLE_U32_U32("stable-u32+u32", RecordElements.U32, Order.unsigned(), Contender.CUB_MERGE, Contender.CUB_RADIX);

    private final String name;
    private final RecordElements elements;
    private final Order order;
    private final List<Contender> baselines;

    RecordJob(String name, RecordElements elements, Order order, Contender... baselines) {
        this.name = name;
        this.elements = elements;
        this.order = order;
        this.baselines = List.of(baselines);
    }

    RecordElements elements() {
        return elements;
    }

    Order order() {
        return order;
    }

    /// Returns whether the result is a permutation.
    boolean isArgsort() {
        return this == ARGSORT_U64;
    }

    /// Returns whether a sorted copy is measured, too. The baselines that gather make one.
    boolean hasCopy() {
        return this == RECORD100;
    }

    /// Returns whether each element has its index, an `int`, as payload, and equal ones must keep the order of their
    /// indexes.
    boolean isIndexed() {
        return isArgsort() || this == STABLE_U32_U32;
    }

    /// Builds our sorter for this job.
    Sorter sorter(int device, String tuning, boolean timesPhases) {
        SorterBuilder builder = SampleSort.onGpu(device).order(order).tuning(tuning);
        if (timesPhases) {
            builder.timesPhases();
        }
        if (this == STABLE_U32_U32) {
            builder.payload(ElementType.INT).stable();
        }
        if (isArgsort()) {
            // An argsort is stable anyway. Saying so avoids compiling kernels that it does not need.
            builder.stable();
        }
        return builder.build(elements.type());
    }

    @Override
    public int code() {
        return ordinal();
    }

    @Override
    public List<Contender> contenders() {
        return baselines;
    }

    /// Reads `struct16`, `argsort-u64` and so on.
    ///
    /// @throws IllegalArgumentException if there is no such job; the message lists all jobs
    static RecordJob parse(String text) {
        return Arrays.stream(values())
                .filter(job -> job.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job '" + text + "': use one of "
                        + Arrays.stream(values()).map(RecordJob::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name;
    }
}
