package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every engine promises, whatever the type, the order, the input and its size: neighbours in order, the same
/// multiset of elements, payloads with their keys, and nothing touched outside the input.
///
/// The seed of a failure stands in its message; `-Dtests.seed` plays it again.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SortContract {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = 0x5a;

    /// One sorter of the engine under test.
    protected interface Engine extends AutoCloseable {
        /// @param payloads null where elements have none
        void sort(MemorySegment keys, MemorySegment payloads);

        @Override
        void close();
    }

    /// What a sorter sorts.
    ///
    /// @param payload null where elements have none
    /// @param distributions the inputs of the large size
    public record Case(KeyType key, KeyType payload, boolean isDescending, List<InputDistribution> distributions) {
        Case(KeyType key, KeyType payload, boolean isDescending) {
            this(
                    key,
                    payload,
                    isDescending,
                    isDescending ? DESCENDING_DISTRIBUTIONS : List.of(InputDistribution.values()));
        }

        @Override
        public String toString() {
            return key + (payload == null ? "" : " with " + payload) + (isDescending ? " descending" : "");
        }
    }

    /// A descending order only swaps what is compared, so a few inputs are enough.
    private static final List<InputDistribution> DESCENDING_DISTRIBUTIONS = List.of(
            InputDistribution.UNIFORM,
            InputDistribution.SORTED,
            InputDistribution.FEW_DISTINCT,
            InputDistribution.ROOT_DUPLICATES);

    protected abstract Engine engine(KeyType key, KeyType payload, boolean isDescending);

    /// Sizes around every threshold of the engine.
    protected abstract int[] edgeSizes();

    /// A size that takes several distribution passes.
    protected abstract int largeSize();

    /// What any build sorts: each type once, with each kind of payload and without, in both directions. Each input
    /// distribution is sorted as several of them.
    protected List<Case> cases() {
        return List.of(
                representative(KeyType.I8, null, false, 0),
                representative(KeyType.U8, null, true, 1),
                representative(KeyType.I16, null, false, 2),
                representative(KeyType.U16, KeyType.I64, true, 0),
                representative(KeyType.I32, KeyType.U32, true, 1),
                representative(KeyType.U32, KeyType.I64, false, 2),
                representative(KeyType.F32, null, false, 0),
                representative(KeyType.I64, null, false, 1),
                representative(KeyType.U64, KeyType.I64, true, 2),
                representative(KeyType.F64, null, false, 2));
    }

    /// Returns a case with every third input distribution.
    protected static Case representative(KeyType key, KeyType payload, boolean isDescending, int firstDistribution) {
        return new Case(
                key,
                payload,
                isDescending,
                Arrays.stream(InputDistribution.values())
                        .filter(distribution -> distribution.ordinal() % 3 == firstDistribution)
                        .toList());
    }

    /// All that is sorted.
    protected List<Case> everyCase() {
        return allCases();
    }

    /// Every type in both directions, and most types with two kinds of payloads.
    protected static List<Case> allCases() {
        List<Case> cases = new ArrayList<>();
        for (KeyType key : KeyType.values()) {
            cases.add(new Case(key, null, false));
            cases.add(new Case(key, null, true));
            if (key != KeyType.U8 && key != KeyType.I16) {
                cases.add(new Case(key, KeyType.U32, false));
                cases.add(new Case(key, KeyType.U32, true));
                cases.add(new Case(key, KeyType.I64, false));
            }
        }
        return cases;
    }

    @ParameterizedTest
    @MethodSource("everyCase")
    @Tag("exhaustive")
    void sortsEveryInputDistributionInEveryCase(Case sorted) {
        sortsEveryInputDistribution(sorted);
    }

    @ParameterizedTest
    @MethodSource("everyCase")
    @Tag("exhaustive")
    void sortsEverySizeAroundTheThresholdsInEveryCase(Case sorted) {
        sortsEverySizeAroundTheThresholds(sorted);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sortsEveryInputDistribution(Case sorted) {
        int size = sorted.payload() == null ? largeSize() : largeSize() / 2;
        try (Engine engine = engine(sorted.key(), sorted.payload(), sorted.isDescending())) {
            for (InputDistribution distribution : sorted.distributions()) {
                check(engine, sorted, distribution, size);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sortsEverySizeAroundTheThresholds(Case sorted) {
        try (Engine engine = engine(sorted.key(), sorted.payload(), sorted.isDescending())) {
            for (int size : edgeSizes()) {
                if (sorted.payload() == null) {
                    check(engine, sorted, InputDistribution.UNIFORM, size);
                    check(engine, sorted, InputDistribution.FEW_DISTINCT, size);
                } else {
                    check(engine, sorted, InputDistribution.ROOT_DUPLICATES, size);
                }
            }
        }
    }

    private static void check(Engine engine, Case sorted, InputDistribution distribution, int size) {
        KeyType type = sorted.key();
        KeyType payloadType = sorted.payload();
        long seed = SEED ^ (size * 31L + distribution.ordinal());
        String what = sorted + ", " + distribution + ", " + size + " elements; replay with -Dtests.seed=" + SEED;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment keys = guarded(arena, (long) size * type.byteSize());
            distribution.fillWithSpecials(inner(keys), type, seed);
            Fingerprint before;
            if (payloadType == null) {
                before = Fingerprint.of(inner(keys), type);
                engine.sort(inner(keys), null);
                assertThat(Fingerprint.of(inner(keys), type))
                        .as("multiset of %s", what)
                        .isEqualTo(before);
            } else {
                MemorySegment payloads = guarded(arena, (long) size * payloadType.byteSize());
                InputDistribution.UNIFORM.fill(inner(payloads), payloadType, seed + 1);
                before = Fingerprint.of(inner(keys), type, inner(payloads), payloadType);
                engine.sort(inner(keys), inner(payloads));
                assertThat(Fingerprint.of(inner(keys), type, inner(payloads), payloadType))
                        .as("pairs of %s", what)
                        .isEqualTo(before);
                assertGuards(payloads, what);
            }
            assertThat(ResultCheck.firstViolation(inner(keys), type, sorted.isDescending()))
                    .as("order of %s", what)
                    .isEmpty();
            assertGuards(keys, what);
        }
    }

    private static MemorySegment guarded(Arena arena, long bytes) {
        MemorySegment segment = arena.allocate(bytes + 2 * GUARD_BYTES, 64);
        segment.fill(GUARD);
        return segment;
    }

    private static MemorySegment inner(MemorySegment guarded) {
        return guarded.asSlice(GUARD_BYTES, guarded.byteSize() - 2 * GUARD_BYTES);
    }

    private static void assertGuards(MemorySegment guarded, String what) {
        byte[] expected = new byte[GUARD_BYTES];
        Arrays.fill(expected, GUARD);
        MemorySegment guard = MemorySegment.ofArray(expected);
        assertThat(guarded.asSlice(0, GUARD_BYTES).mismatch(guard))
                .as("before %s", what)
                .isEqualTo(-1);
        assertThat(guarded.asSlice(guarded.byteSize() - GUARD_BYTES).mismatch(guard))
                .as("after %s", what)
                .isEqualTo(-1);
    }
}
