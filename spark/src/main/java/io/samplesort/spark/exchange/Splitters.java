package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.Keys;
import io.samplesort.spark.shuffle.Quantiles;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// Where the partitions of the result begin. A splitter is an element of the input: its key, and which element of which
/// run it is. Elements with equal keys are told apart by run and place, so that many equal keys are divided among
/// partitions like any others, and partitions together keep the order of the input.
///
/// If a repeated task may find elements with equal keys in another order, only whole runs of them go to either side, so
/// that the task sends the same elements to the same partitions again.
final class Splitters implements Serializable {
    private static final long serialVersionUID = 1;

    /// A splitter, as a place in a sample.
    private record Candidate(RunSample sample, int index) {
        int compareTo(Candidate other) {
            int byKey = sample.keys().compare(index, other.sample.keys(), other.index);
            if (byKey != 0) {
                return byKey;
            }
            int byRun =
                    compareRuns(sample.partition(), sample.number(), other.sample.partition(), other.sample.number());
            return byRun != 0
                    ? byRun
                    : Integer.compare(sample.places()[index], other.sample.places()[other.index]);
        }
    }

    private final boolean dividesEqualKeys;
    private final List<Splitter> splitters;

    /// @param key       an array of only the splitter's key
    /// @param partition the partition of the input that its run is from
    /// @param number    which run of that partition it is from
    /// @param place     where in the run it is
    private record Splitter(Keys key, int partition, int number, int place) implements Serializable {
        private static final long serialVersionUID = 1;
    }

    private Splitters(boolean dividesEqualKeys, List<Splitter> splitters) {
        this.dividesEqualKeys = dividesEqualKeys;
        this.splitters = splitters;
    }

    /// Chooses splitters for this many partitions of about the same size.
    ///
    /// @param dividesEqualKeys whether a run may be cut between elements with equal keys
    static Splitters choose(List<RunSample> samples, int partitions, boolean dividesEqualKeys) {
        List<Candidate> candidates = new ArrayList<>();
        for (RunSample sample : samples) {
            for (int i = 0; i < sample.places().length; i++) {
                candidates.add(new Candidate(sample, i));
            }
        }
        candidates.sort(Candidate::compareTo);
        List<Splitter> chosen = new ArrayList<>(partitions - 1);
        for (Candidate candidate : Quantiles.of(candidates, each -> each.sample.weight(), partitions)) {
            RunSample sample = candidate.sample;
            int place = candidate.index;
            chosen.add(new Splitter(
                    sample.keys().pick(new int[] {place}),
                    sample.partition(),
                    sample.number(),
                    sample.places()[place]));
        }
        return new Splitters(dividesEqualKeys, chosen);
    }

    /// Returns where the pieces of a run end, for each partition except the last ones, for which nothing is left.
    ///
    /// @param keys the keys of the run, in order
    int[] cuts(int partition, int number, Keys keys) {
        int[] ends = new int[splitters.size() + 1];
        int from = 0;
        for (int i = 0; i < splitters.size(); i++) {
            from = cut(splitters.get(i), partition, number, keys, from);
            ends[i] = from;
        }
        ends[splitters.size()] = keys.count();
        return ends;
    }

    private int cut(Splitter splitter, int partition, int number, Keys keys, int from) {
        int count = keys.count();
        int comparison = compareRuns(partition, number, splitter.partition, splitter.number);
        if (comparison < 0) {
            return keys.upperBound(from, count, splitter.key, 0);
        }
        int first = keys.lowerBound(from, count, splitter.key, 0);
        if (comparison > 0 || !dividesEqualKeys) {
            return first;
        }
        // The splitter is from this run. A repeated task may have another run, but the cut must be among equal keys.
        int end = keys.upperBound(first, count, splitter.key, 0);
        return Math.clamp(splitter.place, first, end);
    }

    private static int compareRuns(int partition, int number, int otherPartition, int otherNumber) {
        int byPartition = Integer.compare(partition, otherPartition);
        return byPartition != 0 ? byPartition : Integer.compare(number, otherNumber);
    }
}
