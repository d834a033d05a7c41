package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts of memory that another library has allocated, and of parts of memory. All parts lie close together, so that a
/// byte too many would be seen.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSharedMemoryTest {
    private static final Device GPU = Device.gpu(0);
    private static final int COUNT = 4001;
    private static final byte CANARY = 0x5a;

    private final long[] keys = new SplittableRandom(1).longs(COUNT, 0, 2000).toArray();
    private final int[] order = IntStream.range(0, COUNT)
            .boxed()
            .sorted((a, b) -> Long.compare(keys[a], keys[b]))
            .mapToInt(i -> i)
            .toArray();
    private final long[] sorted = Arrays.stream(keys).sorted().toArray();

    private DeviceMemory allocated;
    private DeviceMemory wrapped;
    private byte[] expected;
    private long used = 8;

    @BeforeEach
    void allocate() {
        allocated = DeviceMemory.allocate(GPU, 500_000);
        // The other library has allocated a little before that.
        wrapped = DeviceMemory.wrap(GPU, allocated.address() + 8, allocated.byteSize() - 8);
        expected = new byte[(int) wrapped.byteSize()];
        Arrays.fill(expected, CANARY);
        wrapped.copyFrom(MemorySegment.ofArray(expected));
    }

    @AfterEach
    void free() {
        wrapped.close();
        // It was not freed with what wrapped it.
        byte[] found = new byte[8];
        allocated.slice(8, found.length).copyTo(MemorySegment.ofArray(found));
        assertThat(found).containsExactly(Arrays.copyOf(expected, found.length));
        allocated.close();
    }

    /// Returns a part of the memory with these contents, which begins at a multiple of 8 and ends with a canary.
    private DeviceMemory part(MemorySegment contents) {
        DeviceMemory part = wrapped.slice(used, contents.byteSize());
        part.copyFrom(contents);
        MemorySegment.copy(contents, 0, MemorySegment.ofArray(expected), used, contents.byteSize());
        used = (used + contents.byteSize() + 8) / 8 * 8;
        return part;
    }

    /// Checks that a part has these contents now, and that all other memory is as it was.
    private void check(DeviceMemory part, MemorySegment contents) {
        long offset = part.address() - wrapped.address();
        MemorySegment.copy(contents, 0, MemorySegment.ofArray(expected), offset, contents.byteSize());
        byte[] found = new byte[expected.length];
        wrapped.copyTo(MemorySegment.ofArray(found));
        assertThat(Arrays.mismatch(found, expected))
                .as("the first byte that differs")
                .isEqualTo(-1);
    }

    private DeviceMemory longs(long... values) {
        return part(MemorySegment.ofArray(values));
    }

    private DeviceMemory ints() {
        return part(MemorySegment.ofArray(new int[COUNT]));
    }

    private static Sorter sorter() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG);
    }

    @Test
    void numbersAreSorted() {
        DeviceMemory source = longs(keys);
        DeviceMemory target = longs(new long[COUNT]);
        DeviceMemory permutation = ints();
        try (Sorter sorter = sorter()) {
            sorter.argsort(source, permutation);
            check(permutation, MemorySegment.ofArray(order));
            sorter.applyPermutation(permutation, ElementType.LONG, source, target);
            check(target, MemorySegment.ofArray(sorted));
            sorter.sort(source);
            check(source, MemorySegment.ofArray(sorted));
        }
    }

    @Test
    void pairsAreSorted() {
        DeviceMemory source = longs(keys);
        DeviceMemory payloads =
                part(MemorySegment.ofArray(IntStream.range(0, COUNT).toArray()));
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .payload(ElementType.INT)
                .stable()
                .build(ElementType.LONG)) {
            sorter.sort(source, payloads);
        }
        MemorySegment.copy(
                MemorySegment.ofArray(sorted),
                0,
                MemorySegment.ofArray(expected),
                source.address() - wrapped.address(),
                8L * COUNT);
        check(payloads, MemorySegment.ofArray(order));
    }

    @Test
    void stringsAndRowsAreSorted() {
        Strings strings = Strings.copyOf(GpuStringInput.SHARED_PREFIX.strings());
        int count = (int) strings.count();
        int[] inOrder = new int[count];
        try (StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes())) {
            cpu.argsort(strings, inOrder);
        }
        DeviceStrings source =
                new DeviceStrings(part(strings.bytes()), part(strings.offsets()), strings.offsetType(), count);
        DeviceMemory permutation = part(MemorySegment.ofArray(new int[count]));
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
            sorter.argsort(source, permutation);
            check(permutation, MemorySegment.ofArray(inOrder));
        }
        int[] first = new SplittableRandom(2).ints(count, 0, 50).toArray();
        DeviceMemory numbers = part(MemorySegment.ofArray(first));
        try (ColumnSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildColumns();
                ColumnSorter cpu = SampleSort.onCpu().buildColumns()) {
            sorter.argsort(
                    List.of(DeviceKeyColumn.of(numbers, ElementType.INT), DeviceKeyColumn.of(source)), permutation);
            check(permutation, MemorySegment.ofArray(cpu.argsort(KeyColumn.of(first), KeyColumn.of(strings))));
        }
    }

    @Test
    void partsThatOverlapAreRefused() {
        DeviceMemory left = wrapped.slice(0, 800);
        DeviceMemory right = wrapped.slice(792, 800);
        DeviceMemory sameAsRight = DeviceMemory.wrap(GPU, right.address(), 800);
        DeviceMemory apart = wrapped.slice(1600, 800);
        try (Sorter sorter = sorter();
                Sorter pairs = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY)
                        .payload(ElementType.LONG)
                        .build(ElementType.LONG);
                StringSorter strings =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
            List<ThrowingCallable> calls = List.of(
                    () -> sorter.sortedCopy(left, right),
                    () -> sorter.argsort(right, left),
                    () -> sorter.argsort(sameAsRight, right),
                    () -> sorter.applyPermutation(apart, ElementType.LONG, left, right),
                    () -> sorter.applyPermutation(right, ElementType.LONG, apart, sameAsRight),
                    () -> pairs.sort(left, right),
                    () -> pairs.sort(wrapped.slice(0, 1600), wrapped.slice(800, 1600)),
                    () -> new DeviceStrings(left, sameAsRight, ElementType.LONG, 10),
                    () -> strings.argsort(
                            new DeviceStrings(left, apart, ElementType.LONG, 100 - 1), wrapped.slice(400, 99 * 4)));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("are the same device memory or overlap in it");
            }
            apart.copyFrom(MemorySegment.ofArray(new long[100]));
            pairs.sort(left, apart);
        }
        sameAsRight.close();
    }

    @Test
    void wrongAddressesAndSizesAreRefused() {
        assertThatThrownBy(() -> DeviceMemory.wrap(GPU, 0, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the device address is null: give the address that the other library has allocated");
        assertThatThrownBy(() -> DeviceMemory.wrap(GPU, 256, 0)).hasMessageContaining("the size must be positive");
        assertThatThrownBy(() -> DeviceMemory.wrap(Device.cpu(), 256, 8)).hasMessageContaining("name a GPU");
        assertThatThrownBy(() -> wrapped.slice(8, wrapped.byteSize()))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("it must lie within the " + wrapped.byteSize() + " bytes");
        assertThatThrownBy(() -> wrapped.slice(-8, 16)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> wrapped.slice(8, 0)).hasMessageContaining("the size must be positive");
        DeviceMemory odd = wrapped.slice(4, 800);
        DeviceMemory even = wrapped.slice(1600, 800);
        try (Sorter sorter = sorter()) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> sorter.sort(odd),
                    () -> sorter.argsort(odd, even),
                    () -> sorter.argsort(even, odd),
                    () -> new DeviceStrings(odd, even, ElementType.LONG, 10))) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is not aligned to 8 bytes: lay them at a multiple of 8");
            }
        }
    }

    @Test
    void aPartEndsWithItsWhole() {
        DeviceMemory whole = DeviceMemory.wrap(GPU, wrapped.address(), 800);
        DeviceMemory part = whole.slice(80, 80);
        DeviceMemory partOfPart = part.slice(8, 8);
        partOfPart.copyFrom(MemorySegment.ofArray(new long[] {7}));
        DeviceMemory closed = whole.slice(0, 80);
        closed.close();
        closed.close();
        assertThatThrownBy(closed::address).isInstanceOf(IllegalStateException.class);
        MemorySegment found = MemorySegment.ofArray(new long[10]);
        part.copyTo(found);
        assertThat(found.getAtIndex(ValueLayout.JAVA_LONG, 1)).isEqualTo(7);
        whole.close();
        try (Sorter sorter = sorter()) {
            for (DeviceMemory late : List.of(part, partOfPart)) {
                assertThatThrownBy(() -> sorter.sort(late))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("this is a slice of is closed");
                assertThatThrownBy(() -> late.slice(0, 8)).isInstanceOf(IllegalStateException.class);
            }
        }
    }
}
