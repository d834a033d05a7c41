package io.samplesort.cpu.strings;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.StringCase;
import io.samplesort.StringContract;
import io.samplesort.StringSorter;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Strings on the CPU.
class CpuStringTest extends StringContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onCpu();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 3, 7, 24, 25, 100, 5000, 50_000};
    }

    /// Long runs of equal words, which all threads sort, with and without strings that are unlike nearly all others.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void sortsLongRuns(int strangers) {
        Random random = new Random(strangers);
        byte[][] strings = new byte[150_000][];
        for (int i = 0; i < strings.length; i++) {
            String beginning = "a beginning of most strings".repeat(1 + random.nextInt(2));
            strings[i] = (beginning + random.nextInt(5000)).getBytes(StandardCharsets.US_ASCII);
        }
        for (int i = 0; i < strangers; i++) {
            strings[1000 + 40_001 * i] = ("a begin" + i).getBytes(StandardCharsets.US_ASCII);
        }
        Comparator<Integer> byBytes = (i, j) -> Arrays.compareUnsigned(strings[i], strings[j]);
        int[] expected = IntStream.range(0, strings.length)
                .boxed()
                .sorted(byBytes)
                .mapToInt(Integer::intValue)
                .toArray();
        try (StringSorter sorter = builder().buildStrings(StringOrder.bytes())) {
            assertThat(sorter.argsort(Strings.copyOf(strings))).isEqualTo(expected);
        }
    }

    /// Few different strings are counted, unless a sample has promised fewer than there are, or all are equal and so in
    /// order already. Whatever is done, the order is that of the JDK's stable sort.
    @ParameterizedTest
    @CsvSource({"1, 0, false", "7, 0, true", "300, 0, true", "3000, 0, false", "300, 10, true", "100, 7, false"})
    void countsStringsThatRepeat(int different, int share, boolean isCounted) {
        Random random = new Random(different);
        byte[][] repeated = StringCase.BOTH_CASES.strings(random, different);
        byte[][] strings = new byte[60_000][];
        for (int i = 0; i < strings.length; i++) {
            boolean isAlone = share > 0 && random.nextInt(share * (isCounted ? 10 : 1)) == 0;
            strings[i] = isAlone ? StringCase.LATE_DIFFERENCES.strings(random, 1)[0] : repeated[i % different].clone();
            if (isAlone) {
                ByteBuffer.wrap(strings[i]).putInt(i);
            }
        }
        Strings view = Strings.copyOf(strings);
        for (StringOrder order : List.of(
                StringOrder.bytes(), StringOrder.bytes().ignoringAsciiCase().reversed())) {
            for (int threads : new int[] {1, 3}) {
                int[] permutation = new int[strings.length];
                try (StringCpuSorter sorter = new StringCpuSorter(order, threads)) {
                    SortReport report = sorter.argsort(view, MemorySegment.ofArray(permutation), Integer.BYTES);
                    assertThat(report.phases().stream()
                                    .anyMatch(phase -> phase.name().equals("count_keys")))
                            .isEqualTo(isCounted);
                }
                assertThat(permutation).isEqualTo(expected(strings, order));
                try (StringCpuSorter sorter = new StringCpuSorter(order, threads)) {
                    long[] wide = new long[strings.length];
                    sorter.argsort(view, MemorySegment.ofArray(wide), Long.BYTES);
                    assertThat(wide)
                            .isEqualTo(Arrays.stream(permutation).asLongStream().toArray());
                }
            }
        }
    }

    /// The keys of many strings lie outside of the heap.
    @Test
    void sortsWithKeysOutsideOfTheHeap() {
        byte[][] strings = StringCase.ADDRESSES.strings(new Random(3), 100_000);
        Strings view = Strings.copyOf(strings);
        long[] expected = new long[strings.length];
        long[] permutation = new long[strings.length];
        try (StringSorter onHeap = builder().buildStrings(StringOrder.bytes());
                StringCpuSorter outside = new StringCpuSorter(StringOrder.bytes(), 2, 50_000)) {
            onHeap.argsort(view, MemorySegment.ofArray(expected));
            for (int count : new int[] {60_000, 100_000, 70_000}) {
                Strings part = view.slice(0, count);
                MemorySegment target = MemorySegment.ofArray(permutation).asSlice(0, 8L * count);
                assertThat(outside.argsort(part, target, Long.BYTES).extraBytes())
                        .isGreaterThan(8L * count);
                if (count == strings.length) {
                    assertThat(permutation).isEqualTo(expected);
                }
            }
        }
    }
}
