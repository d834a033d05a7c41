package io.samplesort.gpu.sort;

import io.samplesort.cuda.LaunchList;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.launch.DeviceElements;

/// The launches of sorts that were done before. A program that sorts often mostly does so with the same strategy in the
/// same memory, and its workspace mostly is the same memory of the pool. Then all launches have the arguments that they
/// had before, which take Java longer to make than a small sort takes the GPU, above all in a young process.
///
/// One thread at a time uses it.
public final class RepeatedSorts {
    /// What a sort launches: some launches, and others unless it turns out that they would have nothing to do.
    /// [#endsEarly] may launch something that is not kept, as it depends on the input.
    interface Launches {
        void begin();

        /// Returns whether nothing more need be launched behind what [#begin] and this launch.
        default boolean endsEarly() {
            return true;
        }

        default void goOn() {
            throw new IllegalStateException("this sort ends early");
        }
    }

    /// How many sorts are remembered: programs may take turns between a few arrays, or chunks of host memory.
    private static final int MOST = 16;

    private final Sort[] sorts = new Sort[MOST];
    private int oldest;

    /// A sort of certain memory. All arguments follow from these.
    private record Sort(
            SortStrategy strategy,
            long workspace,
            long stream,
            DeviceElements input,
            DeviceElements output,
            HostWait host,
            LaunchList[] lists) {
        // Written out, since Java makes the method of a record when it is first called, which takes milliseconds.
        boolean isSame(Sort other) {
            return strategy.equals(other.strategy)
                    && workspace == other.workspace
                    && stream == other.stream
                    && input.isSame(other.input)
                    && output.isSame(other.output)
                    && host.isSame(other.host);
        }
    }

    /// Puts the launches of a sort on a stream. The first time that a sort comes it may be the last one, so its
    /// launches are recorded the second time, and from the third time on repeated.
    ///
    /// @param workspace where it begins; 0 without one
    /// @param launches  launches each phase
    void launch(SortCall call, SortStrategy strategy, long workspace, Launches launches) {
        Sort sort = new Sort(
                strategy, workspace, call.on().handle(), call.input(), call.output(), call.host(), new LaunchList[2]);
        for (Sort before : sorts) {
            if (before != null && before.isSame(sort)) {
                repeat(call.on(), before.lists, launches);
                return;
            }
        }
        launches.begin();
        if (!launches.endsEarly()) {
            launches.goOn();
        }
        sorts[oldest] = sort;
        oldest = (oldest + 1) % MOST;
    }

    private static void repeat(Stream stream, LaunchList[] lists, Launches launches) {
        if (lists[0] == null) {
            lists[0] = recorded(stream, launches, true);
        } else {
            lists[0].launch();
        }
        if (launches.endsEarly()) {
            return;
        }
        if (lists[1] == null) {
            lists[1] = recorded(stream, launches, false);
        } else {
            lists[1].launch();
        }
    }

    private static LaunchList recorded(Stream stream, Launches launches, boolean begins) {
        LaunchList list = new LaunchList();
        stream.record(list);
        try {
            if (begins) {
                launches.begin();
            } else {
                launches.goOn();
            }
        } finally {
            stream.record(null);
        }
        return list;
    }
}
