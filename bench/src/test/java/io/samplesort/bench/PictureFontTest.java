package io.samplesort.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Pictures drawn in processes of their own, whose fontconfig knows no font, and whose display is not there.
@EnabledOnOs(OS.LINUX)
class PictureFontTest {
    @TempDir
    private Path folder;

    /// Draws a letter with whatever the JDK finds: so we know that it finds nothing.
    static final class Letter {
        private Letter() {}

        public static void main(String[] arguments) {
            System.setProperty("java.awt.headless", "true");
            Graphics2D graphics = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB).createGraphics();
            graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
            graphics.drawString("a", 5, 15);
        }
    }

    @Test
    void picturesAreTheSameWithTheHostsFontsAndWithNone() throws Exception {
        measure();
        Path plain = Files.createDirectory(folder.resolve("plain"));
        Path bare = Files.createDirectory(folder.resolve("bare"));
        assertThat(run(false, Bench.class, "plot", results(), "--out", plain.toString()))
                .isZero();
        assertThat(run(true, Letter.class)).isNotZero();
        assertThat(log()).contains("Fontconfig head is null");
        assertThat(run(true, Bench.class, "plot", results(), "--out", bare.toString()))
                .as(log())
                .isZero();
        assertThat(names(bare))
                .containsExactlyInAnyOrderElementsOf(names(plain))
                .contains("distributions-2-20.png", "rate-u64.png", "records-uniform.png");
        for (String name : names(plain)) {
            assertThat(bare.resolve(name)).hasSameBinaryContentAs(plain.resolve(name));
        }
        assertThat(Files.readString(bare.resolve("distributions-2-20.svg"))).contains("Open Sans");
    }

    @Test
    void theStudyHasItsReport() throws Exception {
        Path out = folder.resolve("study");
        String[] study = "study --quick --device cpu --types u64 --sizes 2^10".split(" ");
        List<String> arguments = new ArrayList<>(List.of(study));
        arguments.addAll(List.of("--out", out.toString()));
        assertThat(run(true, Bench.class, arguments.toArray(String[]::new)))
                .as(log())
                .isZero();
        assertThat(StudyPage.elements(StudyPage.parse(out), "figure")).hasSize(6);
    }

    private void measure() {
        Results results = new Results(Path.of(results()), Map.of("gpu", "Test GPU", "verified", true));
        for (long count : new long[] {1 << 20, 1 << 21}) {
            for (String distribution : List.of("uniform", "zipf")) {
                results.add(Map.of(
                        "system",
                        "samplesort",
                        "type",
                        "u64",
                        "distribution",
                        distribution,
                        "count",
                        count,
                        "deviceGigaKeysPerSecond",
                        20));
            }
        }
        results.add(Map.of(
                "system", "samplesort",
                "job", "struct16",
                "input", "uniform",
                "count", 1 << 20,
                "deviceGigaElementsPerSecond", 10));
    }

    private int run(boolean isBare, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                // The JDK keeps there what fontconfig has told it.
                "-Duser.home=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        if (isBare) {
            Path nothing = Files.writeString(folder.resolve("fonts.conf"), "<fontconfig/>");
            builder.environment().put("FONTCONFIG_FILE", nothing.toString());
            builder.environment().put("DISPLAY", ":99");
        }
        return builder.start().waitFor();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private String results() {
        return folder.resolve("results.jsonl").toString();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
