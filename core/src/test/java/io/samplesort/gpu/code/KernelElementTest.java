package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelElementTest {
    /// The CUDA text names the user's fields in comments alone, and a name may be anything.
    @Test
    void noNameOfAFieldEndsItsComment() {
        String name = "x\n#error from a name\r#error";
        ElementType type = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName(name), ValueLayout.JAVA_INT.withName("id")));
        for (Order order : List.of(Order.by(name), Order.by("id"), Order.custom("a.id < b.id\n\r", (a, b) -> 0))) {
            for (boolean isStable : new boolean[] {false, true}) {
                assertThat(KernelElement.of(type, List.of(), order, isStable).declarations())
                        .doesNotContainPattern("[\n\r]#error");
            }
        }
    }
}
