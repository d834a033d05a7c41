package io.samplesort.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Integers are in the order of what they stand for, and each stands for one value.
class OrderedBitsTest {
    /// In order: negative numbers, positive ones, NaNs without a sign and NaNs with one.
    private static final int[] FLOATS = {
        0xff80_0000,
        0xff7f_ffff,
        0xbf80_0000,
        0x8000_0001,
        0x8000_0000,
        0,
        1,
        0x3f80_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_0000,
        0x7fff_ffff,
        0xffff_ffff,
        0xffc0_0000,
        0xff80_0001
    };

    private static final long[] DOUBLES = {
        0xfff0_0000_0000_0000L,
        0xffef_ffff_ffff_ffffL,
        0xbff0_0000_0000_0000L,
        0x8000_0000_0000_0001L,
        Long.MIN_VALUE,
        0,
        1,
        0x3ff0_0000_0000_0000L,
        0x7fef_ffff_ffff_ffffL,
        0x7ff0_0000_0000_0000L,
        0x7ff0_0000_0000_0001L,
        0x7ff8_0000_0000_0000L,
        Long.MAX_VALUE,
        -1,
        0xfff8_0000_0000_0000L,
        0xfff0_0000_0000_0001L
    };

    @Test
    void floatsAreInOrderAndComeBack() {
        for (int i = 0; i < FLOATS.length; i++) {
            int ordered = OrderedBits.ofFloat(FLOATS[i]);
            assertThat(OrderedBits.floatBits(ordered)).isEqualTo(FLOATS[i]);
            if (i > 0) {
                assertThat(ordered).as("float %x", FLOATS[i]).isGreaterThan(OrderedBits.ofFloat(FLOATS[i - 1]));
            }
        }
        assertThat(OrderedBits.ofFloat(FLOATS[0])).isEqualTo(Integer.MIN_VALUE);
        assertThat(OrderedBits.ofFloat(FLOATS[FLOATS.length - 1])).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void doublesAreInOrderAndComeBack() {
        for (int i = 0; i < DOUBLES.length; i++) {
            long ordered = OrderedBits.ofDouble(DOUBLES[i]);
            assertThat(OrderedBits.doubleBits(ordered)).isEqualTo(DOUBLES[i]);
            if (i > 0) {
                assertThat(ordered).as("double %x", DOUBLES[i]).isGreaterThan(OrderedBits.ofDouble(DOUBLES[i - 1]));
            }
        }
        assertThat(OrderedBits.ofDouble(DOUBLES[0])).isEqualTo(Long.MIN_VALUE);
        assertThat(OrderedBits.ofDouble(DOUBLES[DOUBLES.length - 1])).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void numbersAreOrderedAsTheirBits() {
        assertThat(OrderedBits.of(Float.intBitsToFloat(-1))).isGreaterThan(OrderedBits.of(Float.NaN));
        assertThat(OrderedBits.of(Double.longBitsToDouble(-1))).isGreaterThan(OrderedBits.of(Double.NaN));
        assertThat(OrderedBits.of(-0f)).isLessThan(OrderedBits.of(0f));
        assertThat(OrderedBits.of(-0.0)).isLessThan(OrderedBits.of(0.0));
    }

    @Test
    void invertsSignOrAllBitsOfAWidth() {
        assertThat(OrderedBits.flip(8, true, false)).isEqualTo(0x80);
        assertThat(OrderedBits.flip(8, false, true)).isEqualTo(0xff);
        assertThat(OrderedBits.flip(64, true, true)).isEqualTo(Long.MAX_VALUE);
        assertThat(OrderedBits.flip(64, false, false)).isZero();
    }

    @Test
    void firstByteWeighsMost() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {1, -1, 3, 4});
        assertThat(OrderedBits.ofBytes(bytes, 1, 2)).isEqualTo(0xff03);
        assertThat(OrderedBits.ofBytes(bytes, 0, 0)).isZero();
    }
}
