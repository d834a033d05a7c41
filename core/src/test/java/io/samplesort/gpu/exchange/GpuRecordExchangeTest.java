package io.samplesort.gpu.exchange;

import static io.samplesort.gpu.exchange.ExchangeBed.NO_LIMIT;
import static io.samplesort.gpu.exchange.ExchangeBed.gpus;
import static io.samplesort.gpu.exchange.ExchangeBed.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Records on several GPUs: those that are moved as they are, and those that are sorted by index.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuRecordExchangeTest {
    static List<RecordCase> records() {
        return RecordCase.all();
    }

    /// Returns large records with a sort key of their own, which are always sorted by index.
    static Stream<RecordCase> recordsByIndex() {
        return RecordCase.all().stream().filter(each -> each.name().equals("sort benchmark"));
    }

    @ParameterizedTest
    @MethodSource("recordsByIndex")
    void sortsRecordsByIndexStably(RecordCase record) {
        sortsRecordsStably(record);
    }

    /// A stable sort has one result alone.
    @ParameterizedTest
    @MethodSource("records")
    @Tag("exhaustive")
    void sortsRecordsStably(RecordCase record) {
        int count = 3000;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(5));
        MemorySegment payloads = numbers(count);
        int[] order = record.stableOrder(elements);
        byte[] expected = RecordCase.gathered(elements, bytes, order);
        byte[] expectedPayloads = RecordCase.gathered(payloads, Long.BYTES, order);
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = new ExchangeBed(
                        gpus(3), record.type(), List.of(ElementType.LONG), record.order(), true, NO_LIMIT)) {
            bed.sort(new long[] {1000, 700, 1300}, elements, payloads);
            assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThat(payloads.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expectedPayloads);
        }
    }

    /// Structs of whole words are moved.
    @Test
    void sortsRecordsThatAreMoved() {
        RecordCase record = RecordCase.all().getFirst();
        int count = 3000;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(6));
        Fingerprint before = Fingerprint.of(elements, bytes);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(gpus(2), record.type(), List.of(), record.order(), false, NO_LIMIT)) {
            bed.sort(new long[] {1100, 1900}, elements);
        }
        assertThat(ResultCheck.firstViolation(elements, bytes, record.order().toComparator(record.type())))
                .isEmpty();
        assertThat(Fingerprint.of(elements, bytes)).isEqualTo(before);
    }

    /// Records are copied while their keys are sorted where there is memory for it, and stored at once where not.
    @Test
    void recordsAreStoredWhereMemoryIsShort() {
        RecordCase record = RecordCase.all().stream()
                .max(Comparator.comparingInt(each -> each.type().byteSize()))
                .orElseThrow();
        int count = 3000;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(8));
        byte[] expected = RecordCase.gathered(elements, bytes, record.stableOrder(elements));
        byte[] input = elements.toArray(ValueLayout.JAVA_BYTE);
        boolean wereCopied = false;
        boolean wereStored = false;
        try (SeveralGpus several = SeveralGpus.of(2)) {
            for (long limit = 20L * count * bytes; !wereStored; limit -= limit / 16) {
                try (ExchangeBed bed =
                        new ExchangeBed(gpus(2), record.type(), List.of(), record.order(), true, limit)) {
                    elements.copyFrom(MemorySegment.ofArray(input));
                    SortReport.Exchange exchange = bed.sort(new long[] {1100, 1900}, elements)
                            .exchange()
                            .orElseThrow();
                    assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
                    wereStored = exchange.storedElements() > count / 6;
                    wereCopied |= exchange.copiedElements() > count / 3;
                }
            }
        }
        assertThat(wereCopied).isTrue();
    }

    @ParameterizedTest
    @MethodSource("recordsByIndex")
    void findsTheOrderOfRecordsByIndex(RecordCase record) {
        int count = 2000;
        int bytes = record.type().byteSize();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(7));
        byte[] input = elements.toArray(ValueLayout.JAVA_BYTE);
        int[] order = record.stableOrder(elements);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(gpus(2), record.type(), List.of(), record.order(), true, NO_LIMIT)) {
            ByteBuffer ints = ByteBuffer.wrap(bed.argsort(new long[] {900, 1100}, Integer.BYTES, elements))
                    .order(ByteOrder.nativeOrder());
            ByteBuffer longs = ByteBuffer.wrap(bed.argsort(new long[] {1500, 500}, Long.BYTES, elements))
                    .order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                assertThat(ints.getInt()).as("place %s", i).isEqualTo(order[i]);
                assertThat(longs.getLong()).as("place %s", i).isEqualTo(order[i]);
            }
        }
        assertThat(elements.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(input);
    }
}
