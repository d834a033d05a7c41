package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentKindsTest {
    private static final int COUNT = 5000;

    @ParameterizedTest
    @EnumSource
    void sortsNativeMemory(KeyType type) {
        SortCase sortCase = SortCase.of(type).with(ElementType.LONG);
        try (CpuSorter sorter = sortCase.sorter();
                Arena arena = Arena.ofShared()) {
            MemorySegment keys = arena.allocate((long) COUNT * type.byteSize(), type.byteSize());
            MemorySegment payloads = arena.allocate((long) COUNT * Long.BYTES, Long.BYTES);
            sortCase.check(sorter, InputDistribution.UNIFORM, keys, payloads);
        }
    }

    @Test
    void sortsMemoryOfTheCallingThreadAlone() {
        SortCase sortCase = SortCase.of(KeyType.I32);
        try (CpuSorter sorter = sortCase.sorter();
                Arena arena = Arena.ofConfined()) {
            MemorySegment keys = arena.allocate(4L * COUNT, 4);
            int[] input = new SplittableRandom(SortCase.SEED).ints(COUNT).toArray();
            MemorySegment.copy(input, 0, keys, ValueLayout.JAVA_INT, 0, COUNT);
            assertThat(sorter.sort(keys, null).device()).isEqualTo("cpu, 1 thread");
            Arrays.sort(input);
            assertThat(keys.toArray(ValueLayout.JAVA_INT))
                    .as("-Dtests.seed=" + SortCase.SEED)
                    .isEqualTo(input);
        }
    }

    @Test
    void sortsMappedFile(@TempDir Path folder) throws IOException {
        SortCase sortCase = SortCase.of(KeyType.F32);
        Path file = folder.resolve("keys");
        try (CpuSorter sorter = sortCase.sorter();
                Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment keys = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4L * COUNT, arena);
            sortCase.check(sorter, InputDistribution.GAUSSIAN, keys, null);
        }
    }

    /// Of every array type, small ones that are sorted in place too.
    @ParameterizedTest
    @EnumSource
    void sortsPartOfAnArrayAndLeavesTheRest(KeyType type) {
        SortCase sortCase = SortCase.of(type);
        for (int count : new int[] {4, COUNT}) {
            MemorySegment array = array(type, count + 10);
            InputDistribution.UNIFORM.fill(array, type, SortCase.SEED);
            byte[] before = array.toArray(ValueLayout.JAVA_BYTE);
            int bytes = type.byteSize();
            try (CpuSorter sorter = sortCase.sorter()) {
                sortCase.check(
                        sorter, InputDistribution.UNIFORM, array.asSlice(3L * bytes, (long) count * bytes), null);
            }
            byte[] after = array.toArray(ValueLayout.JAVA_BYTE);
            int end = (count + 3) * bytes;
            assertThat(Arrays.copyOf(after, 3 * bytes)).isEqualTo(Arrays.copyOf(before, 3 * bytes));
            assertThat(Arrays.copyOfRange(after, end, after.length))
                    .isEqualTo(Arrays.copyOfRange(before, end, before.length));
        }
    }

    private static MemorySegment array(KeyType type, int count) {
        return switch (type) {
            case I8, U8 -> MemorySegment.ofArray(new byte[count]);
            case I16 -> MemorySegment.ofArray(new short[count]);
            case U16 -> MemorySegment.ofArray(new char[count]);
            case I32, U32 -> MemorySegment.ofArray(new int[count]);
            case I64, U64 -> MemorySegment.ofArray(new long[count]);
            case F32 -> MemorySegment.ofArray(new float[count]);
            case F64 -> MemorySegment.ofArray(new double[count]);
        };
    }

    /// Takes 5 GiB of memory and a minute: `-Dtests.large=true`.
    @Test
    @EnabledIfSystemProperty(named = "tests.large", matches = "true")
    void sortsMoreElementsThanAnIntCounts() {
        long count = (1L << 31) + 12_345;
        SortCase pairs = SortCase.of(KeyType.U8).with(ElementType.BYTE).with(CpuTuning.DEFAULT, 2);
        SortCase keysOnly = SortCase.of(KeyType.U8).with(CpuTuning.DEFAULT, 2);
        try (CpuSorter pairSorter = pairs.sorter();
                CpuSorter keySorter = keysOnly.sorter();
                Arena arena = Arena.ofShared()) {
            MemorySegment keys = arena.allocate(count);
            MemorySegment payloads = arena.allocate(count);
            pairs.check(pairSorter, InputDistribution.UNIFORM, keys, payloads);
            keysOnly.check(keySorter, InputDistribution.UNIFORM, keys, null);
        }
    }
}
