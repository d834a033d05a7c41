package io.samplesort.cli;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cuda.Nvrtc;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/// The Maven artifact that holds NVRTC.
///
/// @param coordinates       what Maven calls the jar for this system
/// @param version           the version of NVRTC
/// @param jarMegabytes      about how large the jar is
/// @param unpackedMegabytes about how large NVRTC is, unpacked
record NvrtcArtifact(String coordinates, String version, int jarMegabytes, int unpackedMegabytes) {
    private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";
    private static final int TOLD_LINES = 20;

    static NvrtcArtifact forThisSystem() {
        Properties properties = new Properties();
        try (InputStream in = NvrtcArtifact.class.getResourceAsStream("nvrtc.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new NvrtcArtifact(
                properties.getProperty("artifact") + ":" + Nvrtc.classifier(),
                properties.getProperty("version"),
                Integer.parseInt(properties.getProperty("jarMegabytes")),
                Integer.parseInt(properties.getProperty("unpackedMegabytes")));
    }

    /// Lets Maven copy the jar to a folder, and returns its path.
    ///
    /// @param maven the program `mvn`
    Path fetch(Path maven, Path folder) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "maven", ".log");
        Process process = new ProcessBuilder(
                        maven.toString(),
                        "-B",
                        "-ntp",
                        GOAL,
                        "-Dartifact=" + coordinates,
                        "-DoutputDirectory=" + folder)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        int exitCode = process.waitFor();
        Path jar;
        try (Stream<Path> files = Files.list(folder)) {
            jar = files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElse(null);
        }
        if (exitCode != 0 || jar == null) {
            List<String> lines = Files.readAllLines(log);
            throw new CommandFailure("Maven could not fetch " + coordinates + ". It said:\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size())));
        }
        return jar;
    }

    /// Returns the program `mvn` on the `PATH`; null if there is none.
    static Path maven() {
        String path = System.getenv("PATH");
        boolean isWindows = System.getProperty("os.name").startsWith("Windows");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            Path program = Path.of(folder, isWindows ? "mvn.cmd" : "mvn");
            if (!folder.isEmpty() && Files.isExecutable(program)) {
                return program;
            }
        }
        return null;
    }
}
