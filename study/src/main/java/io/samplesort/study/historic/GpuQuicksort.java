package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.DeviceArrays.Elements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/// GPU quicksort (Cederman and Tsigas 2008), after its description. In the first phase many blocks divide each sequence
/// at the mean of its smallest and its greatest key, and the host looks at the parts. Once there are enough sequences
/// to keep the GPU busy with one block for each, one block sorts each sequence.
///
/// It differs from the description in what happens to keys that equal the pivot of the first phase. Here they stay with
/// the smaller keys and move with their payloads. The original has no payloads and writes the pivot in their place.
final class GpuQuicksort implements HistoricSort {
    static final int THREADS = 256;
    private static final int SMALL_BYTES = 8192;
    private static final int SEQUENCE_LONGS = 7;
    private static final int CHUNK_LONGS = 3;
    private static final int SEQUENCES_PER_MULTIPROCESSOR = 8;
    /// Fewer elements than this are not worth a block in the first phase.
    private static final long MIN_CHUNK = 2048;

    private final Context context;
    private final HistoricElement element;
    private final HistoricProgram program;
    private final PinnedMail mail;
    private final int maxSequences;

    /// A sequence that is not sorted yet. Its smallest and its greatest key are ordered bits.
    private record Sequence(long begin, long count, long lowest, long greatest) {}

    GpuQuicksort(Context context, HistoricElement element) {
        this.context = context;
        this.element = element;
        program = new HistoricProgram(context, source(element));
        mail = new PinnedMail(context);
        maxSequences = SEQUENCES_PER_MULTIPROCESSOR * context.device().multiprocessorCount();
    }

    static HistoricProgram.Source source(HistoricElement element) {
        return new HistoricProgram.Source(
                "gpu_quicksort.cu",
                element,
                Map.of("kThreads", THREADS, "kSmallElements", SMALL_BYTES / element.elementBytes()));
    }

    @Override
    public Optional<String> sort(Stream stream, long keys, long payloads, long count) {
        if (count < 2) {
            return Optional.empty();
        }
        mail.reset();
        try (DeviceArrays arrays = new DeviceArrays(context, stream)) {
            Elements result = new Elements(keys, payloads);
            Elements auxiliary = arrays.elements(element, count);
            KeyRange range = KeyRange.find(context, stream, program, THREADS, mail, arrays, keys, count);
            // Single blocks sort sequences of this size.
            long smallCount = Math.max(MIN_CHUNK, count / maxSequences);
            TaskList tasks = new TaskList();
            boolean isInResult = true;
            List<Sequence> sequences = new ArrayList<>();
            add(new Sequence(0, count, range.lowest(), range.greatest()), isInResult, smallCount, sequences, tasks);
            while (!sequences.isEmpty() && sequences.size() + tasks.size() < maxSequences) {
                long[] divided = divide(
                        stream, arrays, sequences, isInResult ? result : auxiliary, isInResult ? auxiliary : result);
                isInResult = !isInResult;
                List<Sequence> next = new ArrayList<>();
                for (int i = 0; i < sequences.size(); i++) {
                    Sequence whole = sequences.get(i);
                    long below = divided[i * SEQUENCE_LONGS + 3];
                    long greatestBelow = divided[i * SEQUENCE_LONGS + 5];
                    long lowestAbove = divided[i * SEQUENCE_LONGS + 6];
                    Sequence lower = new Sequence(whole.begin, below, whole.lowest, greatestBelow);
                    Sequence upper =
                            new Sequence(whole.begin + below, whole.count - below, lowestAbove, whole.greatest);
                    add(lower, isInResult, smallCount, next, tasks);
                    add(upper, isInResult, smallCount, next, tasks);
                }
                sequences = next;
            }
            for (Sequence sequence : sequences) {
                tasks.addSort(sequence.begin, sequence.count, isInResult);
            }
            tasks.launch(stream, program, "sort_sequences", THREADS, mail, arrays, result, auxiliary);
        }
        return Optional.empty();
    }

    private static void add(
            Sequence sequence, boolean isInResult, long smallCount, List<Sequence> sequences, TaskList tasks) {
        if (sequence.lowest == sequence.greatest) {
            tasks.addSorted(sequence.begin, sequence.count, isInResult);
        } else if (sequence.count <= smallCount) {
            tasks.addSort(sequence.begin, sequence.count, isInResult);
        } else {
            sequences.add(sequence);
        }
    }

    /// Divides all sequences, and returns what the kernel then knows about them (gpu_quicksort.cu).
    private long[] divide(Stream stream, DeviceArrays arrays, List<Sequence> sequences, Elements from, Elements to) {
        long total = sequences.stream().mapToLong(Sequence::count).sum();
        long chunkCount = Math.max(MIN_CHUNK, (total + maxSequences - 1) / maxSequences);
        long[] known = new long[sequences.size() * SEQUENCE_LONGS];
        List<long[]> chunks = new ArrayList<>();
        for (int i = 0; i < sequences.size(); i++) {
            Sequence sequence = sequences.get(i);
            long[] values = {
                sequence.begin, sequence.count, element.meanBits(sequence.lowest, sequence.greatest), 0, 0, 0, -1
            };
            System.arraycopy(values, 0, known, i * SEQUENCE_LONGS, SEQUENCE_LONGS);
            for (long done = 0; done < sequence.count; done += chunkCount) {
                chunks.add(new long[] {i, sequence.begin + done, Math.min(chunkCount, sequence.count - done)});
            }
        }
        long sequenceAddress = arrays.allocate((long) known.length * Long.BYTES);
        long chunkAddress = arrays.allocate((long) chunks.size() * CHUNK_LONGS * Long.BYTES);
        mail.upload(stream, sequenceAddress, known);
        mail.upload(
                stream,
                chunkAddress,
                chunks.stream().flatMapToLong(LongStream::of).toArray());
        program.launch(
                stream,
                "divide_sequences",
                chunks.size(),
                THREADS,
                0,
                from.keys(),
                from.payloads(),
                to.keys(),
                to.payloads(),
                sequenceAddress,
                chunkAddress);
        return mail.downloadLongs(stream, sequenceAddress, known.length);
    }

    @Override
    public void close() {
        mail.close();
        program.close();
    }
}
