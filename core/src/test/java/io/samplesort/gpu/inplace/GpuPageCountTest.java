package io.samplesort.gpu.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.Pages;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelUse;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.sort.PageShape;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The room that buckets get by a sample that one or several blocks count. The emulated GPU is so small that each
/// segment of a sort has one.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuPageCountTest {
    private static final int BUCKETS = 8;
    private static final int SEGMENTS = 3;
    private static final int TILES_A_SEGMENT = 12;
    private static final int COUNTED = 1000;
    private static final int MOST_PARTS = 4;

    private Stream stream;
    private MemorySegment pinned;
    private long device;
    private long taken;

    @Test
    void blocksCountTogether() {
        try (Owned owned = new Owned()) {
            Context context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelElement element = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
            KernelCubins cubins = KernelCubins.forDevice(
                    context.device(), element, tuning -> GpuContractTest.TINY, ReadyMade.NONE, KernelUse.NOW);
            Kernels kernels = owned.add(new Kernels(context, element, cubins));
            stream = owned.add(Stream.create(context));
            long bytes = 1 << 18;
            pinned = owned.add(PinnedMemory.allocate(context, bytes)).segment();
            device = owned.add(DeviceAllocation.allocate(context, bytes)).address();
            long[][] alone = rooms(kernels, 1);
            long all = alone[1][SEGMENTS * BUCKETS - 1];
            assertThat(all).isGreaterThan(segmentSize() * SEGMENTS);
            for (int parts = 2; parts <= MOST_PARTS; parts++) {
                assertThat(rooms(kernels, parts)).as("%d parts", parts).isDeepEqualTo(alone);
            }
        }
    }

    private static long segmentSize() {
        return (long) TILES_A_SEGMENT * GpuContractTest.TINY.tileSize();
    }

    /// Returns where the room of each bucket begins and ends, what is said to be written there, and the overflows.
    private long[][] rooms(Kernels kernels, int parts) {
        stream.fill(device, (byte) 0, pinned.byteSize());
        taken = 0;
        int tileSize = GpuContractTest.TINY.tileSize();
        long count = segmentSize() * SEGMENTS;
        PageShape shape = new PageShape(count, tileSize, 0);
        SplittableRandom random = new SplittableRandom(11);
        // The larger half of the keys is in the last bucket.
        long array = upload(random.longs(count, 0, 2 * BUCKETS).toArray());
        long[] list = random.ints(0, shape.arrayPages())
                .distinct()
                .limit(shape.arrayPages())
                .asLongStream()
                .toArray();
        long[] offsets = new long[SEGMENTS + 1];
        long[] trees = new long[SEGMENTS * BUCKETS];
        for (int segment = 0; segment <= SEGMENTS; segment++) {
            offsets[segment] = segment * segmentSize();
        }
        int[] heap = {0, 3, 1, 5, 0, 2, 4, 6};
        for (int node = 0; node < trees.length; node++) {
            trees[node] = heap[node % BUCKETS];
        }
        long pages = upload(ints(list));
        long begins = region((long) SEGMENTS * BUCKETS);
        long ends = region((long) SEGMENTS * BUCKETS);
        long positions = region((long) SEGMENTS * BUCKETS);
        long overflows = region(SEGMENTS);
        long[] pass = new StructValues<>(Pass.values())
                .set(Pass.ELEMENT_COUNT, count)
                .set(Pass.SEGMENT_COUNT, SEGMENTS)
                .set(Pass.LOG_BUCKET_COUNT, Integer.numberOfTrailingZeros(BUCKETS))
                .set(Pass.SEGMENT_OFFSETS, upload(offsets))
                .set(Pass.SEGMENT_BEGINS, upload(offsets))
                .set(Pass.SEGMENT_MOVED, upload(offsets))
                .set(Pass.SEGMENT_KINDS, region(SEGMENTS))
                .set(Pass.SPLITTER_TREES, upload(trees))
                .set(Pass.WRITE_POSITIONS, positions)
                .set(Pass.BUCKET_BEGINS, begins)
                .set(Pass.BUCKET_ENDS, ends)
                .set(Pass.OVERFLOWS, overflows)
                .set(Pass.INDEX, 1)
                .set(Pass.ROOM, 4L * KernelConstants.ROOM_UNIT)
                .set(Pass.SLACK, 5)
                .set(Pass.CAPACITY, 100 * count)
                .set(Pass.LOG_PART_SIZE, 2)
                .setOthers(0)
                .toArray();
        long[] inPages = new StructValues<>(Pages.values())
                .set(Pages.LIST, pages)
                .set(Pages.ARRAY_PAGES, shape.arrayPages())
                .setOthers(0)
                .toArray();
        kernels.of("count_page_sample")
                .with(new DeviceElements(array, 0).fields(), inPages, pass)
                .values(5, COUNTED, parts)
                .launch(stream, (long) SEGMENTS * parts);
        return new long[][] {
            download(begins, SEGMENTS * BUCKETS),
            download(ends, SEGMENTS * BUCKETS),
            download(positions, SEGMENTS * BUCKETS),
            download(overflows, SEGMENTS)
        };
    }

    /// Puts ints in pairs into longs.
    private static long[] ints(long[] values) {
        long[] pairs = new long[(values.length + 1) / 2];
        for (int i = 0; i < values.length; i++) {
            pairs[i / 2] |= values[i] << i % 2 * Integer.SIZE;
        }
        return pairs;
    }

    private long region(long longs) {
        long address = device + taken;
        taken += (longs + 1) * Long.BYTES;
        return address;
    }

    private long upload(long[] values) {
        long address = region(values.length);
        MemorySegment.copy(values, 0, pinned, ValueLayout.JAVA_LONG, address - device, values.length);
        stream.copyToDevice(address, pinned.asSlice(address - device), (long) values.length * Long.BYTES);
        return address;
    }

    private long[] download(long address, int count) {
        stream.copyToHost(pinned.asSlice(address - device), address, (long) count * Long.BYTES);
        stream.synchronize();
        return pinned.asSlice(address - device, (long) count * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    }
}
