package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.samplesort.RecordCase;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedMemoryTest {
    /// What a block may have on architectures from sm_75 on, the least first, and on the GPU of the defaults last.
    private static final int[] AVAILABLE = {64 << 10, 99 << 10, 163 << 10, 227 << 10};

    /// Longer sort keys are refused where a block has 64 KiB.
    private static final int LARGEST_KEY_EVERYWHERE = 80;

    @Test
    void defaultsFitEveryGpu() {
        List<KernelElement> elements = new ArrayList<>();
        for (ElementType key : ElementType.values()) {
            elements.add(KernelElement.of(key, List.of(), Order.natural(), false));
            elements.add(KernelElement.of(key, List.of(), Order.natural(), true));
            elements.add(KernelElement.of(key, List.of(ElementType.LONG), Order.natural(), false));
            elements.add(KernelElement.of(key, List.of(key), Order.natural(), true));
        }
        for (RecordCase records : RecordCase.all()) {
            elements.add(KernelElement.of(records.type(), List.of(), records.order(), false));
            elements.add(KernelElement.of(records.type(), List.of(), records.order(), true));
        }
        for (int bytes : new int[] {40, 64, 100, 252}) {
            ElementType string = ElementType.of(MemoryLayout.structLayout(
                    MemoryLayout.sequenceLayout(bytes, ValueLayout.JAVA_BYTE).withName("s")));
            elements.add(KernelElement.of(string, List.of(), Order.by("s"), false));
        }
        for (KernelElement element : elements) {
            Tuning byDefault =
                    Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), "sm_90");
            for (int available : AVAILABLE) {
                if (element.keyBytes() > LARGEST_KEY_EVERYWHERE && available < AVAILABLE[AVAILABLE.length - 1]) {
                    continue;
                }
                Tuning fitting = FittingTuning.of(element, byDefault, available);
                assertThatCode(() -> new SharedMemory(element, fitting).check(available))
                        .as("%d bytes of shared memory for keys of %d bytes", available, element.keyBytes())
                        .doesNotThrowAnyException();
                assertThat(fitting.bucketTarget()).isLessThanOrEqualTo(fitting.smallSortLimit() / 4);
            }
            assertThat(FittingTuning.of(element, byDefault, AVAILABLE[AVAILABLE.length - 1]))
                    .as("where the defaults were measured")
                    .isEqualTo(byDefault);
        }
    }
}
