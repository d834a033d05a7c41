package io.samplesort.bench.sorted;

import io.samplesort.bench.baselines.DuckDb;
import io.samplesort.testkit.KeyType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// What NumPy and DuckDB take for the same work on as many random keys of their own.
final class OtherPrograms {
    /// What is measured in NumPy, in the order of its program.
    static final List<String> OF_NUMPY =
            List.of(HostSorted.SORT_AND_COUNTS, HostSorted.RANDOM_LOOKUPS, HostSorted.SORTED_LOOKUPS);

    private OtherPrograms() {}

    /// Takes the times of a program, in milliseconds.
    interface Times {
        void of(String system, String what, double[] millis, boolean isRight);
    }

    /// Runs NumPy in a process of its own, on one thread as always. Where it is not installed, there are no times.
    static void numPy(KeyType key, int count, long values, int repetitions, Times times) {
        List<String> command = List.of(
                "python3",
                "-c",
                program(),
                key.toString().charAt(0) + "" + key.byteSize(),
                count + "",
                values + "",
                repetitions + "");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII);
            for (String what : OF_NUMPY) {
                String line = lines.readLine();
                if (line == null) {
                    return;
                }
                double[] millis = Arrays.stream(line.split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                times.of("numpy", what, millis, true);
            }
        } catch (IOException e) {
            System.err.println("NumPy is left out: " + e.getMessage());
        }
    }

    private static String program() {
        try (InputStream in = OtherPrograms.class.getResourceAsStream("numpy_sorted.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Groups the keys in DuckDB, from a table in its memory to another.
    ///
    /// @param driver the jar of DuckDB's driver
    static void duckDb(Path driver, KeyType key, int count, long values, int threads, int repetitions, Times times) {
        String type = switch (key) {
            case I32 -> "INTEGER";
            case I64 -> "BIGINT";
            default -> "DOUBLE";
        };
        try (DuckDb database = new DuckDb(driver, threads)) {
            database.fill("(hash(range) % " + values + ")::" + type, count);
            double[] millis = new double[repetitions];
            for (int repetition = -1; repetition < repetitions; repetition++) {
                long start = System.nanoTime();
                database.run(
                        "CREATE OR REPLACE TABLE counts AS SELECT x, count(*) AS n FROM keys GROUP BY x ORDER BY x");
                if (repetition >= 0) {
                    millis[repetition] = (System.nanoTime() - start) * 1e-6;
                }
            }
            boolean isRight = database.number("SELECT sum(n)::BIGINT FROM counts") == count
                    && database.number("SELECT count(*) FROM counts")
                            == database.number("SELECT count(DISTINCT x) FROM keys");
            times.of("duckdb", HostSorted.SORT_AND_COUNTS, millis, isRight);
        }
    }
}
