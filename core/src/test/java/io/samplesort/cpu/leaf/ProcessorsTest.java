package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Looks at what Linux tells of threads.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProcessorsTest {
    @Test
    void aSleepingThreadIsKeptAwayUntilItIsAwake() throws Exception {
        SimdSort simd = SimdLibrary.awaitLoaded();
        assumeTrue(simd != null && simd.kernels() != null, "needs the kernels");
        String all = allowed("thread-self");
        Exchanger<Integer> exchanger = new Exchanger<>();
        Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
            try {
                exchanger.exchange(Processors.threadNumber());
                int avoided = exchanger.exchange(null);
                if (avoided >= 0) {
                    Processors.allow(avoided);
                }
                exchanger.exchange(null);
                exchanger.exchange(null);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        int number = exchanger.exchange(null);
        String place = "self/task/" + number;
        assertThat(allowed(place)).isEqualTo(all);
        int avoided = Processors.keepAway(number);
        if (avoided >= 0) {
            assertThat(contains(all, avoided)).isTrue();
            assertThat(contains(allowed(place), avoided)).isFalse();
        } else {
            assertThat(Runtime.getRuntime().availableProcessors()).isOne();
        }
        assertThat(allowed("thread-self")).isEqualTo(all);
        exchanger.exchange(avoided);
        exchanger.exchange(null);
        assertThat(allowed(place)).isEqualTo(all);
        exchanger.exchange(null);
        sleeper.join();
        // There is no such thread.
        assertThat(Processors.keepAway(Integer.MAX_VALUE)).isEqualTo(-1);
    }

    /// Returns on which processors a thread may run, as a list of ranges.
    private static String allowed(String thread) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", thread, "status"))) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return line.substring(line.indexOf(':') + 1).strip();
            }
        }
        throw new AssertionError("no list of processors");
    }

    private static boolean contains(String ranges, int processor) {
        for (String range : ranges.split(",")) {
            String[] ends = range.split("-");
            if (Integer.parseInt(ends[0]) <= processor && processor <= Integer.parseInt(ends[ends.length - 1])) {
                return true;
            }
        }
        return false;
    }
}
