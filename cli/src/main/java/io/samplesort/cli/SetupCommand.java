package io.samplesort.cli;

import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.Nvrtc;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `samplesort setup`.
@Command(
        name = "setup",
        customSynopsis = "samplesort setup [OPTIONS]",
        description = {
            "Gets the CUDA compiler library NVRTC, which GPUs need to sort in orders of your own.",
            "",
            "Maven fetches the jar that holds it, and it is unpacked to your cache folder. Where there is no Maven or no"
                    + " network, fetch the jar elsewhere and name it with --from. Nothing is done if NVRTC is there."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  samplesort setup", "  samplesort setup --yes", "  samplesort setup --from cuda-redist.jar"})
final class SetupCommand implements Callable<Integer> {
    @Option(names = "--yes", description = "Fetch it without asking.")
    private boolean isAgreed;

    @Option(
            names = "--from",
            paramLabel = "JAR",
            description = "Take it from this jar of org.bytedeco:cuda-redist. Nothing is fetched.")
    private Path jar;

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Output output = outputOptions.output();
        if (jar == null && Nvrtc.unavailableReason().isEmpty()) {
            tell(output, "NVRTC " + Nvrtc.versionText() + " is here already", Nvrtc.libraryPath());
            return 0;
        }
        if (jar != null) {
            if (!Files.isRegularFile(jar)) {
                throw new CommandFailure(jar + " is not there or no file");
            }
            unpack(output, jar);
            return 0;
        }
        NvrtcArtifact artifact = NvrtcArtifact.forThisSystem();
        requireFit(output, artifact);
        Path maven = NvrtcArtifact.maven();
        if (maven == null) {
            throw new CommandFailure("there is no Maven ('mvn' on the PATH), which would fetch "
                    + artifact.coordinates() + ": install Maven 3.8 or newer, or fetch the jar ("
                    + artifact.jarMegabytes() + " MB) on another machine and run samplesort setup --from JAR");
        }
        if (!isAgreed && !agrees(output, artifact)) {
            throw new CommandFailure("nothing was fetched");
        }
        output.remark("fetching " + artifact.coordinates() + ", " + artifact.jarMegabytes() + " MB");
        Path folder = Files.createTempDirectory("samplesort-setup");
        try {
            unpack(output, artifact.fetch(maven, folder));
        } finally {
            remove(folder);
        }
        return 0;
    }

    /// Checks that this machine's driver loads what the compiler makes. If there is no driver, as in the build of a
    /// container, one may be installed later.
    private static void requireFit(Output output, NvrtcArtifact artifact) {
        Optional<String> reason = Cuda.driverUnavailableReason();
        if (reason.isPresent()) {
            output.remark("the GPU cannot be used yet: " + reason.get());
            return;
        }
        String major = artifact.version().substring(0, artifact.version().indexOf('.'));
        if (Cuda.driverVersion() / 1000 < Integer.parseInt(major)) {
            throw new CommandFailure("the NVIDIA driver is for CUDA " + Cuda.versionText() + ", and what NVRTC "
                    + artifact.version() + " makes needs a driver for CUDA " + major
                    + ".0 or newer: update the driver, or install libnvrtc of the CUDA toolkit "
                    + Cuda.versionText());
        }
    }

    private static boolean agrees(Output output, NvrtcArtifact artifact) throws IOException {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            throw new CommandFailure("setup would fetch " + artifact.coordinates() + ", " + artifact.jarMegabytes()
                    + " MB: say --yes if there is no terminal to answer at");
        }
        output.print(String.format(
                Locale.ROOT,
                "NVRTC, the CUDA compiler library, is not on this machine. Maven can fetch it:%n"
                        + "  %s, %d MB, which stay in Maven's own repository%n"
                        + "  unpacked to %s: %d MB%n"
                        + "It is NVIDIA's, under the licence of the CUDA toolkit. Fetch it? [y/N]",
                artifact.coordinates(),
                artifact.jarMegabytes(),
                CacheFolder.resolve("nvrtc"),
                artifact.unpackedMegabytes()));
        String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static void unpack(Output output, Path jar) throws IOException {
        try {
            tell(output, "NVRTC is here now", Nvrtc.unpack(jar).toString());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(e.getMessage(), e);
        }
    }

    private static void tell(Output output, String what, String library) {
        if (output.isForPrograms()) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("nvrtc", library);
            output.print(map);
        } else {
            output.print(what + ": " + library);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
