package io.samplesort.study.historic;

import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.DeviceArrays.Elements;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/// The work for single blocks: sequences to sort, and sorted sequences to copy (block_quicksort.cuh).
final class TaskList {
    /// How many sorted elements one block copies.
    private static final long COPY_COUNT = 1 << 16;

    private static final int TASK_LONGS = 3;
    private static final long SORT_IN_RESULT = 0;
    private static final long SORT_IN_AUXILIARY = 1;
    private static final long COPY_FROM_AUXILIARY = 2;

    private final List<Task> tasks = new ArrayList<>();

    private record Task(long begin, long count, long kind) {}

    int size() {
        return tasks.size();
    }

    /// Returns the size of the largest sequence that is to be sorted; 0 if there is none.
    long largestSort() {
        return tasks.stream()
                .filter(task -> task.kind != COPY_FROM_AUXILIARY)
                .mapToLong(Task::count)
                .max()
                .orElse(0);
    }

    /// Adds elements that a block has to sort.
    ///
    /// @param isInResult whether the elements lie in the array of the result instead of the auxiliary one
    void addSort(long begin, long count, boolean isInResult) {
        if (count > 0) {
            tasks.add(new Task(begin, count, isInResult ? SORT_IN_RESULT : SORT_IN_AUXILIARY));
        }
    }

    /// Adds elements that are sorted already, and only have to be copied if they do not lie in the array of the result.
    void addSorted(long begin, long count, boolean isInResult) {
        for (long done = 0; !isInResult && done < count; done += COPY_COUNT) {
            tasks.add(new Task(begin + done, Math.min(COPY_COUNT, count - done), COPY_FROM_AUXILIARY));
        }
    }

    /// Launches one block for each task. The largest task comes first, so that no block works alone at the end.
    void launch(
            Stream stream,
            HistoricProgram program,
            String kernel,
            int threads,
            PinnedMail mail,
            DeviceArrays arrays,
            Elements result,
            Elements auxiliary) {
        if (tasks.isEmpty()) {
            return;
        }
        tasks.sort(Comparator.comparingLong(Task::count).reversed());
        long[] values = tasks.stream()
                .flatMapToLong(task -> LongStream.of(task.begin, task.count, task.kind))
                .toArray();
        long address = arrays.allocate((long) tasks.size() * TASK_LONGS * Long.BYTES);
        mail.upload(stream, address, values);
        program.launch(
                stream,
                kernel,
                tasks.size(),
                threads,
                0,
                result.keys(),
                result.payloads(),
                auxiliary.keys(),
                auxiliary.payloads(),
                address);
    }
}
