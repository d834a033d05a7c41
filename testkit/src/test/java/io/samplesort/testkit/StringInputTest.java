package io.samplesort.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StringInputTest {
    @ParameterizedTest
    @EnumSource
    void makesTheSameStringsAsLines(StringInput input) throws IOException {
        StringInput.Generated strings = input.generate(10_000, 7);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 0; i < 10_000; i++) {
            lines.write(strings.bytes(), (int) strings.offsets()[i], (int)
                    (strings.offsets()[i + 1] - strings.offsets()[i]));
            lines.write('\n');
        }
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        input.writeLines(10_000, 7, written);
        assertThat(written.toByteArray()).isEqualTo(lines.toByteArray());
        byte[] bytes = strings.bytes();
        assertThat(IntStream.range(0, bytes.length).map(i -> bytes[i])).allMatch(b -> b >= ' ' && b <= '~');
    }

    @ParameterizedTest
    @EnumSource
    void beginsAlikeHoweverManyFollow(StringInput input) {
        StringInput.Generated few = input.generate(5000, 3);
        StringInput.Generated many = input.generate(9001, 3);
        assertThat(Arrays.copyOf(many.offsets(), 5001)).isEqualTo(few.offsets());
        assertThat(Arrays.copyOf(many.bytes(), few.bytes().length)).isEqualTo(few.bytes());
        assertThat(Arrays.equals(few.bytes(), input.generate(5000, 4).bytes())).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void hasTheLengthsThatDocumentsName(StringInput input) {
        StringInput.Generated strings = input.generate(100_000, 1);
        double average = strings.bytes().length / 100_000.0;
        double expected = switch (input) {
            case RANDOM -> 40.5;
            case URLS -> 47;
            case WORDS -> 6;
            case SENTENCES -> 52;
        };
        assertThat(average).isBetween(expected * 0.95, expected * 1.05);
    }
}
