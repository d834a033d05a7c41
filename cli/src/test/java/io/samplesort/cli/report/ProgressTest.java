package io.samplesort.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/// What the line of progress looks like, by a clock of the test's own.
class ProgressTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MIB = 1 << 20;

    private final StringWriter err = new StringWriter();
    private long now = SECOND;

    private Progress progress(int columns) {
        return new Progress("sort", 1000 * MIB, new PrintWriter(err), () -> columns, () -> now);
    }

    @Test
    void appearsAfterASecondAndDisappearsInTheEnd() {
        Progress progress = progress(80);
        now += SECOND / 2;
        progress.step(100 * MIB);
        assertThat(err.toString()).isEmpty();
        now += 3 * SECOND / 2;
        progress.step(100 * MIB);
        String line = "sort 20 % of 1,000 MiB, 100 MiB/s, 0:08 left";
        assertThat(err.toString()).isEqualTo("\r" + line);
        // Not so soon again.
        progress.step(100 * MIB);
        assertThat(err.toString()).isEqualTo("\r" + line);
        progress.close();
        assertThat(err.toString()).isEqualTo("\r" + line + "\r" + " ".repeat(line.length()) + "\r");
    }

    @Test
    void isGoneAsSoonAsAllIsDone() {
        Progress progress = progress(80);
        now += 2 * SECOND;
        progress.step(100 * MIB);
        progress.step(900 * MIB);
        assertThat(err.toString()).endsWith(" \r");
        int length = err.toString().length();
        progress.close();
        assertThat(err.toString()).hasSize(length);
    }

    @Test
    void fitsTheTerminal() {
        for (int columns = 0; columns < 60; columns++) {
            err.getBuffer().setLength(0);
            Progress progress = progress(columns);
            now += 2 * SECOND;
            progress.step(100 * MIB);
            now += SECOND;
            progress.step(800 * MIB);
            progress.close();
            int width = Math.max(0, columns - 1);
            assertThat(err.toString().split("\r")).allMatch(line -> line.length() <= width);
            assertThat(err.toString().isEmpty()).isEqualTo(width == 0);
        }
    }
}
