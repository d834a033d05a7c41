package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What every engine promises, whatever the type, the order, the input and its size: neighbours in order, the same
/// multiset of elements, payloads with their keys, and nothing touched beside the input.
///
/// The seed of a failure stands in its message; `-Dtests.seed` plays it again.
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

    /// @param payload null where elements have none
    protected abstract Engine engine(KeyType key, KeyType payload, boolean isDescending);

    /// Sizes around every threshold of the engine.
    protected abstract int[] edgeSizes();

    /// A size that takes several distribution passes.
    protected abstract int largeSize();

    /// Which orders are under test: whether descending.
    protected boolean[] directions() {
        return new boolean[] {false, true};
    }

    @ParameterizedTest
    @EnumSource
    void sortsEveryInputDistribution(KeyType type) {
        for (boolean isDescending : directions()) {
            try (Engine engine = engine(type, null, isDescending)) {
                for (InputDistribution distribution : distributions(isDescending)) {
                    check(engine, type, null, isDescending, distribution, largeSize());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sortsEverySizeAroundTheThresholds(KeyType type) {
        try (Engine engine = engine(type, null, false)) {
            for (int size : edgeSizes()) {
                check(engine, type, null, false, InputDistribution.UNIFORM, size);
                check(engine, type, null, false, InputDistribution.FEW_DISTINCT, size);
            }
        }
    }

    static Stream<Arguments> pairTypes() {
        return Stream.of(
                        KeyType.I8,
                        KeyType.U16,
                        KeyType.U32,
                        KeyType.I32,
                        KeyType.F32,
                        KeyType.I64,
                        KeyType.U64,
                        KeyType.F64)
                .flatMap(key -> Stream.of(KeyType.U32, KeyType.I64).map(payload -> Arguments.of(key, payload)));
    }

    @ParameterizedTest
    @MethodSource("pairTypes")
    void keepsPayloadsWithTheirKeys(KeyType key, KeyType payload) {
        for (boolean isDescending : payload == KeyType.U32 ? directions() : new boolean[] {false}) {
            try (Engine engine = engine(key, payload, isDescending)) {
                for (InputDistribution distribution : distributions(isDescending)) {
                    check(engine, key, payload, isDescending, distribution, largeSize() / 2);
                }
                for (int size : edgeSizes()) {
                    check(engine, key, payload, isDescending, InputDistribution.ROOT_DUPLICATES, size);
                }
            }
        }
    }

    /// A descending order only swaps what is compared, so a few will do.
    private static List<InputDistribution> distributions(boolean isDescending) {
        return isDescending
                ? List.of(
                        InputDistribution.UNIFORM,
                        InputDistribution.SORTED,
                        InputDistribution.FEW_DISTINCT,
                        InputDistribution.ROOT_DUPLICATES)
                : List.of(InputDistribution.values());
    }

    private static void check(
            Engine engine,
            KeyType type,
            KeyType payloadType,
            boolean isDescending,
            InputDistribution distribution,
            int size) {
        long seed = SEED ^ (size * 31L + distribution.ordinal());
        String what =
                type + (payloadType == null ? "" : " with " + payloadType) + (isDescending ? " descending, " : ", ")
                        + distribution + ", " + size + " elements; replay with -Dtests.seed=" + SEED;
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
            assertThat(ResultCheck.firstViolation(inner(keys), type, isDescending))
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
