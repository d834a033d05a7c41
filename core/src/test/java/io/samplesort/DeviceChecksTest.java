package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import org.junit.jupiter.api.Test;

/// Limits of what ints can tell, of memory that no test has.
class DeviceChecksTest {
    private static final long MOST_INTS = Integer.MAX_VALUE;

    @Test
    void indexesOfMoreRowsThanIntsCanTellAreLongs() {
        assertThat(DeviceChecks.indexBytes("permutation", MOST_INTS * 4, MOST_INTS, "rows"))
                .isEqualTo(4);
        assertThat(DeviceChecks.indexBytes("permutation", MOST_INTS * 8, MOST_INTS, "rows"))
                .isEqualTo(8);
        long more = MOST_INTS + 1;
        assertThat(DeviceChecks.indexBytes("permutation", more * 8, more, "rows"))
                .isEqualTo(8);
        assertThatThrownBy(() -> DeviceChecks.indexBytes("permutation", more * 4, more, "rows"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the permutation has 8589934592 bytes, and there are 2147483648 rows:"
                        + " there must be room for as many longs");
        assertThatThrownBy(() -> DeviceChecks.indexBytes("counts", 41, 10, "strings"))
                .hasMessage("the counts have 41 bytes, and there are 10 strings:"
                        + " there must be room for as many ints or longs");
    }

    @Test
    void intOffsetsReachNoFurtherThanIntsCanTell() {
        long bytes = 5L << 30;
        assertThat(DeviceStrings.reachableBytes(bytes, ElementType.LONG)).isEqualTo(bytes);
        assertThat(DeviceStrings.reachableBytes(bytes, ElementType.INT)).isEqualTo(Integer.MAX_VALUE);
        assertThat(DeviceStrings.reachableBytes(1000, ElementType.INT)).isEqualTo(1000);
    }
}
