package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies of strings in device memory in the order of a permutation, byte for byte: every length and alignment, strings
/// that go on over many tiles of the copy, and any number of empty ones between others.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuStringCopyTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int MOST_BYTES = 400_000;

    private static byte[] string(SplittableRandom random, int length) {
        byte[] string = new byte[length];
        random.nextBytes(string);
        return string;
    }

    /// Copies strings at random places, and checks all bytes and offsets of the copy, and the room behind it.
    private static void copyAndCheck(List<byte[]> strings, ElementType from, ElementType to, Random random) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, strings.size()).boxed().toList());
        Collections.shuffle(order, random);
        copyAndCheck(strings, order.stream().mapToInt(i -> i).toArray(), from, to);
    }

    private static void copyAndCheck(List<byte[]> strings, int[] order, ElementType from, ElementType to) {
        int length = strings.stream().mapToInt(string -> string.length).sum();
        int room = length + 5;
        Device gpu = Device.gpu(0);
        try (StringSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
                GpuStringCase source = GpuStringCase.of(strings, from);
                DeviceMemory permutation = DeviceMemory.allocate(gpu, order.length * 4L);
                DeviceMemory bytes = DeviceMemory.allocate(gpu, room);
                DeviceMemory offsets = DeviceMemory.allocate(gpu, (order.length + 1L) * to.byteSize())) {
            permutation.copyFrom(MemorySegment.ofArray(order));
            byte[] expected = new byte[room];
            Arrays.fill(expected, (byte) 77);
            bytes.copyFrom(MemorySegment.ofArray(expected));
            sorter.applyPermutation(permutation, source.device(), new DeviceStrings(bytes, offsets, to, order.length));

            long[] expectedOffsets = new long[order.length + 1];
            for (int i = 0; i < order.length; i++) {
                byte[] string = strings.get(order[i]);
                System.arraycopy(string, 0, expected, (int) expectedOffsets[i], string.length);
                expectedOffsets[i + 1] = expectedOffsets[i] + string.length;
            }
            byte[] copied = new byte[room];
            bytes.copyTo(MemorySegment.ofArray(copied));
            String what = "%d strings, offsets of %d and %d bytes; replay with -Dtests.seed=%d"
                    .formatted(order.length, from.byteSize(), to.byteSize(), SEED);
            assertThat(Arrays.mismatch(copied, expected)).as(what).isEqualTo(-1);
            assertThat(read(offsets, to, expectedOffsets.length)).as(what).isEqualTo(expectedOffsets);
        }
    }

    private static long[] read(DeviceMemory offsets, ElementType type, int count) {
        if (type.equals(ElementType.LONG)) {
            long[] longs = new long[count];
            offsets.copyTo(MemorySegment.ofArray(longs));
            return longs;
        }
        int[] ints = new int[count];
        offsets.copyTo(MemorySegment.ofArray(ints));
        return Arrays.stream(ints).asLongStream().toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 17, 40, 300, 2500, 5000})
    void everyLength(int mostLength) {
        SplittableRandom random = new SplittableRandom(SEED + mostLength);
        List<byte[]> strings = new ArrayList<>();
        for (int left = MOST_BYTES / 2; left > 0 && strings.size() < 6000; left -= strings.getLast().length) {
            strings.add(string(random, random.nextInt(mostLength + 1)));
        }
        copyAndCheck(strings, ElementType.INT, ElementType.LONG, new Random(SEED));
        copyAndCheck(strings, ElementType.LONG, ElementType.INT, new Random(SEED + 1));
    }

    /// Short strings next to long ones, so that a warp has both.
    @Test
    void lengthsOfAllKindsSideBySide() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> strings = new ArrayList<>();
        for (int left = MOST_BYTES; left > 0; left -= strings.getLast().length) {
            strings.add(string(random, random.nextInt(2 << random.nextInt(13)) - 1 & 0x1fff));
        }
        copyAndCheck(strings, ElementType.INT, ElementType.INT, new Random(SEED));
        copyAndCheck(strings, ElementType.LONG, ElementType.LONG, new Random(SEED + 1));
    }

    /// Every pair of a place in the source and in the target, by the bytes in 16 that it is off.
    @Test
    void everyAlignment() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> strings = new ArrayList<>();
        for (int before = 0; before < 16; before++) {
            for (int length = 0; length < 50; length++) {
                strings.add(string(random, before));
                strings.add(string(random, length));
            }
        }
        for (int shuffle = 0; shuffle < 3; shuffle++) {
            copyAndCheck(strings, ElementType.INT, ElementType.INT, new Random(SEED + shuffle));
        }
    }

    @Test
    void manyEmptyStringsBetweenOthers() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> strings = new ArrayList<>();
        for (int run : new int[] {0, 31, 32, 33, 5000, 1, 64, 3000}) {
            strings.add(string(random, 7));
            strings.addAll(Collections.nCopies(run, new byte[0]));
            strings.add(string(random, 2041));
            strings.addAll(Collections.nCopies(run, new byte[0]));
        }
        copyAndCheck(strings, IntStream.range(0, strings.size()).toArray(), ElementType.INT, ElementType.INT);
        copyAndCheck(strings, ElementType.INT, ElementType.LONG, new Random(SEED));
    }

    @Test
    void nothingButEmptyStrings() {
        copyAndCheck(Collections.nCopies(3000, new byte[0]), ElementType.INT, ElementType.LONG, new Random(SEED));
    }

    @Test
    void oneStringOfManyTiles() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> strings = List.of(string(random, 5), string(random, 1_500_001), string(random, 3));
        copyAndCheck(strings, new int[] {2, 1, 0}, ElementType.LONG, ElementType.INT);
    }

    /// More than an emulated GPU copies in a short time.
    @Test
    @Tag("large")
    void aStringOf100Megabytes() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> strings = List.of(string(random, 5), string(random, 100_000_001), string(random, 3));
        copyAndCheck(strings, new int[] {2, 1, 0}, ElementType.LONG, ElementType.INT);
    }
}
