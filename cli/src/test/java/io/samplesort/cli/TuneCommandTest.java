package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.gpu.cubins.KeptTunings;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TuneCommandTest extends CommandCase {
    @Test
    void mistakesAreNamed() {
        assertFails(2, "a tuning is for a GPU", "tune", "--device", "cpu");
        assertFails(2, "--repetitions 0: must be 1 to 1000", "tune", "--repetitions", "0");
        assertFails(2, "--sizes: must be 1 or more", "tune", "--sizes", "2^20,0");
        assertFails(2, "type 'long': use one of i8,", "tune", "--types", "long");
        assertFails(2, "parameter 'items': use tile,", "tune", "--parameters", "items");
    }

    @Test
    void withoutAGpuItSaysWhatIsMissing() throws Exception {
        assertThat(onGpu("/no/libcuda.so", Main.class, "tune"))
                .startsWith("1\nsamplesort: ")
                .contains("no NVIDIA driver: /no/libcuda.so");
    }

    @Test
    void whatIsFastestIsKeptAndForgotten() throws Exception {
        String driver = emulatedDriver();
        String[] tune = {"tune", "--types", "i32", "--sizes", "70000", "--repetitions", "1", "--json"};
        String answer = onGpu(driver, Main.class, append(tune, "--parameters", "mergeBuffers"));
        assertThat(answer).startsWith("0\n").contains("i32: trying mergeBuffers", "samplesort: kept in ");
        String json =
                answer.lines().filter(line -> line.startsWith("{")).findFirst().orElseThrow();
        Map<String, Object> told = JSON.std.mapFrom(json);
        assertThat(told).containsEntry("type", "i32").containsEntry("n", 70000).containsEntry("tried", 1);
        assertThat((double) told.get("tunedMillis")).isPositive();
        assertThat(tunings()).hasSize(1);

        assertThat(onGpu(driver, KeepsOneBuffer.class)).startsWith("0\n2 1\n");
        assertThat(onGpu(driver, Main.class, "info")).containsPattern("tuning +measured on this GPU for .* 4 bytes");
        Files.writeString(tunings().getFirst(), "damaged");
        assertThat(onGpu(driver, Main.class, "info")).containsPattern("tuning +the defaults, since .* is damaged: run");
        assertThat(onGpu(driver, Main.class, "tune", "--reset")).startsWith("0\nsamplesort: forgot ");
        assertThat(tunings()).isEmpty();
        assertThat(onGpu(driver, Main.class, "tune", "--reset")).startsWith("0\nsamplesort: nothing was kept");
    }

    /// Keeps a tuning with one buffer, and tells how many a sorter has before and after. The second one sorts.
    static final class KeepsOneBuffer {
        public static void main(String[] arguments) throws IOException {
            KeptTunings.forget(CudaDevice.get(0));
            try (Sorter before = SampleSort.onGpu().build(ElementType.INT)) {
                KeptTunings.keep(CudaDevice.get(0), Map.of("4", "mergeBuffers=1"));
                try (Sorter after = SampleSort.onGpu().build(ElementType.INT)) {
                    System.out.println(before.tuning().orElseThrow().mergeBuffers() + " "
                            + after.tuning().orElseThrow().mergeBuffers());
                    int[] keys = new SplittableRandom(1).ints(5000).toArray();
                    int[] expected = keys.clone();
                    Arrays.sort(expected);
                    after.sort(keys);
                    assertThat(keys).isEqualTo(expected);
                }
            }
        }
    }

    private List<Path> tunings() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(path("cache"), "tunings"))) {
            return files.toList();
        }
    }

    /// Runs a class with this library for the driver and the compiler, and an empty cache.
    private String onGpu(String driver, Class<?> main, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(Arrays.asList(main == Main.class ? process(arguments) : processOf(main)));
        words.addAll(
                1,
                List.of(
                        "-Dsamplesort.cuda.library=" + driver,
                        "-Dsamplesort.nvrtc.library=" + driver,
                        "-Dsamplesort.cache=" + path("cache")));
        return runProcess(words.toArray(new String[0]));
    }
}
