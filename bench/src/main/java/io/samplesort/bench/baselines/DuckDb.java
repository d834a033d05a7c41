package io.samplesort.bench.baselines;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/// A DuckDB in memory with a table `keys` of random numbers of its own, in its column `x`. Its driver is no dependency
/// of the benchmarks, since it is larger than all of them together: the user names its jar.
public final class DuckDb implements AutoCloseable {
    private final Connection connection;
    private final Statement statement;

    /// @param driver  the jar `duckdb_jdbc`
    /// @param threads how many threads it uses
    /// @throws IllegalArgumentException if there is no driver in the jar
    public DuckDb(Path driver, int threads) {
        try {
            connection = load(driver).connect("jdbc:duckdb:", new Properties());
            statement = connection.createStatement();
        } catch (SQLException e) {
            throw new IllegalArgumentException("DuckDB does not start: " + e.getMessage(), e);
        }
        run("SET threads = " + threads);
    }

    private static Driver load(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("there is no file " + jar + ": name the jar of duckdb_jdbc");
        }
        try {
            URL url = URI.create("file:" + jar.toAbsolutePath()).toURL();
            // The loader lasts as long as the process: closing it would unload the library.
            ClassLoader loader = new URLClassLoader(new URL[] {url});
            return Class.forName("org.duckdb.DuckDBDriver", true, loader)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (MalformedURLException | ReflectiveOperationException e) {
            throw new IllegalArgumentException(jar + " has no driver of DuckDB", e);
        }
    }

    /// Makes the table.
    ///
    /// @param number an expression of DuckDB that makes a random number from the row number `range`
    public void fill(String number, long count) {
        run("CREATE OR REPLACE TABLE keys AS SELECT " + number + " AS x FROM range(" + count + ")");
    }

    /// Runs a statement.
    public void run(String sql) {
        try {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB refuses " + sql, e);
        }
    }

    /// Returns the number that a query finds.
    public long number(String sql) {
        try (ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB refuses " + sql, e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not close", e);
        }
    }
}
