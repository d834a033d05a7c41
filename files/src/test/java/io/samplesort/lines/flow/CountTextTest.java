package io.samplesort.lines.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Numbers of lines as `uniq -c` of GNU prints them.
class CountTextTest {
    @Test
    void areAlignedToTheRightOrWider() {
        CountText text = new CountText();
        assertThat(text.of(1)).asString().isEqualTo("      1 ");
        assertThat(text.of(1)).isSameAs(text.of(1));
        assertThat(text.of(42)).asString().isEqualTo("     42 ");
        assertThat(text.of(9_999_999)).asString().isEqualTo("9999999 ");
        assertThat(text.of(10_000_000)).asString().isEqualTo("10000000 ");
        assertThat(text.of(123_456_789_012L)).asString().isEqualTo("123456789012 ");
    }
}
