package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SortedPrefixTest {
    @Test
    void rangesThatEndInAnyOrderAreToldInTheirs() {
        PendingRanges pending = new PendingRanges();
        pending.reserve(1000, 100);
        pending.add(500, 700, 1);
        pending.add(200, 300, 1);
        pending.add(300, 400, 1);
        pending.sort();
        List<Long> told = new ArrayList<>();
        SortedPrefix prefix = new SortedPrefix(pending.size(), pending::start, 1000, told::add);
        prefix.begin();
        prefix.sorted(1);
        assertThat(told).containsExactly(200L);
        prefix.sorted(0);
        assertThat(told).containsExactly(200L, 500L);
        prefix.sorted(2);
        assertThat(told).containsExactly(200L, 500L, 1000L);
    }
}
