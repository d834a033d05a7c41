package io.samplesort.bench.select;

import io.samplesort.bench.baselines.DuckDb;
import io.samplesort.testkit.KeyType;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// DuckDB's first k in order, and its median, of as many random keys of its own, from a table in its memory to another.
final class DuckDbLimit {
    private DuckDbLimit() {}

    static void measure(
            DuckDb database,
            KeyType key,
            int count,
            List<Long> counts,
            int repetitions,
            Consumer<Map<String, Object>> results) {
        database.fill(number(key), count);
        for (long k : counts) {
            String select = "SELECT x FROM keys ORDER BY x LIMIT " + k;
            double[] times = times(repetitions, () -> database.run("CREATE OR REPLACE TABLE first AS " + select));
            String last = "(SELECT max(x) FROM first)";
            boolean isRight = database.number("SELECT count(*) FROM first") == k
                    && database.number("SELECT count(*) FROM keys WHERE x <= " + last) >= k
                    && database.number("SELECT count(*) FROM keys WHERE x < " + last) < k;
            results.accept(new Selection("duckdb", key, count, Selection.first(k)).result(times, isRight));
        }
        double[] times = times(
                repetitions,
                () -> database.run("CREATE OR REPLACE TABLE middle AS SELECT quantile_disc(x, 0.5) AS x FROM keys"));
        String middle = "(SELECT x FROM middle)";
        boolean isRight = database.number("SELECT count(*) FROM keys WHERE x <= " + middle) >= count / 2
                && database.number("SELECT count(*) FROM keys WHERE x < " + middle) <= count / 2;
        results.accept(new Selection("duckdb", key, count, "middle").result(times, isRight));
    }

    private static double[] times(int repetitions, Runnable query) {
        double[] times = new double[repetitions];
        query.run();
        for (int i = 0; i < repetitions; i++) {
            long start = System.nanoTime();
            query.run();
            times[i] = (System.nanoTime() - start) * 1e-6;
        }
        return times;
    }

    /// Returns the expression of a random number of this type.
    private static String number(KeyType key) {
        return switch (key) {
            case I32 -> "((hash(range) % 4294967296)::BIGINT - 2147483648)::INTEGER";
            case U32 -> "(hash(range) % 4294967296)::UINTEGER";
            case I64 -> "(hash(range) // 2)::BIGINT";
            case U64 -> "hash(range)";
            case F32 -> "random()::FLOAT";
            case F64 -> "random()";
            default -> throw new IllegalArgumentException(key + ": DuckDB is measured with numbers of 4 or 8 bytes");
        };
    }
}
