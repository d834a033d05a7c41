package io.samplesort.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.files.types.FilePlan;
import io.samplesort.types.ElementCost;
import org.junit.jupiter.api.Test;

/// How large chunks are.
class FilePlannerTest {
    private static final ElementCost LONGS = ElementCost.inPlace(8, 0);
    private static final long HEAP = 1L << 30;

    @Test
    void whatFitsIsSortedAtOnce() {
        assertThat(FilePlanner.plan(1000, LONGS, 8000, HEAP)).isEqualTo(new FilePlan(1000, 8, 1000, 1, 1));
        assertThat(FilePlanner.plan(0, LONGS, 1, HEAP)).isEqualTo(new FilePlan(0, 8, 0, 1, 1));
        assertThat(FilePlanner.plan(1000, LONGS, 8000, HEAP).temporaryBytes()).isZero();
        assertThat(FilePlanner.plan(1000, LONGS, 8000, HEAP).movedBytes()).isEqualTo(16_000);
    }

    @Test
    void whatDoesNotFitIsSortedInEvenParts() {
        FilePlan plan = FilePlanner.plan(1001, LONGS, 8000, HEAP);
        // Three buffers of at most 333 elements.
        assertThat(plan).isEqualTo(new FilePlan(1001, 8, 251, 4, 3));
        assertThat(plan.bufferBytes()).isEqualTo(3 * 251 * 8).isLessThanOrEqualTo(8000);
        assertThat(plan.temporaryBytes()).isEqualTo(8008);
        assertThat(plan.movedBytes()).isEqualTo(4 * 8008);
        assertThat(plan.pieceBytes()).isEqualTo(251 * 8 / 4);
    }

    @Test
    void whatTheEngineTakesIsCounted() {
        ElementCost records = new ElementCost(100, 100, 16, 0, Integer.MAX_VALUE);
        FilePlan plan = FilePlanner.plan(1 << 20, records, 41_600_000, HEAP);
        assertThat(plan.chunkLength() * (3 * 100 + 100 + 16)).isLessThanOrEqualTo(41_600_000);
        assertThat(plan.runs()).isEqualTo(11);
        // The heap bounds the chunks as well.
        assertThat(FilePlanner.plan(1 << 20, records, 1L << 40, 1 << 20).chunkLength())
                .isLessThanOrEqualTo((1 << 20) / 16 / 2);
        // And how many elements an engine can sort.
        ElementCost few = new ElementCost(8, 0, 8, 0, 5000);
        assertThat(FilePlanner.plan(5001, few, 1L << 40, HEAP)).isEqualTo(new FilePlan(5001, 8, 2501, 2, 3));
    }

    @Test
    void longChunksBeginAtWholeBlocks() {
        FilePlan plan = FilePlanner.plan(1L << 31, LONGS, 1500L << 20, HEAP);
        assertThat(plan.chunkLength() % 4096).isZero();
        assertThat(plan.chunkLength() * 3 * 8).isLessThanOrEqualTo(1500L << 20);
        assertThat((plan.runs() - 1) * plan.chunkLength()).isLessThan(1L << 31);
        assertThat(plan.runs() * plan.chunkLength()).isGreaterThanOrEqualTo(1L << 31);
    }

    @Test
    void whatThreadsTakeIsCountedUpToHalfOfTheMemory() {
        assertThat(FilePlanner.plan(1001, ElementCost.inPlace(8, 800), 8800, HEAP)
                        .chunkLength())
                .isEqualTo(FilePlanner.plan(1001, LONGS, 8000, HEAP).chunkLength());
        assertThat(FilePlanner.plan(1001, ElementCost.inPlace(8, 100_000), 8000, HEAP)
                        .chunkLength())
                .isEqualTo(FilePlanner.plan(1001, LONGS, 4000, HEAP).chunkLength());
        assertThatThrownBy(() -> FilePlanner.plan(1 << 20, ElementCost.inPlace(8, 10_000), 10_000, HEAP))
                .hasMessageContaining("give 12288 or more");
        assertThat(FilePlanner.plan(1 << 20, ElementCost.inPlace(8, 10_000), 12_288, HEAP)
                        .runs())
                .isEqualTo(4096);
    }

    @Test
    void tooLittleMemoryIsRefusedWithWhatIsNeeded() {
        assertThatThrownBy(() -> FilePlanner.plan(2, LONGS, 9, HEAP))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory of 9 bytes")
                .hasMessageContaining("give 24 or more");
        assertThatThrownBy(() -> FilePlanner.plan(1 << 20, LONGS, 6120, HEAP))
                .hasMessageContaining("give 6144 or more");
        assertThat(FilePlanner.plan(1 << 20, LONGS, 6144, HEAP).runs()).isEqualTo(4096);
    }
}
