package io.samplesort.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class TuningSearchTest {
    private static final Tuning DEFAULT = Tuning.defaultFor(ElementType.LONG, null);

    /// Compares tunings by a time that is known for each.
    private static TuningSearch.Comparison by(ToDoubleFunction<Tuning> time) {
        return (candidate, best) -> OptionalDouble.of(time.applyAsDouble(candidate) / time.applyAsDouble(best));
    }

    private static TuningSearch searched(TuningSearch.Comparison comparison) {
        TuningSearch search = new TuningSearch(DEFAULT, comparison);
        for (TunedParameter parameter : TunedParameter.values()) {
            search.tryAll(parameter);
        }
        return search;
    }

    @Test
    void itFindsTheFastestValueOfEachParameter() {
        TuningSearch search = searched(by(tuning -> 10
                + Math.abs(tuning.distributionItems() - 20)
                + Math.abs(tuning.smallSortResidentThreads() - 900) * 0.01
                + (tuning.mergeBuffers() == 1 ? 0 : 1)));
        assertThat(search.best().distributionItems()).isEqualTo(20);
        assertThat(search.best().smallSortResidentThreads()).isEqualTo(896);
        assertThat(search.best().mergeBuffers()).isEqualTo(1);
        assertThat(search.overrides()).isEqualTo("distributionItems=20,smallSortResidentThreads=896,mergeBuffers=1");
        assertThat(DEFAULT.with(search.overrides())).isEqualTo(search.best());
        assertThat(DEFAULT.with("mergeBuffers=2,bucketTarget=1").with(search.values()))
                .isEqualTo(search.best());
        assertThat(search.tried()).isBetween(20, 40);
    }

    @Test
    void noiseChangesNothing() {
        TuningSearch search = searched((candidate, best) -> OptionalDouble.of(0.995));
        assertThat(search.best()).isEqualTo(DEFAULT);
        assertThat(search.overrides()).isEmpty();
    }

    @Test
    void aGainThatDoesNotComeTwiceIsForgotten() {
        TuningSearch search = searched(by(tuning -> tuning.mergeBuffers()));
        search.confirm(0.98);
        assertThat(search.overrides()).isEqualTo("mergeBuffers=1");
        search.confirm(0.995);
        assertThat(search.best()).isEqualTo(DEFAULT);
        assertThat(search.overrides()).isEmpty();
    }

    @Test
    void whatDoesNotFitIsLeftOutAndNothingIsTriedTwice() {
        List<Tuning> tried = new ArrayList<>();
        TuningSearch search = searched((candidate, best) -> {
            assertThat(best).isEqualTo(DEFAULT);
            tried.add(candidate);
            return OptionalDouble.empty();
        });
        assertThat(search.best()).isEqualTo(DEFAULT);
        assertThat(tried).doesNotHaveDuplicates().doesNotContain(DEFAULT).hasSize(search.tried());
    }

    @Test
    void elementsAndParametersAreReadAndRefused() {
        assertThat(TunedElements.parse("u32+f64")).hasToString("u32+f64");
        assertThat(TunedElements.parse("u32+f64").kind()).isEqualTo("4+8");
        assertThat(TunedElements.parse("i64").kind()).isEqualTo("8");
        for (String wrong : List.of("", "u32+", "u32+u32+u32", "long")) {
            assertThatThrownBy(() -> TunedElements.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(TunedParameter.parse("smallSort")).isEqualTo(TunedParameter.SMALL_SORT);
        assertThatThrownBy(() -> TunedParameter.parse("small"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tile, distributionBlocks, smallSort,");
    }
}
