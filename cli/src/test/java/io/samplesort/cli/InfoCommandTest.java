package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What `info` tells people and programs on machines that lack something.
class InfoCommandTest extends CommandCase {
    @Test
    void withoutADriverItSaysWhatToInstall() throws Exception {
        assertThat(info("/no/libcuda.so", "/no/libnvrtc.so"))
                .startsWith("0\n")
                .containsPattern("(?m)^GPU can be used +no$")
                .containsPattern("(?m)^why not +no NVIDIA driver: /no/libcuda\\.so")
                .doesNotContain("what to do");
        String json = info("/no/libcuda.so", "/no/libnvrtc.so", "--json");
        Map<String, Object> map = JSON.std.mapFrom(json.substring(json.indexOf('{')));
        assertThat(map).containsEntry("gpuUsable", false).containsKeys("gpuUnavailableReason", "cpuThreads");
    }

    @Test
    void withADriverAndNoCompilerItNamesTheCommandThatMendsIt() throws Exception {
        String driver = emulatedDriver();
        assertThat(info(driver, "/no/libnvrtc.so"))
                .startsWith("0\n")
                .containsPattern("(?m)^GPU +gpu:0: .*, architecture sm_.*, [0-9]+ multiprocessors, [0-9.]+ GB$")
                .containsPattern("(?m)^ready-made kernels +none: ")
                .containsPattern("(?m)^other kernels +none, so other orders are not sorted on the GPU: no NVRTC")
                .containsPattern("(?m)^what to do +run samplesort setup$");
    }

    @Test
    void withAllOfItNothingIsToBeDone() throws Exception {
        String driver = emulatedDriver();
        assertThat(info(driver, driver))
                .startsWith("0\n")
                .containsPattern("(?m)^GPU can be used +yes$")
                .containsPattern("(?m)^other kernels +compiled by NVRTC .* when they are first used$")
                .doesNotContain("what to do")
                .doesNotContain("why not");
    }

    /// Runs `info` with these libraries for the driver and the compiler.
    private String info(String driver, String compiler, String... options) throws Exception {
        List<String> words = new ArrayList<>(Arrays.asList(process(append(new String[] {"info"}, options))));
        words.addAll(1, List.of("-Dsamplesort.cuda.library=" + driver, "-Dsamplesort.nvrtc.library=" + compiler));
        return runProcess(words.toArray(new String[0]));
    }
}
