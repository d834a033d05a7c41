package io.samplesort.bench.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.results.Results;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class JdkCommandTest {
    @TempDir
    private Path folder;

    @Test
    void comparesEachCallWithItsRivalAndChecksBoth() {
        Path out = folder.resolve("results.jsonl");
        int code = Bench.commandLine()
                .execute("jdk", "--sizes=70000", "--inputs=two-runs", "--repetitions=1", "--out=" + out);
        assertThat(code).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results)
                .hasSize(2 * JdkRivals.all().size())
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 1)
                        .containsKeys("wallMillisMedian", "jdkByOurs", "command"));
        assertThat(results).extracting(result -> result.get("system")).containsOnly("samplesort", "jdk");
    }

    @Test
    void whatIsNotSortedIsFound() {
        assertThat(JdkRival.isSame(new int[] {1, 0}, new Integer[] {1, 0})).isTrue();
        assertThat(JdkRival.isSame(new int[] {0, 1}, new Integer[] {1, 0})).isFalse();
        assertThat(JdkRival.isSame(new int[] {0, 1}, new long[] {5L << 32 | 1, 6L << 32}))
                .isFalse();
        assertThat(JdkRival.isSame(new String[] {"a", "b"}, new String[] {"b", "a"}))
                .isFalse();
        assertThat(JdkRival.isSame(new double[] {0.0}, new double[] {-0.0})).isFalse();
    }

    @Test
    void whatIsUnknownIsNamed() {
        StringWriter errors = new StringWriter();
        CommandLine command = Bench.commandLine().setErr(new PrintWriter(errors));
        assertThat(command.execute("jdk", "--types=color")).isEqualTo(2);
        assertThat(errors.toString()).contains("no type 'color': use byte, short, char, int");
    }
}
