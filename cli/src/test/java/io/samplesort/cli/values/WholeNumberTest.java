package io.samplesort.cli.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers of elements and of bytes.
class WholeNumberTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "1000000,1000000",
        "2^24,16777216",
        "16M,16777216",
        "3k,3072",
        "1T,1099511627776",
        "2^62,4611686018427387904"
    })
    void counts(String text, long count) {
        assertThat(WholeNumber.count(text)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({
        "1,1",
        "512M,536870912",
        "4G,4294967296",
        "4GiB,4294967296",
        "4gib,4294967296",
        "1GB,1000000000",
        "1T,1099511627776",
        "1TiB,1099511627776",
        "1TB,1000000000000",
        "1kB,1000"
    })
    void sizes(String text, long bytes) {
        assertThat(WholeNumber.size(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-", "1.5G", "1P", "1GB", "1GiB", "2^", "2^100", "1 G"})
    void whatIsNoCount(String text) {
        assertThatThrownBy(() -> WholeNumber.count(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count '" + text + "' is not a number: write it as in 1000000, 1e6, 16M or 2^24");
    }

    @Test
    void negativeNumbersAreNamedAsSuch() {
        assertThatThrownBy(() -> WholeNumber.count("-1")).hasMessage("count '-1' must not be negative");
        assertThatThrownBy(() -> WholeNumber.size("-4G")).hasMessage("size '-4G' must not be negative");
    }

    @ParameterizedTest
    @CsvSource({
        "'',is not a number",
        "1B,is not a number",
        "2^3G,is not a number",
        "1GIBB,is not a number",
        "0,must be positive",
        "0G,must be positive",
        "9999999T,is too large",
        "2^64,is too large",
        "99999999999999999999,is too large"
    })
    void whatIsNoSize(String text, String reason) {
        assertThatThrownBy(() -> WholeNumber.size(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("size '" + text + "' " + reason);
    }
}
