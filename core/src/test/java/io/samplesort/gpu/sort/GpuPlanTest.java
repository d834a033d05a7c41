package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.samplesort.gpu.launch.Rooms;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts by plans that only inputs of hundreds of millions of elements have, on a few thousand: a first pass with more
/// buckets than a block of the scan has threads, and many passes.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuPlanTest {
    private static final Tuning TUNING =
            GpuContractTest.TINY.with("distributionThreads=128,maxBucketCount=4096,sampleThreads=256,smallSortCells=0");
    private static final KernelElement ELEMENT =
            KernelElement.of(ElementType.LONG, List.of(ElementType.INT), Order.natural(), false);

    private static final int MOST = Integer.MAX_VALUE;

    @Test
    void sortsByPlansOfManyBucketsAndPasses() {
        check(new int[][] {{10, 1}, {1, 1, 1, 1, 1, 1, 1}}, 0, MOST);
    }

    @Test
    @Tag("exhaustive")
    void sortsByAnyPlan() {
        check(new int[][] {{10, 1}, {9, 4}, {1, 9}, {1, 1, 1, 1, 1, 1, 1}}, 0, 1, 3, MOST);
    }

    private static void check(int[][] plans, int... groupCounts) {
        long[] keys = new SplittableRandom(5).longs(6000).toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Owned owned = new Owned()) {
            Context context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelCubins cubins =
                    KernelCubins.forDevice(context.device(), ELEMENT, tuning -> TUNING, ReadyMade.NONE, KernelUse.NOW);
            Kernels kernels = owned.add(new Kernels(context, ELEMENT, cubins));
            Stream stream = owned.add(Stream.create(context));
            long bytes = keys.length * 8L;
            MemorySegment host =
                    owned.add(PinnedMemory.allocate(context, bytes)).segment();
            long device = owned.add(DeviceAllocation.allocate(context, bytes)).address();
            long payloads =
                    owned.add(DeviceAllocation.allocate(context, bytes / 2)).address();
            stream.fill(payloads, (byte) 0, bytes / 2);
            for (int[] logBucketCounts : plans) {
                SortPlan plan = new SortPlan(keys.length, logBucketCounts);
                for (int groups : groupCounts) {
                    host.copyFrom(MemorySegment.ofArray(keys));
                    stream.copyToDevice(device, host, bytes);
                    DeviceElements elements = new DeviceElements(device, payloads);
                    SortLauncher launcher = new SortLauncher(context, kernels);
                    new DividingSort(plan, ELEMENT, TUNING, Math.min(groups, Rooms.mostGroups(plan)))
                            .enqueue(new SortCall(
                                    launcher, stream, elements, elements, PhaseTimer.none(), HostWait.none(), 0));
                    stream.copyToHost(host, device, bytes);
                    stream.synchronize();
                    assertThat(host.toArray(ValueLayout.JAVA_LONG))
                            .as("plan %s, %d groups", Arrays.toString(logBucketCounts), groups)
                            .isEqualTo(expected);
                }
            }
        }
    }
}
