package io.samplesort.study.historic;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.testkit.KeyType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compiles the kernels of the historic sorts with NVRTC, which refuses some code that g++, and so the emulated GPU,
/// accepts.
@Tag("nvrtc")
class HistoricCompilationTest {
    @Test
    void everyProgramCompilesForRealGpus() {
        assertThat(Nvrtc.unavailableReason()).isEmpty();
        for (HistoricProgram.Source source : sources()) {
            assertThat(source.compile("sm_75")).as(source.toString()).isNotEmpty();
        }
    }

    /// Compiles the extreme values that `bench ablation` measures.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSampleSortCompilesWithOtherParameters(boolean isPair) {
        HistoricElement element =
                isPair ? new HistoricElement(KeyType.U32, KeyType.U32) : new HistoricElement(KeyType.U64, null);
        SampleSortParameters published = SampleSortParameters.published(element);
        for (SampleSortParameters parameters : List.of(
                published.with("k", 16).with("a", 60),
                published.with("k", 1024).with("stored", 1),
                published.with("t", 64).with("l", 1).with("counterArrays", 1),
                published.with("t", 1024).with("stored", 1).with("reordered", 1),
                published.with("l", 32).with("counterArrays", 16).with("reordered", 1))) {
            assertThat(parameters.source(element).compile("sm_90"))
                    .as(parameters.toString())
                    .isNotEmpty();
        }
    }

    private static List<HistoricProgram.Source> sources() {
        List<HistoricProgram.Source> sources = new ArrayList<>();
        for (HistoricElement element : List.of(
                new HistoricElement(KeyType.U32, null),
                new HistoricElement(KeyType.U64, null),
                new HistoricElement(KeyType.F32, null),
                new HistoricElement(KeyType.U32, KeyType.U32))) {
            sources.add(SampleSortParameters.published(element).source(element));
            sources.add(GpuQuicksort.source(element));
            sources.add(BbSort.source(element));
            if (HistoricSort.Algorithm.HYBRID_SORT.sorts(element)) {
                sources.add(HybridSort.source(element));
            }
        }
        return sources;
    }
}
