package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The command on three emulated GPUs.
class SeveralGpusCommandTest extends CommandCase {
    /// Chunks so small that all GPUs have some to do, and none does all. The rest is what the tests of the library sort
    /// with, so that its kernels are compiled already.
    private static final String[] SMALL_CHUNKS = {
        "--tuning",
        "chunkBytes=65536,transferBytes=16384,oneGpuBytes=0,distributionThreads=64,distributionItems=3,"
                + "distributionBlocks=1,maxBucketCount=8,bucketTarget=96,oversampling=4,bucketSlack=6,extraPercent=0,"
                + "sampleThreads=64,sampleItems=4,smallSortThreads=32,smallSortItems=4,smallSortResidentThreads=32,"
                + "mergedRuns=0,rankedSize=0"
    };

    @Test
    void infoSaysWhichGpuReachesWhich() throws Exception {
        String driver = emulatedDriver();
        assertThat(on(driver, "info"))
                .startsWith("0\n")
                .containsPattern("(?m)gpu:0: .* GB, reaches gpu:1, gpu:2 directly$")
                .containsPattern("(?m)gpu:2: .* GB, reaches gpu:0, gpu:1 directly$");
        assertThat(on(driver, "info", "--json")).contains("\"peers\":[\"gpu:0\",\"gpu:2\"]");
    }

    @Test
    void filesAreSortedOnAllOrSome() throws Exception {
        String driver = emulatedDriver();
        assertDone("generate", path("keys"), "--type", "i64", "--count", "25000");
        String[] sort = {"sort", path("keys"), "--type", "i64", "--report"};
        assertThat(on(driver, append(append(sort, SMALL_CHUNKS), "-o", path("all"), "--device", "gpus")))
                .startsWith("0\n")
                .containsPattern("device +gpu:0 .*%\\), gpu:1 .*%\\), gpu:2 .*%\\)")
                .containsPattern("exchanged +[0-9,]+ elements stored into other GPUs, [1-9][0-9,]+ copied")
                .containsPattern("balance +[12]\\.");
        assertThat(on(driver, append(append(sort, SMALL_CHUNKS), "-o", path("all"), "--device", "gpus", "--json")))
                .contains("\"exchange\":{\"storedElements\":")
                .contains("\"balance\":");
        assertThat(on(driver, append(append(sort, SMALL_CHUNKS), "-o", path("two"), "--device", "gpu:0,gpu:2")))
                .startsWith("0\n")
                .containsPattern("device +gpu:0 .*%\\), gpu:2 .*%\\)")
                .doesNotContain("gpu:1");
        for (String sorted : List.of("all", "two")) {
            assertDone("verify", path(sorted), "--type", "i64", "--against", path("keys"));
        }
    }

    @Test
    void mistakesAreNamed() throws Exception {
        String driver = emulatedDriver();
        assertDone("generate", path("keys"), "--type", "u64", "--count", "10");
        String[] sort = {"sort", path("keys"), "--type", "u64", "--device"};
        assertThat(on(driver, append(sort, "gpu:0,gpu:0"))).startsWith("2\n").contains("name one of them twice");
        assertThat(on(driver, append(sort, "gpu:0,cpu"))).startsWith("2\n").contains("only GPUs sort together");
        assertThat(on(driver, append(sort, "gpu:0,gpu:3")))
                .doesNotStartWith("0\n")
                .contains("there is no GPU 3: 3 are visible");
    }

    /// Runs the command where the driver has three GPUs.
    private String on(String driver, String... words) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(process(words)));
        all.addAll(
                1,
                List.of(
                        "-Dsamplesort.cuda.library=" + driver,
                        "-Dsamplesort.nvrtc.library=" + driver,
                        "-Dsamplesort.cache=" + System.getProperty("tests.emulator", path("cache"))));
        all.addAll(0, List.of("env", "SAMPLESORT_EMULATOR_DEVICES=3"));
        return runProcess(all.toArray(new String[0]));
    }
}
