package io.samplesort.spark;

import io.samplesort.spark.plan.SortExplanation;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/// Lets samplesort do the sorts of Spark SQL, without a change to the application:
/// `spark.plugins=io.samplesort.spark.SampleSortPlugin`.
///
/// It adds [SampleSortExtensions] to the sessions of the application, and a provider of reasons for `EXPLAIN`.
public final class SampleSortPlugin implements SparkPlugin {
    @Override
    public DriverPlugin driverPlugin() {
        return new Driver();
    }

    /// Returns null, since executors need nothing but the classes.
    @Override
    public ExecutorPlugin executorPlugin() {
        return null;
    }

    private static final class Driver implements DriverPlugin {
        @Override
        public Map<String, String> init(SparkContext spark, PluginContext context) {
            SparkConf settings = spark.conf();
            add(settings, "spark.sql.extensions", SampleSortExtensions.class.getName());
            add(settings, "spark.sql.extendedExplainProviders", SortExplanation.class.getName());
            return Map.of();
        }

        /// Adds a class to a list of classes, unless it is there already.
        private static void add(SparkConf settings, String name, String type) {
            String others = settings.get(name, "");
            if (!java.util.Arrays.asList(others.split("\\s*,\\s*")).contains(type)) {
                settings.set(name, others.isEmpty() ? type : others + "," + type);
            }
        }
    }
}
