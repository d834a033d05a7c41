package io.samplesort.bench.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.bench.workload.RecordElements;
import io.samplesort.bench.workload.RecordInput;
import io.samplesort.testkit.Fingerprint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Checks without a GPU how records are drawn, and that the check of results finds faults.
class RecordsTest {
    private static final int COUNT = 70_000;

    @ParameterizedTest
    @EnumSource(RecordJob.class)
    void theCheckAgreesWithTheOrderOfTheLibrary(RecordJob job) {
        for (RecordInput input : RecordInput.values()) {
            MemorySegment drawn = draw(job, input, 5);
            MemorySegment sorted = sort(job, drawn);
            assertThat(job.elements().isInOrder(drawn, null)).isFalse();
            assertThat(job.elements().isInOrder(sorted, null)).isTrue();
            assertThat(fingerprint(job, sorted)).isEqualTo(fingerprint(job, drawn));
            // The first and the last place lie in different pieces of work, and none of them may overlook the fault.
            swap(job, sorted, 0, COUNT - 1);
            assertThat(job.elements().isInOrder(sorted, null)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(RecordJob.class)
    void theSameSeedDrawsTheSameElementsAndAnotherDoesNot(RecordJob job) {
        MemorySegment drawn = draw(job, RecordInput.UNIFORM, 5);
        assertThat(draw(job, RecordInput.UNIFORM, 5).mismatch(drawn)).isEqualTo(-1);
        assertThat(draw(job, RecordInput.UNIFORM, 6).mismatch(drawn)).isNotEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource(RecordJob.class)
    void oneBitThatIsLostShows(RecordJob job) {
        MemorySegment drawn = draw(job, RecordInput.UNIFORM, 5);
        Fingerprint before = fingerprint(job, drawn);
        long last = drawn.byteSize() - 1;
        drawn.set(ValueLayout.JAVA_BYTE, last, (byte) (drawn.get(ValueLayout.JAVA_BYTE, last) ^ 0x40));
        assertThat(fingerprint(job, drawn)).isNotEqualTo(before);
    }

    @Test
    void duplicatesLeaveTheOrderToTheNextField() {
        MemorySegment drawn = draw(RecordJob.STRUCT16, RecordInput.DUPLICATES, 5);
        Set<Double> prices = new HashSet<>();
        for (int i = 0; i < COUNT; i++) {
            prices.add(drawn.get(ValueLayout.JAVA_DOUBLE, i * 16L));
        }
        // 70000 draws of 2^20 values repeat a value some 2300 times.
        assertThat(prices).hasSizeBetween(COUNT - 2800, COUNT - 1800);
    }

    @Test
    void keysOfLongRecordsArePrintable() {
        MemorySegment drawn = draw(RecordJob.RECORD100, RecordInput.UNIFORM, 5);
        Set<Byte> characters = new HashSet<>();
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < 10; j++) {
                characters.add(drawn.get(ValueLayout.JAVA_BYTE, i * 100L + j));
            }
        }
        assertThat(characters).hasSize('~' - ' ' + 1).allMatch(c -> c >= ' ' && c <= '~');
    }

    @Test
    void equalElementsHaveToKeepTheOrderOfTheirIndexes() {
        MemorySegment keys = MemorySegment.ofArray(new int[] {1, 2, 2, -1});
        assertThat(inOrder(keys, 3, 0, 1, 2)).isTrue();
        assertThat(inOrder(keys, 3, 1, 0, 2)).isFalse();
        assertThat(inOrder(keys, 3, 1, 1, 2)).isFalse();
    }

    private static boolean inOrder(MemorySegment keys, int... indexes) {
        return RecordElements.U32.isInOrder(keys, MemorySegment.ofArray(indexes));
    }

    @Test
    void jobsAndInputsReadBack() {
        for (RecordJob job : RecordJob.values()) {
            assertThat(RecordJob.parse(job.toString())).isEqualTo(job);
        }
        for (RecordInput input : RecordInput.values()) {
            assertThat(RecordInput.parse(input.toString())).isEqualTo(input);
        }
        assertThatThrownBy(() -> RecordJob.parse("struct17"))
                .hasMessageContaining("struct17")
                .hasMessageContaining("record100");
        assertThatThrownBy(() -> RecordInput.parse("sorted")).hasMessageContaining("uniform, duplicates");
    }

    private static MemorySegment draw(RecordJob job, RecordInput input, long seed) {
        MemorySegment elements = allocate(job);
        input.fill(elements, job.elements(), seed);
        return elements;
    }

    private static MemorySegment allocate(RecordJob job) {
        return Arena.ofAuto().allocate((long) COUNT * job.elements().type().byteSize(), 16);
    }

    private static Fingerprint fingerprint(RecordJob job, MemorySegment elements) {
        return Fingerprint.of(elements, job.elements().type().byteSize());
    }

    private static MemorySegment sort(RecordJob job, MemorySegment elements) {
        int bytes = job.elements().type().byteSize();
        Comparator<MemorySegment> comparator =
                job.order().toComparator(job.elements().type());
        List<MemorySegment> sorted = IntStream.range(0, COUNT)
                .mapToObj(i -> elements.asSlice((long) i * bytes, bytes))
                .sorted(comparator)
                .toList();
        MemorySegment target = allocate(job);
        for (int i = 0; i < COUNT; i++) {
            target.asSlice((long) i * bytes, bytes).copyFrom(sorted.get(i));
        }
        return target;
    }

    private static void swap(RecordJob job, MemorySegment elements, long i, long j) {
        int bytes = job.elements().type().byteSize();
        byte[] kept = elements.asSlice(i * bytes, bytes).toArray(ValueLayout.JAVA_BYTE);
        elements.asSlice(i * bytes, bytes).copyFrom(elements.asSlice(j * bytes, bytes));
        elements.asSlice(j * bytes, bytes).copyFrom(MemorySegment.ofArray(kept));
    }
}
