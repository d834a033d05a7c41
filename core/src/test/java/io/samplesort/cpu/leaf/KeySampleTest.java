package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeySampleTest {
    @Test
    void keysAreSortedAndLieWhereTheirPlacesSay() {
        long[] values = new SplittableRandom(1).longs(1000).toArray();
        KeySample sample = KeySample.draw(i -> values[i], 10, 900);
        assertThat(sample.keys()).isSorted();
        assertThat(Arrays.stream(sample.places()).mapToLong(i -> values[i]).toArray())
                .isEqualTo(sample.keys());
        assertThat(Arrays.stream(sample.places())).allMatch(place -> place > 10 && place < 899);
        assertThat(sample.isUneven()).isFalse();
        assertThat(sample.frequentPlace()).isNegative();
    }

    @Test
    void aFrequentKeyIsFound() {
        SplittableRandom random = new SplittableRandom(2);
        long[] values = random.longs(10_000, 0, 1_000_000)
                .map(key -> random.nextInt(3) == 0 ? 777 : key)
                .toArray();
        KeySample sample = KeySample.draw(i -> values[i], 0, values.length);
        assertThat(sample.isUneven()).isTrue();
        assertThat(values[sample.frequentPlace()]).isEqualTo(777);
    }

    @Test
    void keysThatRepeatNowAndThenAreNotFrequent() {
        long[] values = new SplittableRandom(3).longs(10_000, 0, 200).toArray();
        KeySample sample = KeySample.draw(i -> values[i], 0, values.length);
        assertThat(sample.isUneven()).isTrue();
        assertThat(sample.frequentPlace()).isNegative();
    }

    @Test
    void fewKeysThatAllRepeatAreEven() {
        long[] values = new SplittableRandom(5).longs(10_000, 0, 12).toArray();
        assertThat(KeySample.draw(i -> values[i], 0, values.length).isUneven()).isFalse();
    }

    @Test
    void onePlaceDrawnTwiceIsNoRepeat() {
        long[] values = new SplittableRandom(4).longs(5).toArray();
        assertThat(KeySample.draw(i -> values[i], 0, values.length).isUneven()).isFalse();
    }
}
