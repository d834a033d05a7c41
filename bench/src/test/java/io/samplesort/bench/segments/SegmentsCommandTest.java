package io.samplesort.bench.segments;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.results.Results;
import io.samplesort.types.SegmentOffsets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SegmentsCommandTest {
    @TempDir
    private Path folder;

    @Test
    void sortsSegmentsOfAllLengthsAndChecksThem() {
        Path out = folder.resolve("results.jsonl");
        int code = Bench.commandLine()
                .execute(
                        "segments",
                        "--sizes=2^16",
                        "--types=i64,u32,f32",
                        "--repetitions=2",
                        "--warm-ups=0",
                        "--out=" + out);
        assertThat(code).isZero();
        List<Map<String, Object>> results = Results.read(out);
        // The JDK has no unsigned order.
        assertThat(results)
                .hasSize(7 * 5)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 2)
                        .containsKeys("wallMillisMedian", "wallGigaKeysPerSecond", "segments", "command"));
        assertThat(results).extracting(result -> result.get("system")).containsOnly("samplesort", "jdk");
    }

    @Test
    void lengthsHaveTheirShapes() {
        SegmentOffsets powerLaw = SegmentLengths.parse("power-law").offsets(1 << 24, 1);
        assertThat(powerLaw.segmentCount()).isBetween(150_000L, 300_000L);
        assertThat(powerLaw.last()).isEqualTo(1 << 24);
        SegmentOffsets oneHuge = SegmentLengths.parse("one-huge").offsets(1 << 20, 1);
        assertThat(oneHuge.segmentCount()).isEqualTo((1 << 15) + 1);
        assertThat(oneHuge.last()).isEqualTo(1 << 20);
        assertThat(SegmentLengths.parse("2^10").offsets(1 << 20, 1)).isEqualTo(SegmentOffsets.ofRows(1 << 10, 1 << 10));
    }

    @Test
    void whatIsUnknownIsNamed() {
        assertThat(errors("--lengths=some")).contains("no lengths 'some': use a length such as 16 or 2^20, power-law");
        assertThat(errors("--types=i8")).contains("type i8: use i32, u32, i64, u64, f32 or f64");
        assertThat(errors("--first=3")).contains("--first 3: give a number from 1 on, and --device gpu");
        assertThat(errors("--device=gpus")).contains("device gpus: use cpu, gpu or gpu:N");
    }

    private static String errors(String option) {
        StringWriter errors = new StringWriter();
        CommandLine command = Bench.commandLine().setErr(new PrintWriter(errors));
        assertThat(command.execute("segments", option)).isEqualTo(2);
        return errors.toString();
    }
}
