package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// In what order GPUs copy to each other.
class CopyStepsTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 8})
    void eachGpuCopiesToOneAndIsCopiedToByOne(int gpus) {
        CopySteps steps = new CopySteps(gpus, 1);
        Set<Integer> pairs = new HashSet<>();
        for (int step = 1; step <= steps.last(); step++) {
            Set<Integer> targets = new HashSet<>();
            for (int from = 0; from < gpus; from++) {
                int to = steps.target(from, step);
                assertThat(to).isNotEqualTo(from).isBetween(0, gpus - 1);
                targets.add(to);
                pairs.add(from * gpus + to);
            }
            assertThat(targets).hasSize(gpus);
        }
        assertThat(pairs).hasSize(gpus * (gpus - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 8})
    void waitsForTheGpuThatCopiedThereBefore(int gpus) {
        CopySteps steps = new CopySteps(gpus, 1);
        for (int step = 1; step <= steps.last(); step++) {
            for (int from = 0; from < gpus; from++) {
                int stepBefore = step > 1 ? step - 1 : steps.last();
                int before = steps.before(from, step);
                assertThat(before).isBetween(0, gpus - 1);
                assertThat(steps.target(before, stepBefore)).isEqualTo(steps.target(from, step));
            }
        }
    }
}
