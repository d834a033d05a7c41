package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelUse;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts of keys of 8 and 16 bits with payloads, which are moved by value: payloads of several sizes, at borders of
/// tiles and at odd places of the arrays, in place and to another array, of inputs that repeat few values, lack some or
/// are in order.
///
/// Most elements are those of [GpuContractTest], whose kernels are compiled once for both.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuByteKernelsTest {
    private static final Tuning TUNING = GpuContractTest.TINY;
    private static final int TILE = TUNING.tileSize();

    @Test
    void keysOf8Bits() {
        checkAll(KeyType.U8, ElementType.LONG, false, 1, 31, TILE - 1, TILE, TILE + 1, 2000);
    }

    @Test
    void keysOf16Bits() {
        checkAll(KeyType.U16, ElementType.LONG, true, 1, TILE + 1, 5000);
    }

    @Test
    @Tag("exhaustive")
    void otherKeysAndSmallerPayloads() {
        checkAll(KeyType.I8, ElementType.INT, true, 1, 31, TILE - 1, TILE, TILE + 1, 2000);
        checkAll(KeyType.U8, ElementType.BYTE, false, 2, 15, 16, 17, 2000);
        checkAll(KeyType.I16, ElementType.INT, false, 1, TILE + 1, 5000);
    }

    /// Whether or not the host is told of the order, and so whether or not the sort goes on after it has been found.
    @Test
    void keysInOrder() {
        try (Sorts sorts = new Sorts(KeyType.U8, ElementType.LONG, false, TUNING.with("orderCheckSize=1"))) {
            for (boolean waits : new boolean[] {false, true}) {
                for (boolean isInPlace : new boolean[] {true, false}) {
                    sorts.check(2000, i -> i / 8, isInPlace, waits);
                    sorts.check(2000, i -> 255 - i / 8, isInPlace, waits);
                    sorts.check(2000, i -> i == 1001 ? 255 : 255 - i / 8, isInPlace, waits);
                }
            }
        }
    }

    /// A user's sort of this many elements goes this way, and its report says that it has one pass.
    @Test
    void fromACertainSizeOn() {
        int count = (1 << 17) + 5;
        byte[] keys = new byte[count];
        new Random(6).nextBytes(keys);
        long[] payloads = new long[count];
        Arrays.setAll(payloads, i -> (keys[i] & 0xffL) << 20 | i);
        try (Sorter sorter = SampleSort.onGpu()
                        .order(Order.unsigned())
                        .payload(ElementType.LONG)
                        .tuning(TUNING.with("extraPercent=130"))
                        .build(ElementType.BYTE);
                DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), count);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), 8L * count)) {
            deviceKeys.copyFrom(MemorySegment.ofArray(keys));
            devicePayloads.copyFrom(MemorySegment.ofArray(payloads));
            SortReport report = sorter.sort(deviceKeys, devicePayloads);
            assertThat(report.passes()).isEqualTo(1);
            assertThat(report.largestBucket()).isZero();
            deviceKeys.copyTo(MemorySegment.ofArray(keys));
            devicePayloads.copyTo(MemorySegment.ofArray(payloads));
        }
        boolean[] isFound = new boolean[count];
        for (int i = 0; i < count; i++) {
            assertThat(keys[i] & 0xff).as("key %d", i).isGreaterThanOrEqualTo(i == 0 ? 0 : keys[i - 1] & 0xff);
            // Unless it is the payload of another key.
            int index = (int) (payloads[i] ^ (keys[i] & 0xffL) << 20);
            assertThat(index).as("payload %d", i).isBetween(0, count - 1);
            assertThat(isFound[index]).as("payload %d, of element %d", i, index).isFalse();
            isFound[index] = true;
        }
    }

    private static void checkAll(KeyType key, ElementType payload, boolean isDescending, int... counts) {
        try (Sorts sorts = new Sorts(key, payload, isDescending, TUNING)) {
            Random random = new Random(counts.length);
            for (int count : counts) {
                sorts.check(count, i -> random.nextInt(), true, false);
            }
            sorts.check(1000, i -> -1, true, false);
            sorts.check(1000, i -> i % 97 == 0 ? 3 : 0x8001, false, false);
            // Values lack, the first and the last among them, and whole high bytes.
            sorts.check(1000, i -> 0x1105 + random.nextInt(250), false, false);
        }
    }

    /// The kernels of one element, and sorts with them.
    private static final class Sorts implements AutoCloseable {
        private final KeyType key;
        private final boolean isDescending;
        private final KernelElement element;
        private final Tuning tuning;
        private final Owned owned = new Owned();
        private final Context context;
        private final SortLauncher launcher;

        Sorts(KeyType key, ElementType payload, boolean isDescending, Tuning tuning) {
            this.key = key;
            this.isDescending = isDescending;
            this.tuning = tuning;
            element = KernelElement.of(
                    ContractTypes.elementType(key), List.of(payload), ContractTypes.order(key, isDescending), false);
            context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelCubins cubins = KernelCubins.forDevice(
                    context.device(), element, byDefault -> tuning, ReadyMade.NONE, KernelUse.NOW);
            launcher = new SortLauncher(context, owned.add(new Kernels(context, element, cubins)));
        }

        /// @param waits whether the sort may wait for the look at the order
        void check(int count, IntUnaryOperator keyOf, boolean isInPlace, boolean waits) {
            int[] keys = new int[count];
            for (int i = 0; i < count; i++) {
                keys[i] = keyOf.applyAsInt(i);
            }
            int[] sortedKeys = new int[count];
            long[] payloads = new long[count];
            sort(keys, isInPlace, waits, sortedKeys, payloads);
            String what = "%s+%d bytes, %s, %d elements, in place %s"
                    .formatted(
                            key, element.payloadBytes(), isDescending ? "descending" : "ascending", count, isInPlace);
            long[] expected = new long[count];
            long[] actual = new long[count];
            for (int i = 0; i < count; i++) {
                expected[i] = rank(keys[i]) << Integer.SIZE | payload(i);
                actual[i] = rank(sortedKeys[i]) << Integer.SIZE | payloads[i];
                if (i > 0) {
                    assertThat(actual[i] >>> Integer.SIZE)
                            .as("rank of key %d of %s", i, what)
                            .isGreaterThanOrEqualTo(actual[i - 1] >>> Integer.SIZE);
                }
            }
            Arrays.sort(expected);
            Arrays.sort(actual);
            assertThat(actual).as("pairs of %s", what).isEqualTo(expected);
        }

        /// Returns the payload of an element of the input, which tells elements apart as far as it can.
        private long payload(int index) {
            return index & (1L << Byte.SIZE * Math.min(element.payloadBytes(), 3)) - 1;
        }

        /// Returns the place of a key's value among all values.
        private long rank(int key) {
            int values = 1 << Byte.SIZE * element.keyBytes();
            int unsigned = key & values - 1;
            int ascending = this.key.isUnsigned() ? unsigned : unsigned ^ values / 2;
            return isDescending ? values - 1 - ascending : ascending;
        }

        /// Sorts elements that lie at odd places.
        private void sort(int[] keys, boolean isInPlace, boolean waits, int[] sortedKeys, long[] payloads) {
            int count = keys.length;
            int keyBytes = element.keyBytes();
            long bytes = (long) count * element.payloadBytes();
            try (Owned memory = new Owned()) {
                Stream stream = memory.add(Stream.create(context));
                MemorySegment host = memory.add(PinnedMemory.allocate(context, bytes + (long) count * keyBytes))
                        .segment();
                DeviceElements input = allocate(memory, count, 3);
                DeviceElements output = isInPlace ? input : allocate(memory, count, 1);
                MemorySegment hostPayloads = host.asSlice(0, bytes);
                MemorySegment hostKeys = host.asSlice(bytes);
                for (int i = 0; i < count; i++) {
                    put(hostKeys, keyBytes, i, keys[i]);
                    put(hostPayloads, element.payloadBytes(), i, payload(i));
                }
                stream.copyToDevice(input.keys(), hostKeys, hostKeys.byteSize());
                stream.copyToDevice(input.payloads(), hostPayloads, bytes);
                MemorySegment told = memory.add(PinnedMemory.allocate(context, HostWait.BYTES))
                        .segment();
                HostWait wait = waits ? HostWait.forOrder(told) : HostWait.forBucket(told);
                new ByteSort(count, element, tuning)
                        .enqueue(new SortCall(launcher, stream, input, output, PhaseTimer.none(), wait, 0));
                stream.copyToHost(hostKeys, output.keys(), hostKeys.byteSize());
                stream.copyToHost(hostPayloads, output.payloads(), bytes);
                stream.synchronize();
                assertThat(wait.largestBucket())
                        .as("the largest bucket that needs sorting")
                        .isZero();
                for (int i = 0; i < count; i++) {
                    sortedKeys[i] = (int) get(hostKeys, keyBytes, i);
                    payloads[i] = get(hostPayloads, element.payloadBytes(), i);
                }
            }
        }

        /// @param before elements in front of those that are sorted, in allocations of their own
        private DeviceElements allocate(Owned memory, int count, int before) {
            long[] addresses = new long[2];
            int[] sizes = {element.keyBytes(), element.payloadBytes()};
            for (int column = 0; column < 2; column++) {
                long bytes = (long) (before + count) * sizes[column];
                addresses[column] =
                        memory.add(DeviceAllocation.allocate(context, bytes)).address() + (long) before * sizes[column];
            }
            return new DeviceElements(addresses[0], addresses[1]);
        }

        @Override
        public void close() {
            owned.close();
        }
    }

    private static void put(MemorySegment segment, int bytes, int index, long value) {
        for (int i = 0; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, (long) index * bytes + i, (byte) (value >>> Byte.SIZE * i));
        }
    }

    private static long get(MemorySegment segment, int bytes, int index) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (segment.get(ValueLayout.JAVA_BYTE, (long) index * bytes + i) & 0xffL) << Byte.SIZE * i;
        }
        return value;
    }
}
