package io.samplesort.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestkitTest {
    private static final Comparator<MemorySegment> FIRST_BYTE =
            Comparator.comparing(record -> record.get(ValueLayout.JAVA_BYTE, 0));

    @ParameterizedTest
    @EnumSource
    void sameSeedGivesSameKeysForEveryType(InputDistribution distribution) {
        for (KeyType type : KeyType.values()) {
            for (int count : new int[] {0, 1, 2, 1000, 200_000}) {
                MemorySegment first = MemorySegment.ofArray(new long[count]).asSlice(0, (long) count * type.byteSize());
                MemorySegment second =
                        MemorySegment.ofArray(new long[count]).asSlice(0, (long) count * type.byteSize());
                distribution.fill(first, type, 7);
                distribution.fill(second, type, 7);
                assertThat(first.mismatch(second)).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsTogetherAreTheWhole(InputDistribution distribution) {
        int count = 150_000;
        MemorySegment whole = MemorySegment.ofArray(new long[count]);
        MemorySegment parts = MemorySegment.ofArray(new long[count]);
        distribution.fill(whole, KeyType.I64, 7);
        for (long first = 0; first < count; first += InputDistribution.GENERATOR_BLOCK) {
            long end = Math.min(count, first + InputDistribution.GENERATOR_BLOCK);
            distribution.fillPart(
                    parts.asSlice(first * Long.BYTES, (end - first) * Long.BYTES), KeyType.I64, 7, first, count);
        }
        assertThat(parts.mismatch(whole)).isEqualTo(-1);
        assertThatThrownBy(() -> distribution.fillPart(parts, KeyType.I64, 7, 1, count))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 65536");
    }

    @Test
    void fieldsOfStructsAreWhatKeysWouldBeAndTheirNeighboursStay() {
        for (KeyType type : KeyType.values()) {
            for (int count : new int[] {1, 2, 70_000}) {
                MemorySegment keys = MemorySegment.ofArray(new long[count]).asSlice(0, (long) count * type.byteSize());
                MemorySegment structs =
                        MemorySegment.ofArray(new long[3 * count]).asSlice(0, 3L * count * type.byteSize());
                MemorySegment expected =
                        MemorySegment.ofArray(new long[3 * count]).asSlice(0, structs.byteSize());
                InputDistribution.ADVERSARY.fill(keys, type, 7);
                InputDistribution.ADVERSARY.fillField(structs.asSlice(type.byteSize()), type, 3, 7);
                for (int i = 0; i < count; i++) {
                    type.setBits(expected, 3L * i + 1, type.bits(keys, i));
                }
                assertThat(structs.mismatch(expected)).as("%d %s", count, type).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesReadBack(InputDistribution distribution) {
        assertThat(InputDistribution.parse(distribution.toString())).isSameAs(distribution);
    }

    @Test
    void shapesAreWhatTheirNamesSay() {
        int n = 240 * 1000;
        assertThat(violation(InputDistribution.SORTED, n)).isEmpty();
        assertThat(violation(InputDistribution.ALL_EQUAL, n)).isEmpty();
        assertThat(violation(InputDistribution.UNIFORM, n)).isPresent();
        assertThat(violation(InputDistribution.ORGAN_PIPE, n)).hasValue(n / 2);
        assertThat(distinct(InputDistribution.FEW_DISTINCT, n)).isEqualTo(16);
        assertThat(distinct(InputDistribution.ROOT_DUPLICATES, n)).isEqualTo(489);
        // A key fills p/2 blocks, the next one p/4, and so on: 120, 60, 30, 15, 8, 4, 2, 1.
        assertThat(distinct(InputDistribution.DETERMINISTIC_DUPLICATES, n)).isEqualTo(8);
        assertThat(distinct(InputDistribution.UNIFORM, n)).isGreaterThan(n - 10);
    }

    @Test
    void staggeredBlocksStayInTheirSubRanges() {
        int n = 240 * 100;
        long[] keys = keys(InputDistribution.STAGGERED, n);
        long width = Long.divideUnsigned(-1L, 240);
        Set<Long> subRanges = new HashSet<>();
        for (int block = 0; block < 240; block++) {
            long subRange = Long.divideUnsigned(keys[block * 100], width);
            subRanges.add(subRange);
            for (int i = 0; i < 100; i++) {
                assertThat(Long.divideUnsigned(keys[block * 100 + i], width)).isEqualTo(subRange);
            }
        }
        assertThat(subRanges).hasSize(240);
    }

    @Test
    void fingerprintKnowsTheMultisetAndNotTheOrder() {
        long[] keys = keys(InputDistribution.UNIFORM, 100_000);
        Fingerprint before = Fingerprint.of(MemorySegment.ofArray(keys), KeyType.U64);
        long[] sorted = keys.clone();
        Arrays.sort(sorted);
        assertThat(Fingerprint.of(MemorySegment.ofArray(sorted), KeyType.U64)).isEqualTo(before);
        sorted[17] ^= 1;
        assertThat(Fingerprint.of(MemorySegment.ofArray(sorted), KeyType.U64)).isNotEqualTo(before);
        keys[5] = keys[6];
        assertThat(Fingerprint.of(MemorySegment.ofArray(keys), KeyType.U64)).isNotEqualTo(before);
    }

    @Test
    void fingerprintOfPairsShowsThoseTornApart() {
        MemorySegment keys = MemorySegment.ofArray(new int[] {1, 2, 3});
        Fingerprint together =
                Fingerprint.of(keys, KeyType.I32, MemorySegment.ofArray(new int[] {4, 5, 6}), KeyType.I32);
        assertThat(Fingerprint.of(keys, KeyType.I32, MemorySegment.ofArray(new int[] {5, 4, 6}), KeyType.I32))
                .isNotEqualTo(together);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 12, 100})
    void fingerprintSeesEveryByteOfARecord(int byteSize) {
        byte[] records = new byte[3 * byteSize];
        for (int i = 0; i < records.length; i++) {
            records[i] = (byte) (31 * i);
        }
        Fingerprint before = Fingerprint.of(MemorySegment.ofArray(records), byteSize);
        byte[] rotated = new byte[records.length];
        System.arraycopy(records, 0, rotated, byteSize, 2 * byteSize);
        System.arraycopy(records, 2 * byteSize, rotated, 0, byteSize);
        assertThat(Fingerprint.of(MemorySegment.ofArray(rotated), byteSize)).isEqualTo(before);
        for (int i = 0; i < records.length; i++) {
            records[i] ^= 1;
            assertThat(Fingerprint.of(MemorySegment.ofArray(records), byteSize)).isNotEqualTo(before);
            records[i] ^= 1;
        }
    }

    @Test
    void fingerprintSeesWordsThatChangedPlacesWithinARecord() {
        Fingerprint before = Fingerprint.of(MemorySegment.ofArray(new long[] {1, 2, 3, 4}), 16);
        assertThat(Fingerprint.of(MemorySegment.ofArray(new long[] {2, 1, 3, 4}), 16))
                .isNotEqualTo(before);
        assertThat(Fingerprint.of(MemorySegment.ofArray(new long[] {3, 2, 1, 4}), 16))
                .isNotEqualTo(before);
        assertThat(Fingerprint.of(MemorySegment.ofArray(new long[] {3, 4, 1, 2}), 16))
                .isEqualTo(before);
    }

    @Test
    void violationsAreFoundByAComparatorToo() {
        MemorySegment records = MemorySegment.ofArray(new byte[] {1, 9, 0, 2, 0, 0, 3, 0, 0, 2, 0, 0});
        assertThat(ResultCheck.firstViolation(records, 3, FIRST_BYTE)).hasValue(2);
        assertThat(ResultCheck.firstViolation(records.asSlice(0, 9), 3, FIRST_BYTE))
                .isEmpty();
        assertThat(ResultCheck.firstViolation(records.asSlice(0, 0), 3, FIRST_BYTE))
                .isEmpty();
    }

    @Test
    void aSortThatIsNotStableShows() {
        byte[] original = {2, 0, 1, 1, 2, 2, 1, 3, 2, 4};
        assertThat(stabilityViolation(original, new byte[] {1, 1, 1, 3, 2, 0, 2, 2, 2, 4}))
                .isEmpty();
        assertThat(stabilityViolation(original, new byte[] {1, 3, 1, 1, 2, 0, 2, 2, 2, 4}))
                .hasValue(0);
        assertThat(stabilityViolation(original, new byte[] {1, 1, 1, 3, 2, 0, 2, 4, 2, 2}))
                .hasValue(3);
        // The result is in order and as long as the input, but its elements are other ones.
        assertThat(stabilityViolation(original, new byte[] {1, 1, 1, 3, 1, 3, 1, 3, 1, 3}))
                .isPresent();
        assertThat(stabilityViolation(original, new byte[] {1, 1, 2, 0, 2, 2, 2, 4, 2, 4}))
                .isPresent();
        assertThat(stabilityViolation(new byte[0], new byte[0])).isEmpty();
    }

    @Test
    void stabilityIsThatOfPayloadsToo() {
        StabilityCheck.Column keys = new StabilityCheck.Column(
                MemorySegment.ofArray(new byte[] {5, 5, 4}), MemorySegment.ofArray(new byte[] {4, 5, 5}), 1);
        MemorySegment before = MemorySegment.ofArray(new int[] {10, 11, 12});
        StabilityCheck.Column kept =
                new StabilityCheck.Column(before, MemorySegment.ofArray(new int[] {12, 10, 11}), Integer.BYTES);
        StabilityCheck.Column swapped =
                new StabilityCheck.Column(before, MemorySegment.ofArray(new int[] {12, 11, 10}), Integer.BYTES);
        assertThat(StabilityCheck.violation(keys, List.of(kept), FIRST_BYTE)).isEmpty();
        assertThat(StabilityCheck.violation(keys, List.of(swapped), FIRST_BYTE)).hasValue(1);
    }

    private static OptionalLong stabilityViolation(byte[] original, byte[] sorted) {
        return StabilityCheck.violation(
                new StabilityCheck.Column(MemorySegment.ofArray(original), MemorySegment.ofArray(sorted), 2),
                List.of(),
                FIRST_BYTE);
    }

    @Test
    void fingerprintOfBytesKnowsEveryByteAndThePayload() {
        byte[] elements = new byte[3 * 11];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = (byte) (i * i);
        }
        int[] payloads = {4, 5, 6};
        Fingerprint before = ofBytes(elements, payloads);
        for (int i = 0; i < elements.length; i++) {
            elements[i] ^= 1;
            assertThat(ofBytes(elements, payloads)).isNotEqualTo(before);
            elements[i] ^= 1;
        }
        assertThat(ofBytes(elements, new int[] {5, 4, 6})).isNotEqualTo(before);
        byte[] rotated = new byte[elements.length];
        System.arraycopy(elements, 11, rotated, 0, 22);
        System.arraycopy(elements, 0, rotated, 22, 11);
        assertThat(ofBytes(rotated, new int[] {5, 6, 4})).isEqualTo(before);
    }

    private static Fingerprint ofBytes(byte[] elements, int[] payloads) {
        return Fingerprint.of(MemorySegment.ofArray(elements), 11, MemorySegment.ofArray(payloads), Integer.BYTES);
    }

    @Test
    void violationsAreFoundWhereTheyAre() {
        MemorySegment keys = MemorySegment.ofArray(new int[] {1, 2, -3, 4});
        assertThat(ResultCheck.firstViolation(keys, KeyType.I32, false)).hasValue(1);
        assertThat(ResultCheck.firstViolation(keys, KeyType.U32, false)).hasValue(2);
        assertThat(ResultCheck.firstViolation(keys, KeyType.I32, true)).hasValue(0);
        MemorySegment floats = MemorySegment.ofArray(new double[] {-1, -0.0, 0.0, Double.NaN});
        assertThat(ResultCheck.firstViolation(floats, KeyType.F64, false)).isEmpty();
    }

    @Test
    void specialsAppear() {
        double[] keys = new double[10_000];
        InputDistribution.UNIFORM.fillWithSpecials(MemorySegment.ofArray(keys), KeyType.F64, 3);
        assertThat(Arrays.stream(keys).filter(Double::isNaN).count()).isBetween(20L, 300L);
        assertThat(Arrays.stream(keys)
                        .filter(k -> Double.doubleToRawLongBits(k) == Long.MIN_VALUE)
                        .count())
                .isPositive();
    }

    @Test
    void unknownNamesAreRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> KeyType.parse("u128"))
                .hasMessageContaining("u128")
                .hasMessageContaining("f64");
        assertThatThrownBy(() -> InputDistribution.parse("odd"))
                .hasMessageContaining("odd")
                .hasMessageContaining("zipf");
    }

    private static OptionalLong violation(InputDistribution distribution, int n) {
        return ResultCheck.firstViolation(MemorySegment.ofArray(keys(distribution, n)), KeyType.U64, false);
    }

    private static int distinct(InputDistribution distribution, int n) {
        Set<Long> distinct = new HashSet<>();
        for (long key : keys(distribution, n)) {
            distinct.add(key);
        }
        return distinct.size();
    }

    private static long[] keys(InputDistribution distribution, int n) {
        long[] keys = new long[n];
        distribution.fill(MemorySegment.ofArray(keys), KeyType.U64, 11);
        return keys;
    }
}
