package io.samplesort.kernels.making;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.emulator.Emulator;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.cubins.ReadyProgram;
import io.samplesort.gpu.cubins.ReadyTarget;
import io.samplesort.kernels.ArchiveIndex;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sorts with ready-made kernels where there is no compiler: an archive is made as the build makes it, by the compiler
/// of the emulated GPU, and a process that has no compiler finds it on its class path.
@Tag("emulated")
class ReadySortTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsReadyMadeNeedsNoCompiler() throws Exception {
        assumeThat(Emulator.unavailableReason()).isEmpty();
        Emulator.start();
        makeArchive(ReadySortTest::compile);
        String noCompiler = folder.resolve("no-nvrtc.so").toString();
        assertThat(sort("all", "true", noCompiler))
                .contains("int: gpu:0", "compiled in PT0S")
                .contains("reversed: the GPU cannot be used", "no kernels are ready-made for this sort", "no NVRTC: ")
                .contains("custom: the GPU cannot be used");
        assertThat(sort("int", "false", noCompiler)).as("nobody wants them").contains("int: the GPU cannot be used");
    }

    /// Their checksums are right, and the driver refuses them.
    @Test
    void whatTheDriverRefusesIsCompiled() throws Exception {
        assumeThat(Emulator.unavailableReason()).isEmpty();
        Emulator.start();
        makeArchive(program -> new byte[4096]);
        assertThat(sort("int", "true", System.getProperty("samplesort.nvrtc.library")))
                .contains("int: gpu:0")
                .doesNotContain("cannot be used");
        assertThat(sort("int", "true", folder.resolve("no-nvrtc.so").toString()))
                .contains("int: the GPU cannot be used", "none can be compiled");
    }

    /// The first of the programs are those of `int` in ascending order.
    private void makeArchive(Function<ReadyProgram, byte[]> compiler) throws IOException {
        KernelArchive archive = new KernelArchive(Nvrtc.versionText());
        ReadyProgram.all(ReadyTarget.SM_90).stream()
                .limit(KernelProgram.values().length)
                .forEach(program -> archive.add(program, compiler.apply(program)));
        archive.write(folder.resolve(ArchiveIndex.FOLDER).resolve(ReadyTarget.SM_90.architecture()));
    }

    private static byte[] compile(ReadyProgram program) {
        return program.compile(ReadyTarget.SM_90);
    }

    /// @param compiler the library that the process takes for NVRTC
    private String sort(String orders, String isReadyWanted, String compiler) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dsamplesort.cuda.library=" + System.getProperty("samplesort.cuda.library"),
                        "-Dsamplesort.nvrtc.library=" + compiler,
                        "-Dsamplesort.kernels.ready=" + isReadyWanted,
                        "-Dsamplesort.cache=" + folder.resolve("cache"),
                        "-cp",
                        // The archive of the test comes before those that the build may have made.
                        folder + File.pathSeparator + System.getProperty("java.class.path"),
                        ReadySort.class.getName(),
                        orders)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }
}
