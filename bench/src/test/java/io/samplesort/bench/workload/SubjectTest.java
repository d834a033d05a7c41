package io.samplesort.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SubjectTest {
    @Test
    void subjectsReadBack() {
        for (Subject subject : Subject.WITH_BASELINE) {
            assertThat(Subject.parse(subject.toString())).isEqualTo(subject);
        }
        assertThat(Subject.parse("u32+u32").code()).isEqualTo(10);
        assertThatThrownBy(() -> Subject.parse("u128"))
                .hasMessageContaining("u128")
                .hasMessageContaining("f64");
    }
}
