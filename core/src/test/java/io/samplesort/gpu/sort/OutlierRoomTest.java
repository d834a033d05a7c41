package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A sort of outliers has its memory in the array of the result, whatever the layout of the sort around it.
class OutlierRoomTest {
    @Test
    void resultsHaveRoom() {
        for (ElementType type : List.of(ElementType.INT, ElementType.LONG)) {
            for (List<ElementType> payloads : List.of(List.<ElementType>of(), List.of(type))) {
                for (int log = 25; log <= 30; log++) {
                    for (long count : new long[] {1L << log, (1L << log) + (1L << log - 1)}) {
                        long bytes = count * type.byteSize() * (1 + payloads.size());
                        WorkspaceLayout layout = layout(type, payloads, count, bytes / 10 * 13);
                        assertThat(layout.outliers)
                                .as("%d %s, %s", count, type, payloads)
                                .isNotNull();
                        assertThat(layout.outliers.most()).isEqualTo(count / 16);
                        for (long few : new long[] {1, 1000, count / 1000, count / 100, count / 16}) {
                            assertThat(layout.ofOutliers(few).byteSize)
                                    .as("bytes for %d outliers of %d", few, count)
                                    .isLessThanOrEqualTo(OutlierRoom.workspaceBytes(count, few, type.byteSize()));
                        }
                    }
                }
            }
        }
    }

    private static WorkspaceLayout layout(ElementType type, List<ElementType> payloads, long count, long bytes) {
        KernelElement element = KernelElement.of(type, payloads, Order.natural(), false);
        Tuning tuning = Tuning.defaultFor(type, payloads.isEmpty() ? null : payloads.getFirst())
                .with("outlierShare=16");
        return new Layouts(null, element, tuning, Long.MAX_VALUE).smallest(count, bytes);
    }
}
