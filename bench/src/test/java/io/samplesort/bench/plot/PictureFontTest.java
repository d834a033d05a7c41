package io.samplesort.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.BareProcess;
import io.samplesort.bench.Bench;
import io.samplesort.bench.results.Results;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Checks that pictures can be drawn where there are no fonts.
@EnabledOnOs(OS.LINUX)
@EnabledIf("io.samplesort.bench.plot.Pictures#canBeDrawn")
class PictureFontTest {
    @TempDir
    private Path folder;

    /// Draws a letter with the fonts that the JDK finds, to prove that it finds none.
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
        BareProcess process = new BareProcess(folder);
        measure();
        Path plain = Files.createDirectory(folder.resolve("plain"));
        Path bare = Files.createDirectory(folder.resolve("bare"));
        assertThat(process.runWithFonts(Bench.class, "plot", results(), "--out", plain.toString()))
                .isZero();
        assertThat(process.runBare(Letter.class)).isNotZero();
        assertThat(process.log()).contains("Fontconfig head is null");
        assertThat(process.runBare(Bench.class, "plot", results(), "--out", bare.toString()))
                .as(process.log())
                .isZero();
        assertThat(names(bare))
                .containsExactlyInAnyOrderElementsOf(names(plain))
                .contains("distributions-2-20.png", "rate-u64.png", "records-uniform.png");
        for (String name : names(plain)) {
            assertThat(bare.resolve(name)).hasSameBinaryContentAs(plain.resolve(name));
        }
        assertThat(Files.readString(bare.resolve("distributions-2-20.svg"))).contains("Open Sans");
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

    private String results() {
        return folder.resolve("results.jsonl").toString();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
