package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.FirstOfSegmentsContract;
import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.SorterBuilder;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.GpuSegmentTest.Copies;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Selections from segments in the memory of a GPU, and what they refuse.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuFirstOfSegmentsTest extends FirstOfSegmentsContract {
    private static final byte UNTOUCHED = 0x5a;

    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuSegmentSortTest.TINY);
    }

    @Override
    protected int count() {
        return 2600;
    }

    @Override
    protected long[] wanted() {
        return new long[] {10};
    }

    /// Calls a method of a sorter.
    private interface Selection {
        long select(DeviceMemory elements, DeviceMemory offsets, DeviceMemory target, DeviceMemory targetOffsets);
    }

    @Override
    protected void select(
            SegmentedSorter sorter,
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment target) {
        ElementType type = k % 20 == 0 ? ElementType.INT : ElementType.LONG;
        int bytes = sorter.keyType().byteSize();
        check(
                elements,
                offsets,
                offsets.atMost(k),
                type,
                target,
                bytes,
                (keys, places, room, roomPlaces) -> isLast
                        ? sorter.last(keys, places, type, k, room, roomPlaces)
                        : sorter.first(keys, places, type, k, room, roomPlaces));
    }

    @Override
    protected void argselect(
            SegmentedSorter sorter,
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment indexes,
            ElementType type) {
        int bytes = type.byteSize();
        check(
                elements,
                offsets,
                offsets.atMost(k),
                type,
                indexes,
                bytes,
                (keys, places, room, roomPlaces) -> isLast
                        ? sorter.arglast(keys, places, type, k, room, roomPlaces)
                        : sorter.argfirst(keys, places, type, k, room, roomPlaces));
    }

    /// Selects to a target that has room for one result more, of this many bytes.
    private static void check(
            MemorySegment elements,
            SegmentOffsets offsets,
            SegmentOffsets results,
            ElementType offsetType,
            MemorySegment target,
            int bytes,
            Selection selection) {
        byte[] before = elements.toArray(ValueLayout.JAVA_BYTE);
        byte[] room = new byte[(int) target.byteSize() + bytes];
        Arrays.fill(room, UNTOUCHED);
        try (Copies copies = new Copies()) {
            DeviceMemory keys = copies.of(elements);
            DeviceMemory places = copies.ofOffsets(offsets, offsetType);
            DeviceMemory deviceRoom = copies.of(MemorySegment.ofArray(room));
            DeviceMemory expectedPlaces = copies.ofOffsets(results, offsetType);
            DeviceMemory targetPlaces = copies.of(MemorySegment.ofArray(new byte[(int) places.byteSize()]));
            assertThat(selection.select(keys, places, deviceRoom, targetPlaces)).isEqualTo(results.last());
            deviceRoom.copyTo(MemorySegment.ofArray(room));
            target.copyFrom(MemorySegment.ofArray(room).asSlice(0, target.byteSize()));
            assertThat(Arrays.copyOfRange(room, (int) target.byteSize(), room.length))
                    .as("behind the results")
                    .containsOnly(UNTOUCHED);
            assertThat(bytes(targetPlaces)).as("the offsets of the results").isEqualTo(bytes(expectedPlaces));
            assertThat(bytes(keys)).as("the input").isEqualTo(before);
        }
    }

    private static byte[] bytes(DeviceMemory memory) {
        byte[] bytes = new byte[(int) memory.byteSize()];
        memory.copyTo(MemorySegment.ofArray(bytes));
        return bytes;
    }

    /// A warp that selects keeps up to four times as many elements as are wanted, and sorts these whenever they are too
    /// many: never if the best come first, and all the time if they come last. More than 512 ints, or 256 sort keys of
    /// them, are too many for a warp.
    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 33, 100, 256, 257, 512, 513})
    void selectsFromRowsInEveryOrder(int k) {
        int length = 2000;
        Random random = new Random(k);
        int[] keys = Stream.of(
                        IntStream.range(0, length).toArray(),
                        IntStream.range(0, length).map(i -> -i).toArray(),
                        random.ints(length).toArray(),
                        random.ints(length, 0, 3).toArray(),
                        new int[length],
                        random.ints(5).toArray())
                .flatMapToInt(IntStream::of)
                .toArray();
        SegmentOffsets offsets = SegmentOffsets.ofLengths(new int[] {length, length, 0, length, length, length, 5});
        SegmentOffsets results = offsets.atMost(k);
        for (boolean isLast : new boolean[] {false, true}) {
            int[] expected = new int[(int) results.last()];
            for (int s = 0; s < offsets.segmentCount(); s++) {
                int[] sorted = IntStream.range((int) offsets.offset(s), (int) offsets.offset(s + 1))
                        .boxed()
                        .sorted(Comparator.comparingInt(i -> keys[i]))
                        .mapToInt(i -> i)
                        .toArray();
                int count = (int) (results.offset(s + 1) - results.offset(s));
                int from = isLast ? sorted.length - count : 0;
                System.arraycopy(sorted, from, expected, (int) results.offset(s), count);
            }
            int[] indexes = new int[expected.length];
            int[] selected = new int[expected.length];
            MemorySegment input = MemorySegment.ofArray(keys);
            try (SegmentedSorter sorter = builder().buildSegmented(ElementType.INT)) {
                argselect(sorter, input, offsets, k, isLast, MemorySegment.ofArray(indexes), ElementType.INT);
                select(sorter, input, offsets, k, isLast, MemorySegment.ofArray(selected));
            }
            assertThat(indexes).isEqualTo(expected);
            assertThat(selected)
                    .isEqualTo(IntStream.of(expected).map(i -> keys[i]).toArray());
        }
    }

    /// More segments than one round of the blocks that count them takes, and results in many tiles.
    @Test
    void selectsFromManySegments() {
        int segments = 70_000;
        int[] keys = IntStream.range(0, 2 * segments).map(i -> -i).toArray();
        SegmentOffsets offsets = SegmentOffsets.ofRows(segments, 2);
        int[] last = new int[segments];
        try (SegmentedSorter sorter = builder().buildSegmented(ElementType.INT)) {
            select(sorter, MemorySegment.ofArray(keys), offsets, 1, true, MemorySegment.ofArray(last));
        }
        assertThat(last).isEqualTo(IntStream.range(0, segments).map(i -> -2 * i).toArray());
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (Copies copies = new Copies();
                SegmentedSorter sorter = builder().buildSegmented(ElementType.INT);
                SegmentedSorter pairs = builder().payload(ElementType.INT).buildSegmented(ElementType.INT);
                SegmentedSorter onCpu = SampleSort.onCpu().buildSegmented(ElementType.INT)) {
            DeviceMemory keys = copies.of(MemorySegment.ofArray(new int[] {6, 5, 4, 3, 2, 1}));
            DeviceMemory two = copies.of(MemorySegment.ofArray(new int[] {0, 3, 6}));
            DeviceMemory falling = copies.of(MemorySegment.ofArray(new int[] {0, 4, 3}));
            DeviceMemory far = copies.of(MemorySegment.ofArray(new int[] {0, 4, 7}));
            DeviceMemory target = copies.of(MemorySegment.ofArray(new int[] {7, 7, 7}));
            DeviceMemory places = copies.of(MemorySegment.ofArray(new int[] {8, 8, 8}));
            ElementType type = ElementType.INT;
            assertRefused(
                    () -> sorter.first(keys, two, type, 2, target, places),
                    "4 elements are wanted of all segments, and the target has room for 3: give it room for 4");
            assertRefused(() -> sorter.arglast(keys, two, type, 2, target, places), "room for 3");
            assertRefused(() -> sorter.first(keys, falling, type, 1, target, places), "offsets must not fall");
            assertRefused(() -> sorter.first(keys, far, type, 1, target, places), "from 0 to 6");
            assertRefused(() -> sorter.first(keys, two, type, -1, target, places), "-1 elements of each segment");
            assertRefused(
                    () -> sorter.first(keys, two, type, 1, target, places.slice(0, 8)),
                    "there are 3 offsets, and room for 2 offsets of the results");
            assertRefused(() -> sorter.first(keys, two, ElementType.SHORT, 1, target, places), "offsets of type");
            assertRefused(() -> sorter.first(keys, two, type, 1, keys.slice(0, 8), places), "overlap");
            assertRefused(() -> sorter.first(keys, two, type, 1, target, two), "overlap");
            assertRefused(() -> sorter.first(keys, two, type, 1, target, target), "overlap");
            assertRefused(() -> pairs.argfirst(keys, two, type, 1, target, places), "argfirst is for keys alone");
            assertThatThrownBy(() -> onCpu.first(keys, two, type, 1, target, places))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(bytes(target)).isEqualTo(bytes(copies.of(MemorySegment.ofArray(new int[] {7, 7, 7}))));
            assertThat(bytes(places)).isEqualTo(bytes(copies.of(MemorySegment.ofArray(new int[] {8, 8, 8}))));
            assertThat(sorter.first(keys, two, type, 0, target, places)).isZero();
            assertThat(bytes(places)).as("offsets of no results").containsOnly(0);
            assertThat(sorter.first(keys, two, type, 1, target, places)).isEqualTo(2);
        }
    }

    /// Without a segment there is one offset, which is a place of the array, too.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesASingleOffsetBeyondTheElements(boolean hasLongOffsets) {
        ElementType type = hasLongOffsets ? ElementType.LONG : ElementType.INT;
        try (Copies copies = new Copies();
                SegmentedSorter sorter = builder().buildSegmented(ElementType.INT)) {
            DeviceMemory keys = copies.of(MemorySegment.ofArray(new int[] {6, 5, 4}));
            DeviceMemory target = copies.of(MemorySegment.ofArray(new long[] {7, 7, 7}));
            DeviceMemory indexes = target.slice(0, 3 * Integer.BYTES);
            byte[] before = bytes(target);
            DeviceMemory place = copies.of(offset(8, type));
            for (long wrong : new long[] {4, -1}) {
                DeviceMemory offsets = copies.of(offset(wrong, type));
                String message = "offset 0 is " + wrong + ": offsets must be from 0 to 3, the number of elements";
                assertRefused(() -> sorter.sort(keys, offsets, type), message);
                assertRefused(() -> sorter.argsort(keys, offsets, type, indexes), message);
                assertRefused(() -> sorter.first(keys, offsets, type, 1, target, place), message);
                assertRefused(() -> sorter.last(keys, offsets, type, 0, target, place), message);
                assertRefused(() -> sorter.argfirst(keys, offsets, type, 1, target, place), message);
                assertRefused(() -> sorter.arglast(keys, offsets, type, 0, target, place), message);
            }
            assertThat(bytes(target)).isEqualTo(before);
            assertThat(bytes(place)).isEqualTo(bytes(copies.of(offset(8, type))));
            DeviceMemory last = copies.of(offset(3, type));
            sorter.sort(keys, last, type);
            assertThat(sorter.first(keys, last, type, 1, target, place)).isZero();
        }
    }

    private static MemorySegment offset(long offset, ElementType type) {
        return type.equals(ElementType.LONG)
                ? MemorySegment.ofArray(new long[] {offset})
                : MemorySegment.ofArray(new int[] {(int) offset});
    }

    private static void assertRefused(Runnable selection, String message) {
        assertThatThrownBy(selection::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    /// A copy of the keys, or of their sort keys, has to fit.
    @Test
    void findsOutThatMemoryIsLacking() {
        int[] keys = new int[30_000];
        try (Copies copies = new Copies();
                SegmentedSorter sorter = builder().deviceMemory(100_000).buildSegmented(ElementType.INT)) {
            DeviceMemory all = copies.of(MemorySegment.ofArray(keys));
            DeviceMemory offsets = copies.of(MemorySegment.ofArray(new int[] {0, 10_000, 20_000, 30_000}));
            DeviceMemory target = copies.of(MemorySegment.ofArray(new int[] {7, 7, 7}));
            DeviceMemory places = copies.of(MemorySegment.ofArray(new int[] {8, 8, 8, 8}));
            assertThatThrownBy(() -> sorter.first(all, offsets, ElementType.INT, 1, target, places))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("selecting in the segments of 30000 elements");
            assertThatThrownBy(() -> sorter.argfirst(all, offsets, ElementType.INT, 1, target, places))
                    .isInstanceOf(InsufficientDeviceMemoryException.class);
            assertThat(bytes(target)[0]).isEqualTo((byte) 7);
            assertThat(bytes(places)[0]).isEqualTo((byte) 8);
        }
    }

    /// Where warps select, memory is needed for the results alone.
    @Test
    void needsNoCopyWhereWarpsSelect() {
        int[] keys = new Random(3).ints(30_000).toArray();
        SegmentOffsets rows = SegmentOffsets.ofRows(15, 2000);
        int[] least = new int[15];
        try (SegmentedSorter sorter = builder().deviceMemory(100_000).buildSegmented(ElementType.INT)) {
            select(sorter, MemorySegment.ofArray(keys), rows, 1, false, MemorySegment.ofArray(least));
        }
        assertThat(least)
                .isEqualTo(IntStream.range(0, 15)
                        .map(row -> Arrays.stream(keys, 2000 * row, 2000 * (row + 1))
                                .min()
                                .getAsInt())
                        .toArray());
        try (Copies copies = new Copies();
                SegmentedSorter sorter = builder().deviceMemory(50).buildSegmented(ElementType.INT)) {
            DeviceMemory all = copies.of(MemorySegment.ofArray(keys));
            DeviceMemory offsets = copies.ofOffsets(rows, ElementType.INT);
            DeviceMemory target = copies.of(MemorySegment.ofArray(new int[15]));
            DeviceMemory places = copies.of(MemorySegment.ofArray(new int[16]));
            assertThatThrownBy(() -> sorter.argfirst(all, offsets, ElementType.INT, 1, target, places))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("selecting in the segments of 30000 elements");
        }
    }

    /// An index has 32 bits. The elements are refused before any of them is read, and there are none at this address.
    @Test
    void refusesMoreElementsThanAnIndexCanNumber() {
        try (Copies copies = new Copies();
                SegmentedSorter sorter = builder().buildSegmented(ElementType.BYTE);
                DeviceMemory many = DeviceMemory.wrap(Device.gpu(0), 1L << 46, 1L << 32)) {
            DeviceMemory offsets = copies.of(MemorySegment.ofArray(new long[] {0, 1}));
            DeviceMemory target = copies.of(MemorySegment.ofArray(new long[1]));
            DeviceMemory places = copies.of(MemorySegment.ofArray(new long[2]));
            assertThatThrownBy(() -> sorter.argfirst(many, offsets, ElementType.LONG, 1, target, places))
                    .isInstanceOf(GpuUnavailableException.class)
                    .hasMessageContaining("4294967296 elements by index");
        }
    }
}
