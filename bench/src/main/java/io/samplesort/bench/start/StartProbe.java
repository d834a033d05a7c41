package io.samplesort.bench.start;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.InputDistribution;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/// The process in which `bench start` times the first sorts, step by step.
final class StartProbe {
    private StartProbe() {}

    /// @param arguments the elements to sort, their number, the seed, and the number of the GPU
    public static void main(String[] arguments) throws IOException {
        long begin = System.currentTimeMillis();
        Subject subject = Subject.parse(arguments[0]);
        long count = Long.parseLong(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        int ordinal = Integer.parseInt(arguments[3]);
        Map<String, Object> result = new LinkedHashMap<>();
        try (Sorter sorter = timed(result, StartStep.BUILD, () -> subject.sorter(SampleSort.on(Device.gpu(ordinal))));
                Context context = Context.retainPrimary(ordinal);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                ReusedMemory memory = new ReusedMemory();
                Workload workload = new Workload(ordinal, subject, count, memory)) {
            workload.fill(InputDistribution.UNIFORM, seed);
            restore(workload, stream);
            ElementBuffers elements = workload.buffers();
            timed(result, StartStep.FIRST_SORT, () -> elements.sortBy(sorter));
            boolean isFirstRight = workload.isSorted();
            restore(workload, stream);
            timed(result, StartStep.SECOND_SORT, () -> elements.sortBy(sorter));
            result.put("verified", isFirstRight && workload.isSorted());
            result.put("compileMillis", sorter.compileTime().toNanos() * 1e-6);
        }
        result.put(StartStep.JVM.key(), (double)
                (begin - ManagementFactory.getRuntimeMXBean().getStartTime()));
        System.out.println(JSON.std.asString(result));
    }

    private static void restore(Workload workload, Stream stream) {
        workload.buffers().restore(stream);
        stream.synchronize();
    }

    private static <T> T timed(Map<String, Object> result, StartStep step, Supplier<T> work) {
        long start = System.nanoTime();
        T made = work.get();
        result.put(step.key(), (System.nanoTime() - start) * 1e-6);
        return made;
    }
}
