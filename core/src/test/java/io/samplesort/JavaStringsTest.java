package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Strings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Strings of Java and arrays of bytes, compared with the sorts of the JDK.
class JavaStringsTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// Characters of one to four bytes, the last before and the first after each limit, and surrogates that are alone.
    private static final String[] CHARACTERS = {
        "\0", "a", "Z", "~", "\u007f", "\u0080", "é", "\u07ff", "\u0800", "水", "\ud7ff", "\ue000", "\uffff", "😀",
        "\ud83d", "\ude00",
    };

    private static String[] strings(int count) {
        Random random = new Random(SEED + count);
        String[] strings = new String[count];
        for (int i = 0; i < count; i++) {
            StringBuilder string = new StringBuilder();
            int kinds = random.nextBoolean() ? 4 : CHARACTERS.length;
            for (int left = random.nextInt(12); left > 0; left--) {
                string.append(CHARACTERS[random.nextInt(kinds)]);
            }
            strings[i] = string.toString();
        }
        return strings;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 100, 5000, 60_000})
    void sortsStringsAsTheJdkDoes(int count) {
        String[] expected = strings(count);
        String[] sorted = expected.clone();
        List<String> list = new LinkedList<>(Arrays.asList(expected));
        int[] indexes = SampleSort.argsort(expected);
        String[] unsorted = expected.clone();
        Arrays.sort(expected);
        assertThat(SampleSort.sort(sorted).elementCount()).isEqualTo(count);
        SampleSort.sort(list);
        for (int i = 0; i < count; i++) {
            // The sort is stable, so equal strings are the very same.
            assertThat(sorted[i]).as("string %d, seed %d", i, SEED).isSameAs(expected[i]);
            assertThat(unsorted[indexes[i]]).isSameAs(expected[i]);
        }
        assertThat(list).isEqualTo(Arrays.asList(expected));
    }

    /// One or two runs that rise or fall, with equal strings in both.
    @Test
    void stringsOfFewRunsAreNotEncoded() {
        String[] sorted = Arrays.stream(strings(1000)).sorted().toArray(String[]::new);
        String[] reversed = Arrays.asList(sorted).reversed().stream().distinct().toArray(String[]::new);
        String[] both =
                Stream.concat(Arrays.stream(sorted), Arrays.stream(reversed)).toArray(String[]::new);
        for (String[] strings : List.of(sorted, reversed, both)) {
            String[] expected = strings.clone();
            Arrays.sort(expected);
            String[] actual = strings.clone();
            assertThat(SampleSort.sort(actual).extraBytes()).isZero();
            for (int i = 0; i < strings.length; i++) {
                assertThat(actual[i]).isSameAs(expected[i]);
            }
        }
        byte[][] bytes = {{(byte) 200}, {100, 1}, {100}, {}};
        assertThat(SampleSort.sort(bytes).extraBytes()).isZero();
        assertThat(bytes).isDeepEqualTo(new byte[][] {{}, {100}, {100, 1}, {(byte) 200}});
        byte[][] mixed = new byte[1000][];
        Arrays.setAll(mixed, i -> new byte[] {(byte) (7 * i)});
        byte[][] expected = mixed.clone();
        Arrays.sort(expected, Arrays::compareUnsigned);
        assertThat(SampleSort.sort(mixed).extraBytes()).isPositive();
        assertThat(mixed).isDeepEqualTo(expected);
    }

    @Test
    void sortsAPartOfAnArray() {
        String[] expected = strings(1000);
        String[] sorted = expected.clone();
        Arrays.sort(expected, 100, 900);
        SampleSort.sort(sorted, 100, 900);
        assertThat(sorted).isEqualTo(expected);
        assertThatThrownBy(() -> SampleSort.sort(sorted, 5, 1001)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void refusesNulls() {
        String[] strings = {"b", "a", null};
        assertThatThrownBy(() -> SampleSort.sort(strings))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the string at index 2 is null");
        assertThat(strings).containsExactly("b", "a", null);
    }

    @Test
    void refusesListsThatCannotBeChanged() {
        assertThatThrownBy(() -> SampleSort.sort(List.of("b", "a"))).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void sortsArraysOfBytes() {
        byte[][] expected = StringCase.NULS.strings(new Random(SEED), 5000);
        byte[][] sorted = expected.clone();
        Arrays.sort(expected, Arrays::compareUnsigned);
        SampleSort.sort(sorted);
        for (int i = 0; i < expected.length; i++) {
            assertThat(sorted[i]).as("seed %d", SEED).isSameAs(expected[i]);
        }
    }

    @Test
    void encodesUtf8AsTheJdkDoes() {
        List<String> strings = new ArrayList<>(Arrays.asList(strings(20_000)));
        Strings encoded = Strings.utf8(strings);
        assertThat(encoded.count()).isEqualTo(strings.size());
        for (int i = 0; i < strings.size(); i++) {
            assertThat(encoded.get(i))
                    .as("seed %d", SEED)
                    .isEqualTo(strings.get(i).getBytes(StandardCharsets.UTF_8));
        }
    }
}
