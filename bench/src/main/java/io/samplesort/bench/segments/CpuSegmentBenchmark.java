package io.samplesort.bench.segments;

import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.bench.results.TurnOptions;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Sorts of segments on the CPU, ours and the JDK's, by turns: each run sorts a fresh copy of the input, and every
/// result is compared with what the JDK makes of it.
final class CpuSegmentBenchmark {
    private static final String OURS = "samplesort";
    private static final String JDK = "jdk";

    private final TurnOptions turns;
    private final int threads;
    private final SegmentResults results;

    CpuSegmentBenchmark(TurnOptions turns, int threads, SegmentResults results) {
        this.turns = turns;
        this.threads = threads;
        this.results = results;
    }

    /// @return whether all results were right
    boolean measure(SegmentInput input) {
        Object keys = JdkSegments.array(input.type(), input.count());
        MemorySegment work = JdkSegments.segment(keys);
        List<String> names = new ArrayList<>();
        List<Runnable> sorts = new ArrayList<>();
        Order order = input.type().isUnsigned() ? Order.unsigned() : Order.natural();
        try (SegmentedSorter sorter = SampleSort.onCpu()
                        .cpuThreads(threads)
                        .order(order)
                        .buildSegmented(ElementType.of(input.type().layout()));
                JdkSegments jdk = new JdkSegments(keys, input.offsets(), threads)) {
            if (turns.isMeasured(OURS)) {
                names.add(OURS);
                sorts.add(() -> sorter.sort(work, input.offsets()));
            }
            // The JDK has no unsigned order.
            if (turns.isMeasured(JDK) && !input.type().isUnsigned()) {
                names.add(JDK);
                sorts.add(jdk::sort);
            }
            return measure(input, work, names, sorts);
        }
    }

    private boolean measure(SegmentInput input, MemorySegment work, List<String> names, List<Runnable> sorts) {
        double[][] millis = new double[sorts.size()][turns.repetitions()];
        boolean[] isWrong = new boolean[sorts.size()];
        for (int repetition = -turns.warmUps(); repetition < turns.repetitions(); repetition++) {
            for (int i = 0; i < sorts.size(); i++) {
                work.copyFrom(input.keys());
                long start = System.nanoTime();
                sorts.get(i).run();
                double took = (System.nanoTime() - start) * 1e-6;
                isWrong[i] |= !input.isSorted(work);
                if (repetition >= 0) {
                    millis[i][repetition] = took;
                }
            }
        }
        boolean allRight = true;
        for (int i = 0; i < sorts.size(); i++) {
            results.add(names.get(i), input, millis[i], !isWrong[i], Map.of("threads", threads));
            allRight &= !isWrong[i];
        }
        return allRight;
    }
}
