package io.samplesort.bench.host;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The CPU engine beside [Arrays#parallelSort], as a JMH benchmark: each invocation sorts 2^24 fresh keys.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 11)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx4g", "--enable-native-access=ALL-UNNAMED"})
public class CpuSortBenchmark {
    private static final int COUNT = 1 << 24;

    @Param({"UNIFORM", "FEW_DISTINCT", "ROOT_DUPLICATES", "DETERMINISTIC_DUPLICATES", "ZIPF", "ALL_EQUAL", "SORTED"})
    public InputDistribution distribution;

    @Param({"I32", "I64", "F64"})
    public KeyType type;

    private Sorter sorter;
    private int[] ints;
    private long[] longs;
    private double[] doubles;
    private long seed;

    @Setup
    public void open() {
        sorter = SampleSort.onCpu().build(ElementType.of(type.layout()));
        ints = new int[type == KeyType.I32 ? COUNT : 0];
        longs = new long[type == KeyType.I64 ? COUNT : 0];
        doubles = new double[type == KeyType.F64 ? COUNT : 0];
    }

    @Setup(Level.Invocation)
    public void fill() {
        MemorySegment keys = switch (type) {
            case I32 -> MemorySegment.ofArray(ints);
            case I64 -> MemorySegment.ofArray(longs);
            default -> MemorySegment.ofArray(doubles);
        };
        distribution.fill(keys, type, ++seed);
    }

    @Benchmark
    public void samplesort() {
        switch (type) {
            case I32 -> sorter.sort(ints);
            case I64 -> sorter.sort(longs);
            default -> sorter.sort(doubles);
        }
    }

    @Benchmark
    public void parallelSort() {
        switch (type) {
            case I32 -> Arrays.parallelSort(ints);
            case I64 -> Arrays.parallelSort(longs);
            default -> Arrays.parallelSort(doubles);
        }
    }

    @TearDown
    public void close() {
        sorter.close();
    }
}
