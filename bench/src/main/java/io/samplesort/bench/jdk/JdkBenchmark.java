package io.samplesort.bench.jdk;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/// Times a call of ours and its rival by turns, on the same fresh copies. Small inputs are sorted in large numbers
/// between two looks at the clock, each with keys of its own, so that no processor can learn its branches by heart.
final class JdkBenchmark {
    /// About this many elements are sorted between two looks at the clock.
    private static final int ELEMENTS_AT_A_TIME = 1 << 16;

    /// Before a cell each system sorts its input for this long, so that its code is compiled. Some loops take the
    /// compiler a tenth of a second.
    private static final long WARM_UP_NANOS = 150_000_000;

    /// Before the first cell of a type and size, each system sorts inputs of every shape for this long.
    private static final long FIRST_WARM_UP_NANOS = 15_000_000;

    /// When all repetitions of a cell have taken this long, no more follow, but for the least number.
    private static final long MOST_NANOS = 250_000_000;

    private static final int LEAST_REPETITIONS = 3;

    private final int repetitions;
    private final long seed;
    private final Results results;

    JdkBenchmark(int repetitions, long seed, Results results) {
        this.repetitions = repetitions;
        this.seed = seed;
        this.results = results;
    }

    /// What was measured of one type, size and input.
    ///
    /// @param ratio   the JDK's median time divided by ours
    /// @param isRight whether all results were those of the JDK
    record Cell(double ratio, boolean isRight) {}

    /// Sorts inputs of all shapes for a while, so that a system meets its first cell compiled as it meets all others.
    <A> void warmUp(JdkRival<A> rival, int count) {
        for (JdkInput input : JdkInput.values()) {
            if (rival.takes(input)) {
                List<A> inputs = inputs(rival, input, count);
                warmUp(rival, inputs, rival.ours(), FIRST_WARM_UP_NANOS);
                warmUp(rival, inputs, rival.theirs(), FIRST_WARM_UP_NANOS);
            }
        }
    }

    <A> Cell measure(JdkRival<A> rival, JdkInput input, int count) {
        List<A> inputs = inputs(rival, input, count);
        warmUp(rival, inputs, rival.ours(), WARM_UP_NANOS);
        warmUp(rival, inputs, rival.theirs(), WARM_UP_NANOS);
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        boolean isRight = true;
        long start = System.nanoTime();
        for (int turn = 0;
                turn < repetitions && (turn < LEAST_REPETITIONS || System.nanoTime() - start < MOST_NANOS);
                turn++) {
            Object[] oursSorted = new Object[inputs.size()];
            Object[] theirsSorted = new Object[inputs.size()];
            // Who goes first finds the caches in another state than who goes second.
            if (turn % 2 == 0) {
                ours.add(micros(rival, inputs, rival.ours(), oursSorted));
                theirs.add(micros(rival, inputs, rival.theirs(), theirsSorted));
            } else {
                theirs.add(micros(rival, inputs, rival.theirs(), theirsSorted));
                ours.add(micros(rival, inputs, rival.ours(), oursSorted));
            }
            for (int i = 0; i < oursSorted.length; i++) {
                isRight &= JdkRival.isSame(oursSorted[i], theirsSorted[i]);
            }
        }
        return add(rival.name(), input, count, array(ours), array(theirs), isRight);
    }

    private <A> List<A> inputs(JdkRival<A> rival, JdkInput input, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<A> inputs = new ArrayList<>();
        for (int made = 0; made < ELEMENTS_AT_A_TIME; made += count) {
            inputs.add(rival.draw(input, count, random));
        }
        return inputs;
    }

    private static <A> void warmUp(JdkRival<A> rival, List<A> inputs, Function<A, Object> sort, long nanos) {
        Object[] sorted = new Object[inputs.size()];
        long start = System.nanoTime();
        do {
            micros(rival, inputs, sort, sorted);
        } while (System.nanoTime() - start < nanos);
    }

    /// Sorts copies of the inputs.
    ///
    /// @return how long each takes, in microseconds
    private static <A> double micros(JdkRival<A> rival, List<A> inputs, Function<A, Object> sort, Object[] sorted) {
        List<A> copies = new ArrayList<>(inputs.size());
        inputs.forEach(input -> copies.add(rival.copy().apply(input)));
        long start = System.nanoTime();
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = sort.apply(copies.get(i));
        }
        return (System.nanoTime() - start) * 1e-3 / sorted.length;
    }

    private Cell add(String type, JdkInput input, int count, double[] ours, double[] theirs, boolean isRight) {
        double ratio = Statistics.median(theirs) / Statistics.median(ours);
        put("samplesort", type, input, count, ours, ratio, isRight);
        put("jdk", type, input, count, theirs, ratio, isRight);
        return new Cell(ratio, isRight);
    }

    private void put(
            String system, String type, JdkInput input, int count, double[] micros, double ratio, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("type", type);
        result.put("input", input.toString());
        result.put("count", (long) count);
        double[] millis = new double[micros.length];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = micros[i] * 1e-3;
        }
        Statistics.put(result, "wall", "GigaElementsPerSecond", millis, count);
        result.put("jdkByOurs", ratio);
        result.put("verified", isRight);
        results.add(result);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
