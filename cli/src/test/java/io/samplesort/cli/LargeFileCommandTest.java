package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.testkit.InputDistribution;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Files larger than the memory that `sort` may take.
class LargeFileCommandTest extends CommandCase {
    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNIFORM", "ZIPF", "SORTED"})
    void everyOtherDistributionIsSortedInParts(InputDistribution distribution) throws IOException {
        everyDistributionIsSortedInParts(distribution);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "ZIPF", "SORTED"})
    void everyDistributionIsSortedInParts(InputDistribution distribution) throws IOException {
        assertDone(
                "generate",
                path("in"),
                "--type",
                "u64",
                "--count",
                "100000",
                "--distribution",
                distribution.toString());
        String[] what = {"--type", "u64", "--device", "cpu"};
        assertDone(command(what, "sort", path("in"), "-o", path("whole")));
        assertDone(command(what, "sort", path("in"), "-o", path("parts"), "--memory", "64K"));
        assertThat(read("parts")).isEqualTo(read("whole"));
        assertThat(err()).contains("sorted in 74 parts");
        assertDone("verify", path("parts"), "--type", "u64", "--against", path("in"));
        assertNoLitter(3);
    }

    /// The longest names that file systems take have 255 bytes.
    @ParameterizedTest
    @CsvSource({"a, 220", "a, 255", "é, 127", "語, 85"})
    void namesMayBeLong(String letter, int length) throws IOException {
        String name = letter.repeat(length);
        String[] what = {"--type", "u64", "--device", "cpu"};
        assertDone("generate", path(name), "--type", "u64", "--count", "10000");
        assertDone(command(what, "sort", path(name), "-o", path("sorted"), "--memory", "64K"));
        assertDone(command(what, "argsort", path(name), "-o", path(name.substring(1))));
        assertDone(command(what, "sort", path(name), "--memory", "64K"));
        assertThat(read(name)).isEqualTo(read("sorted"));
        assertNoLitter(3);
    }

    @Test
    void arraysKeepTheirHeader() throws IOException {
        assertDone("generate", path("in.npy"), "--type", "f64", "--count", "50000", "--distribution", "gaussian");
        assertDone("sort", path("in.npy"), "-o", path("whole.npy"), "--descending", "--device", "cpu");
        assertDone("sort", path("in.npy"), "--descending", "--device", "cpu", "--memory", "50K");
        assertThat(read("in.npy")).isEqualTo(read("whole.npy"));
        assertNoLitter(2);
    }

    @Test
    void recordsAreSortedStablyInParts() throws IOException {
        String layout = "kind:u8,ok:bool,_:2,id:u32,price:f64";
        assertDone("generate", path("in"), "--layout", layout, "--count", "20000");
        String[] what = {"--layout", layout, "--by", "kind desc, price nulls first by ok", "--stable"};
        assertDone(command(what, "sort", path("in"), "-o", path("whole"), "--device", "cpu"));
        assertDone(command(what, "sort", path("in"), "-o", path("parts"), "--device", "cpu", "--memory", "64K"));
        assertThat(read("parts")).isEqualTo(read("whole"));
        assertDone(command(what, "verify", path("parts"), "--against", path("in")));
        assertDone("generate", path("gensort"), "--layout", "gensort", "--count", "5000");
        assertDone("sort", path("gensort"), "-o", path("g"), "--layout", "gensort", "--device", "cpu");
        assertDone("sort", path("gensort"), "--layout", "gensort", "--device", "cpu", "--memory", "64K");
        assertThat(read("gensort")).isEqualTo(read("g"));
        assertNoLitter(5);
    }

    @Test
    void payloadsMoveAlongInParts() throws IOException {
        assertDone("generate", path("k"), "--type", "u16", "--count", "30000", "--distribution", "zipf");
        assertDone("generate", path("p.npy"), "--type", "i64", "--count", "30000", "--distribution", "sorted");
        Files.createDirectory(Path.of(path("temporary")));
        assertDone(
                "sort",
                path("k"),
                "--type",
                "u16",
                "-o",
                path("k2"),
                "--payload-file",
                path("p.npy"),
                "--payload-output",
                path("p2.npy"),
                "--stable",
                "--device",
                "cpu",
                "--memory",
                "40k",
                "--temp",
                path("temporary"));
        assertDone(
                "verify",
                path("k2"),
                "--type",
                "u16",
                "--against",
                path("k"),
                "--payload-file",
                path("p2.npy"),
                "--payload-against",
                path("p.npy"),
                "--stable");
        assertThat(Path.of(path("temporary"))).isEmptyDirectory();
        assertNoLitter(5);
    }

    @Test
    void theStagesAreReported() throws IOException {
        assertDone("generate", path("a"), "--type", "i32", "--count", "100000");
        String[] sort = {"sort", path("a"), "--type", "i32", "--device", "cpu", "--memory", "100K"};
        assertDone(append(sort, "--json"));
        Map<String, Object> report = JSON.std.mapFrom(out());
        assertThat(report).containsEntry("elementCount", 100000).containsKey("bottleneck");
        assertThat(report.get("phaseSeconds").toString()).contains("runs=", "buckets=");
        assertThat(((Map<?, ?>) ((Map<?, ?>) report.get("stages")).get("write")).get("bytes"))
                .isEqualTo(800_000);
        assertDone(append(sort, "--report"));
        assertThat(out()).contains("  runs ", "  buckets ", "  read ", "  write ", "bound by ", "waited ");
    }

    @Test
    void mistakesAreTold() throws IOException {
        assertDone("generate", path("a"), "--type", "u64", "--count", "100000");
        byte[] before = read("a");
        String[] sort = {"sort", path("a"), "--type", "u64", "--device", "cpu"};
        assertFails(2, "size '4X'", append(sort, "--memory", "4X"));
        assertFails(2, "must be positive", append(sort, "--memory", "0"));
        assertFails(1, "memory of 500 bytes is too little to sort 100000", append(sort, "--memory", "500"));
        assertFails(1, "is not there: make it first", append(sort, "--memory", "64K", "--temp", path("no")));
        assertThat(read("a")).isEqualTo(before);
        assertNoLitter(1);
    }

    @Test
    void aFullDiskShowsBefore() throws IOException {
        Path file = Path.of(path("a"));
        try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
            hole.setLength(file.toFile().getUsableSpace() / 3 * 2 / 8 * 8);
        }
        assertFails(1, "bytes free and ", "sort", path("a"), "--type", "u64", "--device", "cpu", "--memory", "1G");
        assertNoLitter(1);
    }
}
