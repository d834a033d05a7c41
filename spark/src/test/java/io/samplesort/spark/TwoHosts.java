package io.samplesort.spark;

import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import scala.Option;

/// A cluster of two workers with one core each on this machine, which Spark takes for two hosts.
public record TwoHosts(RpcEnv master, List<RpcEnv> workers) implements AutoCloseable {
    private static final int MEGABYTES = 1024;

    static TwoHosts start() {
        SparkConf settings = new SparkConf(false).set("spark.master.rest.enabled", "false");
        RpcEnv master =
                Master.startRpcEnvAndEndpoint("localhost", 0, 0, settings)._1();
        String[] url = {url(master)};
        return new TwoHosts(
                master, List.of(worker("localhost", 1, url, settings), worker("127.0.0.1", 2, url, settings)));
    }

    private static RpcEnv worker(String host, int number, String[] master, SparkConf settings) {
        return Worker.startRpcEnvAndEndpoint(
                host, 0, 0, 1, MEGABYTES, master, null, Option.apply(number), settings, Option.empty());
    }

    private static String url(RpcEnv master) {
        return "spark://localhost:" + master.address().port();
    }

    /// Starts an application with an executor on each worker.
    JavaSparkContext spark(Map<String, String> settings) {
        return LocalSpark.start(url(master), settings);
    }

    @Override
    public void close() {
        workers.forEach(TwoHosts::end);
        end(master);
    }

    private static void end(RpcEnv part) {
        part.shutdown();
        part.awaitTermination();
    }
}
