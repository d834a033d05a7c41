package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.SimdKeys.Type;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class SimdKeysTest {
    /// More than the loop of the kernel takes at once, twice, and a rest.
    private static final int COUNT = 180;

    /// One pair of neighbours that runs the other way is found wherever it lies, and none where there is none.
    @Test
    void theCheckForOrderMissesNoPair() {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), Type.INT, true) != null, "needs AVX-512");
        for (Type type : Type.values()) {
            for (int count : new int[] {1, 2, 8, 9, 16, 17, 40, 41, 80, 81, 96, COUNT}) {
                for (int at = 0; at < count; at++) {
                    SimdKeys keys = SimdKeys.of(array(type, count, at), 0, type, true);
                    assertThat(keys.isInOrder(0, count))
                            .as("%s, %d ascending keys, the greatest at %d", type, count, at)
                            .isEqualTo(at == count - 1);
                    assertThat(keys.isInReverseOrder(0, count))
                            .as("%s, %d ascending keys, the greatest at %d", type, count, at)
                            .isEqualTo(count == 1 || count == 2 && at == 0);
                }
            }
        }
    }

    /// Returns keys that ascend but for that at one place, which is greater than all.
    private static Object array(Type type, int count, int greatest) {
        int[] ints = new int[count];
        long[] longs = new long[count];
        float[] floats = new float[count];
        double[] doubles = new double[count];
        for (int i = 0; i < count; i++) {
            // Negative numbers and others; unsigned, the negative ones are the greater.
            int value = i == greatest ? COUNT : i - count / 2;
            ints[i] = type.isUnsigned() ? value + Integer.MIN_VALUE : value;
            longs[i] = type.isUnsigned() ? value + Long.MIN_VALUE : value;
            floats[i] = value;
            doubles[i] = value;
        }
        return switch (type) {
            case INT, UNSIGNED_INT -> ints;
            case LONG, UNSIGNED_LONG -> longs;
            case FLOAT -> floats;
            case DOUBLE -> doubles;
        };
    }
}
