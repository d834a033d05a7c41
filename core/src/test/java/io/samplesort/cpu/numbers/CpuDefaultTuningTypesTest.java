package io.samplesort.cpu.numbers;

import java.util.List;
import org.junit.jupiter.api.Tag;

/// [CpuDefaultTuningTest] for all other types and directions.
@Tag("exhaustive")
class CpuDefaultTuningTypesTest extends CpuDefaultTuningTest {
    @Override
    protected List<Case> cases() {
        return otherCases();
    }
}
