package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSorterTest {
    @ParameterizedTest
    @EnumSource(names = {"U8", "F64"})
    void sortsEverySmallSize(KeyType type) {
        SortCase sortCase = SortCase.of(type);
        try (CpuSorter sorter = sortCase.sorter()) {
            for (int count = 0; count < 300; count++) {
                sortCase.check(sorter, InputDistribution.UNIFORM, count);
                sortCase.check(sorter, InputDistribution.FEW_DISTINCT, count);
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"U8", "F64"})
    void sortsEverySmallSizeOfOtherTypes(KeyType type) {
        sortsEverySmallSize(type);
    }

    /// Keys of a size of their own, and such as have to be encoded.
    @ParameterizedTest
    @EnumSource(names = {"I16", "F64"})
    void carriesEveryPayload(KeyType type) {
        for (ElementType payload : ElementType.values()) {
            for (boolean descending : new boolean[] {false, true}) {
                SortCase sortCase = SortCase.of(type).with(payload).descending(descending);
                try (CpuSorter sorter = sortCase.sorter()) {
                    for (InputDistribution distribution : InputDistribution.values()) {
                        // Each type and each distribution has both orders.
                        if ((distribution.ordinal() + type.ordinal() + payload.byteSize()) % 2
                                == (descending ? 1 : 0)) {
                            sortCase.check(sorter, distribution, 3000);
                        }
                    }
                    for (int count = 0; count < 40; count++) {
                        sortCase.check(sorter, InputDistribution.UNIFORM, count);
                    }
                }
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"I16", "F64"})
    void carriesEveryPayloadWithOtherTypes(KeyType type) {
        carriesEveryPayload(type);
    }

    @ParameterizedTest
    @ValueSource(ints = 30)
    void sortsUnderRandomTuning(int tunings) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int i = 0; i < tunings; i++) {
            CpuTuning tuning = new CpuTuning(
                    random.nextInt(3, 9),
                    16 << random.nextInt(6),
                    8 * random.nextInt(1, 33),
                    random.nextInt(2, 20),
                    random.nextInt(64, 4000),
                    random.nextInt(50));
            KeyType type = KeyType.values()[random.nextInt(KeyType.values().length)];
            ElementType payload =
                    random.nextBoolean() ? null : ElementType.values().get(random.nextInt(7));
            SortCase sortCase = new SortCase(type, random.nextBoolean(), payload, tuning, random.nextInt(1, 6));
            InputDistribution[] distributions = InputDistribution.values();
            try (CpuSorter sorter = sortCase.sorter()) {
                sortCase.check(sorter, distributions[random.nextInt(distributions.length)], random.nextInt(100_000));
            }
        }
    }

    @Tag("exhaustive")
    @Test
    void sortsUnderManyRandomTunings() {
        sortsUnderRandomTuning(500);
    }

    @Test
    void equalsTheSortOfTheJdkBitForBit() {
        double[] keys =
                new SplittableRandom(SortCase.SEED).doubles(50_000, -1, 1).toArray();
        for (int i = 0; i < keys.length; i += 7) {
            keys[i] = i % 2 == 0 ? -0.0 : 0.0;
        }
        keys[100] = Double.NaN;
        keys[200] = Double.NEGATIVE_INFINITY;
        double[] expected = keys.clone();
        Arrays.sort(expected);
        try (CpuSorter sorter = SortCase.of(KeyType.F64).sorter()) {
            sorter.sort(MemorySegment.ofArray(keys), null);
        }
        long[] bits = Arrays.stream(keys).mapToLong(Double::doubleToRawLongBits).toArray();
        assertThat(bits)
                .as("-Dtests.seed=" + SortCase.SEED)
                .isEqualTo(Arrays.stream(expected)
                        .mapToLong(Double::doubleToRawLongBits)
                        .toArray());
    }

    @Test
    void keepsTheBitsOfEveryNan() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        long[] keys = new long[5000];
        for (int i = 0; i < keys.length; i++) {
            long bits = random.nextLong();
            keys[i] = random.nextBoolean() ? bits : bits | 0x7ff0_0000_0000_0001L;
        }
        SortCase sortCase = SortCase.of(KeyType.F64);
        try (CpuSorter sorter = sortCase.sorter()) {
            sortCase.checkSort(sorter, "NaNs", MemorySegment.ofArray(keys), null);
        }
    }

    @Test
    void reportsWhatItDid() {
        SortCase sortCase = SortCase.of(KeyType.U64).descending(true);
        try (CpuSorter sorter = sortCase.sorter()) {
            SortReport report = sortCase.check(sorter, InputDistribution.UNIFORM, 20_000);
            assertThat(report.passes()).isGreaterThan(2);
            assertThat(report.largestBucket()).isBetween(1L, 256L / Long.BYTES);
            assertThat(report.extraBytes()).isPositive();
            assertThat(report.bytesMoved()).isGreaterThan(2L * 20_000 * Long.BYTES);
            assertThat(report.device()).isEqualTo("cpu, 3 threads");
            List<String> phases = new ArrayList<>();
            report.phases().forEach(phase -> phases.add(phase.name()));
            assertThat(phases).contains("select_splitters", "scatter", "permute_pages", "small_sort");
        }
    }

    @Test
    void leavesSortedInputAloneAndReversesWhatIsDescending() {
        long[] keys = new long[10_000];
        Arrays.setAll(keys, i -> i / 3);
        SortCase ascending = SortCase.of(KeyType.I64);
        try (CpuSorter sorter = ascending.sorter()) {
            assertThat(sorter.sort(MemorySegment.ofArray(keys), null).passes()).isZero();
        }
        SortCase descending = ascending.descending(true).with(ElementType.INT);
        try (CpuSorter sorter = descending.sorter()) {
            SortReport report = descending.checkSort(
                    sorter, "ascending", MemorySegment.ofArray(keys), SortCase.heap(keys.length, 4));
            assertThat(report.passes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyType.class,
            names = {"I32", "U32", "I64", "U64", "F32", "F64"})
    void fewElementsThatRunAreNotSorted(KeyType type) {
        for (boolean isDescending : new boolean[] {false, true}) {
            for (ElementType payload : new ElementType[] {null, ElementType.INT, ElementType.LONG}) {
                SortCase sortCase =
                        SortCase.of(type).descending(isDescending).with(payload).with(CpuTuning.DEFAULT, 1);
                try (CpuSorter sorter = sortCase.sorter()) {
                    for (int count : new int[] {200, 2049, 5000}) {
                        String last = isDescending ? "check_order" : "reverse";
                        assertThat(phases(sortCase, sorter, InputDistribution.REVERSE, count))
                                .containsExactly(last);
                        last = isDescending ? "reverse" : "check_order";
                        assertThat(phases(sortCase, sorter, InputDistribution.SORTED, count))
                                .containsExactly(last);
                    }
                }
            }
        }
    }

    private static List<String> phases(SortCase sortCase, CpuSorter sorter, InputDistribution distribution, int count) {
        MemorySegment keys = SortCase.heap(count, sortCase.type().byteSize());
        distribution.fill(keys, sortCase.type(), SortCase.SEED);
        SortReport report = sortCase.checkSort(
                sorter, distribution.toString(), keys, SortCase.heap(count, sortCase.payloadBytes()));
        return report.phases().stream().map(SortReport.Phase::name).toList();
    }

    /// Sorts of files count on it.
    @Test
    void threadsTakeAboutAsMuchMemoryAsIsAnnounced(@TempDir Path folder) throws IOException {
        int count = 1 << 20;
        for (SortCase sortCase : List.of(
                SortCase.of(KeyType.U32),
                SortCase.of(KeyType.U64),
                SortCase.of(KeyType.I32).with(ElementType.INT),
                SortCase.of(KeyType.I64).with(ElementType.INT),
                SortCase.of(KeyType.I64).with(ElementType.LONG))) {
            SortCase large = sortCase.with(CpuTuning.DEFAULT, 3);
            try (Arena arena = Arena.ofShared();
                    CpuSorter sorter = large.sorter()) {
                MemorySegment keys =
                        mapped(arena, folder, (long) count * large.type().byteSize());
                SortReport report = large.check(
                        sorter, InputDistribution.UNIFORM, keys, SortCase.heap(count, large.payloadBytes()));
                assertThat(report.extraBytes() / 3.0 / sorter.heapBytesPerThread())
                        .as(sortCase.toString())
                        .isBetween(0.7, 1.2);
            }
        }
    }

    @Test
    void countsFewKeysWithLittleMemory(@TempDir Path folder) throws IOException {
        SortCase sortCase = SortCase.of(KeyType.U32).with(CpuTuning.DEFAULT, 2);
        try (Arena arena = Arena.ofShared();
                CpuSorter sorter = sortCase.sorter()) {
            MemorySegment keys = mapped(arena, folder, (long) Integer.BYTES << 21);
            SortReport report = sortCase.check(sorter, InputDistribution.FEW_DISTINCT, keys, null);
            assertThat(report.passes()).isZero();
            assertThat(report.phases()).extracting(SortReport.Phase::name).contains("count_keys");
            assertThat(report.extraBytes()).isLessThan(8L << 20);
        }
    }

    /// Returns memory that the kernels do not touch.
    private static MemorySegment mapped(Arena arena, Path folder, long bytes) throws IOException {
        Path file = Files.createTempFile(folder, "keys", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }

    @Test
    void refusesWhatItCannotDo() {
        assertThatThrownBy(() -> new CpuSorter(ElementType.DOUBLE, null, Order.unsigned()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CpuSorter(ElementType.INT, null, Order.natural(), CpuTuning.DEFAULT, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parallelism 0");
        assertThatThrownBy(() -> new CpuTuning(2, 32, 24, 4, 256, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bucketLog = 2");
    }
}
