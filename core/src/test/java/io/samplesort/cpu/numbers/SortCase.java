package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.cpu.threads.Helpers;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sorts one input and checks the result.
///
/// @param type         what the keys are, signedness included
/// @param isDescending the order
/// @param payload      null for none
/// @param tuning       of the engine
/// @param parallelism  of the engine
public record SortCase(KeyType type, boolean isDescending, ElementType payload, CpuTuning tuning, int parallelism) {
    /// `-Dtests.seed=…` replays what a failure message names.
    public static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// Forces several passes on small inputs.
    public static final CpuTuning TINY = new CpuTuning(3, 32, 24, 4, 256, 5);

    static SortCase of(KeyType type) {
        return new SortCase(type, false, null, TINY, 3);
    }

    SortCase descending(boolean descending) {
        return new SortCase(type, descending, payload, tuning, parallelism);
    }

    SortCase with(ElementType payload) {
        return new SortCase(type, isDescending, payload, tuning, parallelism);
    }

    SortCase with(CpuTuning tuning, int parallelism) {
        return new SortCase(type, isDescending, payload, tuning, parallelism);
    }

    CpuSorter sorter() {
        return sorter(elementType(), payload, ContractTypes.order(type, isDescending), tuning, parallelism);
    }

    /// Returns a sorter with helpers of its own, so that there are enough on a machine of few cores too.
    static CpuSorter sorter(ElementType key, ElementType payload, Order order, CpuTuning tuning, int parallelism) {
        return new CpuSorter(
                key, payload, order, tuning, parallelism, parallelism == 1 ? null : new Helpers(parallelism - 1));
    }

    private ElementType elementType() {
        return ContractTypes.elementType(type);
    }

    /// Sorts a new input of `count` elements on the heap.
    SortReport check(CpuSorter sorter, InputDistribution distribution, int count) {
        return check(sorter, distribution, heap(count, type.byteSize()), heap(count, payloadBytes()));
    }

    /// Fills the segments, sorts and checks them.
    SortReport check(CpuSorter sorter, InputDistribution distribution, MemorySegment keys, MemorySegment payloads) {
        distribution.fillWithSpecials(keys, type, SEED);
        return checkSort(sorter, distribution.toString(), keys, payloads);
    }

    /// Sorts and checks keys that are there; the payloads are filled here.
    SortReport checkSort(CpuSorter sorter, String what, MemorySegment keys, MemorySegment payloads) {
        KeyType payloadType =
                payload == null ? null : KEY_TYPES_BY_SIZE.get(Integer.numberOfTrailingZeros(payloadBytes()));
        if (payload != null) {
            InputDistribution.UNIFORM.fill(payloads, payloadType, SEED + 1);
        }
        String message = this + " " + what + " n=" + type.count(keys) + " -Dtests.seed=" + SEED;
        Fingerprint before = fingerprint(keys, payloads, payloadType);
        SortReport report = sorter.sort(keys, payload == null ? null : payloads);
        assertThat(ResultCheck.firstViolation(keys, type, isDescending))
                .as(message)
                .isEmpty();
        assertThat(fingerprint(keys, payloads, payloadType)).as(message).isEqualTo(before);
        assertThat(report.elementCount()).as(message).isEqualTo(type.count(keys));
        return report;
    }

    private Fingerprint fingerprint(MemorySegment keys, MemorySegment payloads, KeyType payloadType) {
        return payload == null ? Fingerprint.of(keys, type) : Fingerprint.of(keys, type, payloads, payloadType);
    }

    private static final List<KeyType> KEY_TYPES_BY_SIZE = List.of(KeyType.U8, KeyType.U16, KeyType.U32, KeyType.U64);

    int payloadBytes() {
        return payload == null ? 0 : payload.byteSize();
    }

    static MemorySegment heap(long count, int bytes) {
        return MemorySegment.ofArray(new long[Math.toIntExact((count * bytes + 7) / 8)])
                .asSlice(0, count * bytes);
    }
}
