package io.samplesort.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/// Starts Spark on this machine for tests.
public final class LocalSpark {
    /// Options of executors, which live for a few seconds: those of the processes that run the tests.
    static final String SHORT_RUNS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private LocalSpark() {}

    /// Starts Spark with two threads in this process.
    public static JavaSparkContext threads(Map<String, String> settings) {
        return start("local[2]", settings);
    }

    /// Starts Spark with two executors of one core each, in processes of their own.
    public static JavaSparkContext executors(Map<String, String> settings) {
        makeHome();
        return start("local-cluster[2,1,1024]", settings);
    }

    /// Starts a cluster of two workers with one core each. Spark takes them for two hosts, since they have two names of
    /// this one, and so starts copies of slow tasks, which it never does on the host of a task.
    public static TwoHosts hosts() {
        makeHome();
        return TwoHosts.start();
    }

    /// Starts Spark on a cluster that runs already.
    static JavaSparkContext start(String master, Map<String, String> settings) {
        SparkConf all = new SparkConf(false)
                .setMaster(master)
                .setAppName("test")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "localhost")
                .set("spark.driver.bindAddress", "127.0.0.1")
                // The classes of this module. Those of Spark and of the library are in Spark's home.
                .set("spark.executor.extraClassPath", folders())
                .set("spark.executor.extraJavaOptions", SHORT_RUNS);
        settings.forEach(all::set);
        return new JavaSparkContext(all);
    }

    /// Returns the folders on the class path of this process.
    private static String folders() {
        StringBuilder folders = new StringBuilder();
        for (String entry : classPath()) {
            if (Files.isDirectory(Path.of(entry))) {
                folders.append(folders.isEmpty() ? "" : ":").append(entry);
            }
        }
        return folders.toString();
    }

    private static String[] classPath() {
        return System.getProperty("java.class.path").split(":");
    }

    /// Makes a home of Spark whose jars are those on the class path of this process.
    private static void makeHome() {
        Path jars = Path.of(System.getenv("SPARK_HOME"), "jars");
        try {
            Files.createDirectories(jars);
            for (String entry : classPath()) {
                Path link = jars.resolve(Path.of(entry).getFileName());
                if (entry.endsWith(".jar") && !Files.exists(link)) {
                    Files.deleteIfExists(link);
                    Files.createSymbolicLink(link, Path.of(entry));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
