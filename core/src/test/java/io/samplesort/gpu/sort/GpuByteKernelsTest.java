package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
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

/// Sorts of keys of 8 and 16 bits with payloads, which are moved by value: every size of payload, at borders of tiles
/// and at odd places of the arrays, in place and to another array, of inputs that repeat few values or lack some.
///
/// Most elements are those of [GpuContractTest], whose kernels are compiled once for both.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuByteKernelsTest {
    private static final Tuning TUNING = GpuContractTest.TINY;
    private static final int TILE = TUNING.tileSize();
    private static final int[] COUNTS = {1, 31, TILE - 1, TILE, TILE + 1, 5000};

    @Test
    void everyKeyAndPayload() {
        checkAll(KeyType.I8, ElementType.INT, true);
        checkAll(KeyType.U8, ElementType.LONG, false);
        checkAll(KeyType.U8, ElementType.BYTE, false);
        checkAll(KeyType.I16, ElementType.INT, false);
        checkAll(KeyType.U16, ElementType.LONG, true);
        checkAll(KeyType.U16, ElementType.SHORT, false);
    }

    private static void checkAll(KeyType key, ElementType payload, boolean isDescending) {
        KernelElement element = KernelElement.of(
                ContractTypes.elementType(key), List.of(payload), ContractTypes.order(key, isDescending), false);
        try (Owned owned = new Owned()) {
            Context context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelCubins cubins = KernelCubins.forDevice(context.device(), element, tuning -> TUNING, ReadyMade.NONE);
            Kernels kernels = owned.add(new Kernels(context, element, cubins));
            Random random = new Random(element.keyBytes());
            for (int count : COUNTS) {
                check(context, kernels, key, element, isDescending, count, i -> random.nextInt());
            }
            check(context, kernels, key, element, isDescending, 1000, i -> -1);
            check(context, kernels, key, element, isDescending, 1000, i -> i % 97 == 0 ? 3 : 0x8001);
            check(context, kernels, key, element, isDescending, 3000, i -> i);
            // Values lack, the first and the last among them, and whole high bytes.
            check(context, kernels, key, element, isDescending, 3000, i -> 0x1105 + random.nextInt(250));
        }
    }

    /// Sorts in place and to another array, both at odd places.
    private static void check(
            Context context,
            Kernels kernels,
            KeyType key,
            KernelElement element,
            boolean isDescending,
            int count,
            IntUnaryOperator keyOf) {
        int[] keys = new int[count];
        for (int i = 0; i < count; i++) {
            keys[i] = keyOf.applyAsInt(i);
        }
        for (boolean isInPlace : new boolean[] {true, false}) {
            int before = isInPlace ? 3 : 0;
            int[] sortedKeys = new int[count];
            long[] payloads = new long[count];
            sort(context, kernels, element, before, isInPlace, keys, sortedKeys, payloads);
            String what = "%s+%d bytes, %s, %d elements, in place %s"
                    .formatted(
                            key, element.payloadBytes(), isDescending ? "descending" : "ascending", count, isInPlace);
            long[] expected = new long[count];
            long[] actual = new long[count];
            for (int i = 0; i < count; i++) {
                expected[i] = rank(key, isDescending, keys[i]) << Integer.SIZE | payload(element, i);
                actual[i] = rank(key, isDescending, sortedKeys[i]) << Integer.SIZE | payloads[i];
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
    }

    /// Returns the payload of an element of the input, which tells elements apart as far as it can.
    private static long payload(KernelElement element, int index) {
        return index & (1L << Byte.SIZE * Math.min(element.payloadBytes(), 3)) - 1;
    }

    /// Returns the place of a key's value among all values.
    private static long rank(KeyType type, boolean isDescending, int key) {
        int values = 1 << Byte.SIZE * type.byteSize();
        int unsigned = key & values - 1;
        int ascending = type.isUnsigned() ? unsigned : unsigned ^ values / 2;
        return isDescending ? values - 1 - ascending : ascending;
    }

    /// @param before elements in front of those that are sorted, whose array begins at a multiple of 16 bytes
    private static void sort(
            Context context,
            Kernels kernels,
            KernelElement element,
            int before,
            boolean isInPlace,
            int[] keys,
            int[] sortedKeys,
            long[] payloads) {
        int count = keys.length;
        int keyBytes = element.keyBytes();
        int payloadBytes = element.payloadBytes();
        long bytes = (long) count * payloadBytes;
        try (Owned owned = new Owned()) {
            Stream stream = owned.add(Stream.create(context));
            MemorySegment host = owned.add(PinnedMemory.allocate(context, bytes + (long) count * keyBytes))
                    .segment();
            DeviceElements input = allocate(context, owned, element, before + count, before);
            DeviceElements output = isInPlace ? input : allocate(context, owned, element, before + count, before);
            MemorySegment hostPayloads = host.asSlice(0, bytes);
            MemorySegment hostKeys = host.asSlice(bytes);
            for (int i = 0; i < count; i++) {
                put(hostKeys, keyBytes, i, keys[i]);
                put(hostPayloads, payloadBytes, i, payload(element, i));
            }
            stream.copyToDevice(input.keys(), hostKeys, hostKeys.byteSize());
            stream.copyToDevice(input.payloads(), hostPayloads, bytes);
            WorkspaceLayout layout = WorkspaceLayout.ofPlaces(count, element, TUNING);
            MemorySegment largest =
                    owned.add(PinnedMemory.allocate(context, Long.BYTES)).segment();
            new Phases(context, kernels).enqueue(stream, layout, input, output, PhaseTimer.none(), largest);
            stream.copyToHost(hostKeys, output.keys(), hostKeys.byteSize());
            stream.copyToHost(hostPayloads, output.payloads(), bytes);
            stream.synchronize();
            assertThat(largest.get(ValueLayout.JAVA_LONG, 0)).isZero();
            for (int i = 0; i < count; i++) {
                sortedKeys[i] = (int) get(hostKeys, keyBytes, i);
                payloads[i] = get(hostPayloads, payloadBytes, i);
            }
        }
    }

    private static DeviceElements allocate(Context context, Owned owned, KernelElement element, int count, int before) {
        long keys = owned.add(DeviceAllocation.allocate(context, (long) count * element.keyBytes()))
                .address();
        long payloads = owned.add(DeviceAllocation.allocate(context, (long) count * element.payloadBytes()))
                .address();
        return new DeviceElements(
                keys + (long) before * element.keyBytes(), payloads + (long) before * element.payloadBytes());
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
