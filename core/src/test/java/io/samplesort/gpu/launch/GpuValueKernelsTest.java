package io.samplesort.gpu.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelUse;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.sort.CountedSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortCall;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts by counting: at every alignment, with more keys of one value than a counter holds, and where shared memory is
/// too small for the counters of all values.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuValueKernelsTest {
    private static final int ALL_BYTES = 129 << 10;
    private static final int MOST_BYTES = 227 << 10;
    private static final int FEW_BYTES = 16 << 10;

    @Test
    void keysOf8Bits() {
        Random random = new Random(1);
        byte[] keys = new byte[5000];
        random.nextBytes(keys);
        for (int available : new int[] {ALL_BYTES, FEW_BYTES}) {
            for (int[] range : new int[][] {{0, 5000}, {1, 4998}, {15, 800}, {31, 1}, {3, 12}, {7, 10}}) {
                byte[] part = Arrays.copyOfRange(keys, range[0], range[0] + range[1]);
                Arrays.sort(part);
                byte[] whole = keys.clone();
                System.arraycopy(part, 0, whole, range[0], part.length);
                MemorySegment sorted = sorted(
                        ElementType.BYTE,
                        Order.natural(),
                        MemorySegment.ofArray(keys),
                        range[0],
                        range[1],
                        available,
                        false);
                assertThat(sorted.toArray(ValueLayout.JAVA_BYTE))
                        .as("%d keys from %d on with %d bytes of shared memory", range[1], range[0], available)
                        .isEqualTo(whole);
            }
        }
    }

    @Test
    void keysOf16Bits() {
        Random random = new Random(2);
        short[] keys = new short[3001];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (short) (i % 2 == 0 ? random.nextInt() : random.nextInt(4));
        }
        for (int available : new int[] {ALL_BYTES, FEW_BYTES}) {
            for (int begin : new int[] {0, 1, 7}) {
                boolean hasWideTotals = begin == 7;
                short[] expected = keys.clone();
                sortDescending(expected, begin);
                MemorySegment sorted = sorted(
                        ElementType.SHORT,
                        Order.natural().reversed(),
                        MemorySegment.ofArray(keys),
                        begin,
                        keys.length - begin,
                        available,
                        hasWideTotals);
                assertThat(sorted.toArray(ValueLayout.JAVA_SHORT_UNALIGNED))
                        .as("keys from %d on with %d bytes of shared memory", begin, available)
                        .isEqualTo(expected);
            }
        }
    }

    /// Counters of 16 bits overflow, the lower and the upper one of a word, in words of one value and key by key; the
    /// lower one also carries into an upper one that is as large as can be.
    @Test
    void moreThanACounterHolds() {
        checkMoreThanACounterHolds(false);
    }

    @Test
    @Tag("exhaustive")
    void moreThanACounterHoldsWithOtherTotals() {
        checkMoreThanACounterHolds(true);
    }

    private static void checkMoreThanACounterHolds(boolean isOtherTotals) {
        short[] keys = new short[240_000];
        for (int i = 0; i < keys.length; i++) {
            boolean isEven = i % 2 == 0;
            keys[i] = (short) (i < 65_535 ? 7 : i < 131_100 ? 6 : isEven ? -1 : i % 16 == 1 ? 0x7ffe : 0x7fff);
        }
        short[] expected = keys.clone();
        sortDescending(expected, 0);
        // With the most memory, the values that most keys have are counted by each lane.
        for (int available : new int[] {ALL_BYTES, MOST_BYTES, FEW_BYTES}) {
            boolean hasWideTotals = (available == MOST_BYTES) != isOtherTotals;
            MemorySegment sorted = sorted(
                    ElementType.SHORT,
                    Order.natural().reversed(),
                    MemorySegment.ofArray(keys),
                    0,
                    keys.length,
                    available,
                    hasWideTotals);
            assertThat(sorted.toArray(ValueLayout.JAVA_SHORT_UNALIGNED))
                    .as("%d bytes of shared memory, wide totals %s", available, hasWideTotals)
                    .isEqualTo(expected);
        }
    }

    private static void sortDescending(short[] keys, int begin) {
        Arrays.sort(keys, begin, keys.length);
        for (int low = begin, high = keys.length - 1; low < high; low++, high--) {
            short other = keys[low];
            keys[low] = keys[high];
            keys[high] = other;
        }
    }

    /// Returns `keys` with `count` of them sorted, from `begin` on.
    ///
    /// @param hasWideTotals whether each total has a word of its own, as from 2^32 keys on
    private static MemorySegment sorted(
            ElementType type,
            Order order,
            MemorySegment keys,
            int begin,
            int count,
            int available,
            boolean hasWideTotals) {
        KernelElement element = KernelElement.of(type, List.of(), order, false);
        try (Owned owned = new Owned()) {
            Context context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelCubins cubins = KernelCubins.forDevice(
                    context.device(), element, tuning -> GpuContractTest.TINY, ReadyMade.NONE, KernelUse.NOW);
            // Blocks of one multiprocessor count more keys each.
            KernelModules modules = owned.add(new KernelModules(context, cubins, 1));
            SharedMemory sharedMemory = new SharedMemory(element, GpuContractTest.TINY);
            long sharedBelow = hasWideTotals ? 0 : ValueKernels.SHARED_BELOW;
            ValueKernels kernels =
                    new ValueKernels(new KernelTable(modules), element, sharedMemory, available, sharedBelow);
            Stream stream = owned.add(Stream.create(context));
            MemorySegment host =
                    owned.add(PinnedMemory.allocate(context, keys.byteSize())).segment();
            long device = owned.add(DeviceAllocation.allocate(context, keys.byteSize()))
                    .address();
            host.copyFrom(keys);
            stream.copyToDevice(device, host, keys.byteSize());
            CountedSort sort = new CountedSort(count, element, GpuContractTest.TINY);
            DeviceElements part = new DeviceElements(device + (long) begin * type.byteSize(), 0);
            SortCall call = new SortCall(null, stream, part, part, PhaseTimer.none(), HostWait.none(), 0);
            try (Workspace workspace = new Workspace(context, stream, sort.memory(), 0)) {
                sort.launch(call, kernels, workspace);
            }
            stream.copyToHost(host, device, keys.byteSize());
            stream.synchronize();
            return MemorySegment.ofArray(host.toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
