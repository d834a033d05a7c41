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
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.PageStore;
import io.samplesort.gpu.code.KernelStructs.Pages;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.KernelStructs.RegionLimits;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelUse;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.sort.PageShape;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the GPU decides behind the first pass, on buckets of any sizes and with their pages anywhere.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuRegionPlanTest {
    private static final int BUCKETS = 16;
    private static final int SEGMENTS = 256;
    private static final int REGIONS = 200;
    private static final int WORK_PAGES = 40;
    private static final int AREA_PAGES = BUCKETS + 2;
    private static final int TRIALS = 60;
    private static final long PART_BUCKETS = 3;
    private static final int NOBODY = -1;

    private final Owned owned = new Owned();
    private Kernels kernels;
    private Stream stream;
    private MemorySegment pinned;
    private long device;

    /// Where a trial has its arrays.
    private long taken;

    @Test
    void everyRegionGetsItsPlace() {
        try (owned) {
            Context context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelElement element = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
            KernelCubins cubins = KernelCubins.forDevice(
                    context.device(), element, tuning -> GpuContractTest.TINY, ReadyMade.NONE, KernelUse.NOW);
            kernels = owned.add(new Kernels(context, element, cubins));
            stream = owned.add(Stream.create(context));
            long bytes = 1 << 20;
            pinned = owned.add(PinnedMemory.allocate(context, bytes)).segment();
            device = owned.add(DeviceAllocation.allocate(context, bytes)).address();
            stream.fill(device, (byte) 0, bytes);
            SplittableRandom random = new SplittableRandom(7);
            for (int trial = 0; trial < TRIALS; trial++) {
                long tiles = random.nextLong(20, 200);
                int tileSize = GpuContractTest.TINY.tileSize();
                check(new PageShape(tiles * tileSize + random.nextInt(tileSize), tileSize, random.nextInt(3)), random);
            }
        }
    }

    private void check(PageShape shape, SplittableRandom random) {
        long[] sizes = sizes(shape.count(), random);
        byte[] marks = new byte[BUCKETS];
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            marks[bucket] = (byte) (random.nextInt(3) == 0 ? KernelConstants.IS_EQUALITY : 0);
        }
        long most = shape.pageSize() * random.nextInt(1, 40);
        long room = most * 3 / 2 + PART_BUCKETS + random.nextLong(most);
        int mostSegments = random.nextInt(1, 40);
        taken = 0;
        long plan = array(RegionPlan.bytes(REGIONS));
        long[] first = new StructValues<>(Pass.values())
                .set(Pass.LOG_BUCKET_COUNT, Integer.numberOfTrailingZeros(BUCKETS))
                .set(Pass.WRITE_POSITIONS, upload(sizes))
                .set(Pass.BUCKET_MARKS, upload(marks))
                .set(Pass.OVERFLOWS, upload(new int[1]))
                .setOthers(0)
                .toArray();
        long offsets = array((SEGMENTS + 1L) * Long.BYTES);
        long begins = array((long) SEGMENTS * Long.BYTES);
        long partBegins = array((long) SEGMENTS * Long.BYTES);
        long partEnds = array((long) SEGMENTS * Long.BYTES);
        long segmentMarks = array(SEGMENTS);
        long[] second = new StructValues<>(Pass.values())
                .set(Pass.SEGMENT_OFFSETS, offsets)
                .set(Pass.SEGMENT_BEGINS, begins)
                .set(Pass.SEGMENT_MOVED, array((long) SEGMENTS * Long.BYTES))
                .set(Pass.SEGMENT_MARKS, segmentMarks)
                .set(Pass.PART_BEGINS, partBegins)
                .set(Pass.PART_ENDS, partEnds)
                .setOthers(0)
                .toArray();
        long[] limits = new StructValues<>(RegionLimits.values())
                .set(RegionLimits.SEGMENTS, SEGMENTS)
                .set(RegionLimits.REGIONS, REGIONS)
                .set(RegionLimits.ELEMENTS, most)
                .set(RegionLimits.REGION_SEGMENTS, mostSegments)
                .set(RegionLimits.REGION_ROOM, room)
                .set(RegionLimits.PART_ROOM, KernelConstants.ROOM_UNIT * 3 / 2)
                .set(RegionLimits.PART_BUCKETS, PART_BUCKETS)
                .toArray();
        long[] pages = new StructValues<>(Pages.values())
                .set(Pages.LOG_TILES, shape.logTiles())
                .set(Pages.ARRAY_PAGES, shape.arrayPages())
                .setOthers(0)
                .toArray();
        kernels.of("plan_regions")
                .with(pages, first, second, limits)
                .values(plan)
                .launch(stream, 1);
        List<Integer> expected = pages(shape, sizes);
        int[] owners = owners(shape, expected, random);
        int[] places = new int[owners.length];
        int[] listed = new int[expected.size()];
        int[] free = new int[Math.ceilDiv(owners.length, Integer.SIZE)];
        for (int page = 0; page < owners.length; page++) {
            places[page] = expected.indexOf(owners[page]);
            if (places[page] != NOBODY) {
                listed[places[page]] = page;
            } else if (page < shape.wholePages() || page >= shape.arrayPages()) {
                free[page / Integer.SIZE] |= 1 << page;
            }
        }
        long[] store = new StructValues<>(PageStore.values())
                .set(PageStore.OWNERS, upload(places))
                .set(PageStore.FREE_PAGES, upload(free))
                .set(PageStore.PAGE_COUNT, owners.length)
                .set(PageStore.WHOLE_PAGES, shape.wholePages())
                .setOthers(0)
                .toArray();
        long list = array((long) listed.length * Integer.BYTES);
        long moves = array((long) owners.length * KernelStructs.PAGE_MOVE_BYTES);
        kernels.of("plan_moves")
                .ofShared(SharedMemory.planMoves(BUCKETS, REGIONS, shape.arrayPages() + AREA_PAGES))
                .with(pages, store, first)
                .values(upload(listed), list, moves, plan, AREA_PAGES, REGIONS)
                .launch(stream, 1);
        RegionPlan regions = new RegionPlan(MemorySegment.ofArray(longs(plan, RegionPlan.bytes(REGIONS) / Long.BYTES)));
        assertThat(regions.isComplete()).isTrue();
        boolean isInOrder = checkRegions(
                shape,
                sizes,
                marks,
                limits,
                regions,
                new long[][] {
                    longs(offsets, SEGMENTS + 1),
                    longs(begins, SEGMENTS),
                    longs(partBegins, SEGMENTS),
                    longs(partEnds, SEGMENTS)
                },
                download(segmentMarks, SEGMENTS).toArray(ValueLayout.JAVA_BYTE));
        assertThat(regions.isInOrder()).isEqualTo(isInOrder);
        int[] finalList = download(list, (long) listed.length * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
        checkMoves(shape, sizes, regions, owners, expected, finalList, longs(moves, 3L * owners.length));
    }

    /// Makes segments and regions again, and compares. Returns whether segments are in order.
    private static boolean checkRegions(
            PageShape shape,
            long[] sizes,
            byte[] marks,
            long[] limits,
            RegionPlan regions,
            long[][] found,
            byte[] segmentMarks) {
        long most = limits[RegionLimits.ELEMENTS.ordinal()];
        long room = limits[RegionLimits.REGION_ROOM.ordinal()];
        boolean isInOrder = true;
        int region = NOBODY;
        int segment = 0;
        long place = 0;
        long page = 0;
        long inRegion = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            for (long done = 0; done < sizes[bucket]; done += most) {
                long count = Math.min(most, sizes[bucket] - done);
                long part = room(count);
                boolean begins = region == NOBODY
                        || inRegion + part > room
                        || segment - regions.group(region).begin() == limits[RegionLimits.REGION_SEGMENTS.ordinal()];
                if (begins) {
                    region++;
                    inRegion = 0;
                    assertThat(regions.group(region).begin()).isEqualTo(segment);
                    assertThat(regions.group(region).place()).isEqualTo(place);
                }
                assertThat(found[0][segment]).isEqualTo(place);
                assertThat(found[1][segment]).isEqualTo(page * shape.pageSize() + done);
                assertThat(found[2][segment]).isEqualTo(inRegion);
                assertThat(found[3][segment]).isEqualTo(inRegion + part);
                assertThat(segmentMarks[segment]).isEqualTo(marks[bucket]);
                isInOrder &= marks[bucket] != 0 || count == sizes[bucket];
                inRegion += part;
                place += count;
                segment++;
                if (regions.group(region).end() == segment) {
                    assertThat(regions.group(region).place() + regions.count(region))
                            .isEqualTo(place);
                }
            }
            page += shape.pagesFor(sizes[bucket]);
        }
        assertThat(regions.regionCount()).isEqualTo(region + 1);
        assertThat(found[0][SEGMENTS]).isEqualTo(shape.count());
        return isInOrder;
    }

    private static long room(long count) {
        return count * 3 / 2 + PART_BUCKETS;
    }

    /// Moves pages as the plan says, and takes regions in their order.
    private static void checkMoves(
            PageShape shape,
            long[] sizes,
            RegionPlan regions,
            int[] owners,
            List<Integer> expected,
            int[] list,
            long[] moves) {
        Map<Integer, Integer> content = new HashMap<>();
        Map<Integer, Integer> inWork = new HashMap<>();
        for (int page = 0; page < owners.length; page++) {
            if (owners[page] != NOBODY) {
                (page < shape.arrayPages() ? content : inWork).put(page, owners[page]);
            }
        }
        long next = move(moves, 0, regions.settled(), inWork, content, shape, sizes);
        assertThat(inWork).isEmpty();
        int place = 0;
        for (int region = 0; region < regions.regionCount(); region++) {
            if (!regions.areMovesBehind(region)) {
                next = move(moves, next, regions.moves(region), content, content, shape, sizes);
            }
            long end = regions.group(region).place() + regions.count(region);
            long pagesBefore = 0;
            long elements = 0;
            for (int bucket = 0; bucket < BUCKETS && elements < end; bucket++) {
                long of = Math.min(sizes[bucket], end - elements);
                pagesBefore += shape.pagesFor(of);
                elements += sizes[bucket];
            }
            for (; place < pagesBefore; place++) {
                assertThat(content.remove(list[place])).isEqualTo(expected.get(place));
            }
            if (regions.areMovesBehind(region)) {
                next = move(moves, next, regions.moves(region), content, content, shape, sizes);
            }
            for (int page : content.keySet()) {
                assertThat(page * shape.pageSize() >= end)
                        .as("page %d before %d", page, end)
                        .isTrue();
            }
        }
        assertThat(content).isEmpty();
    }

    /// Moves the pages of a step. Nothing may lie where they go.
    private static long move(
            long[] moves,
            long first,
            long count,
            Map<Integer, Integer> from,
            Map<Integer, Integer> to,
            PageShape shape,
            long[] sizes) {
        for (long move = first; move < first + count; move++) {
            int target = (int) moves[(int) (3 * move + 1)];
            assertThat(target < shape.wholePages() || target >= shape.arrayPages())
                    .isTrue();
            assertThat(target).isLessThan(shape.arrayPages() + AREA_PAGES);
            Integer page = from.remove((int) moves[(int) (3 * move)]);
            assertThat(page).isNotNull();
            long before = (page & (1L << KernelConstants.PAGE_BITS) - 1) * shape.pageSize();
            assertThat(moves[(int) (3 * move + 2)])
                    .isEqualTo(Math.min(shape.pageSize(), sizes[page >> KernelConstants.PAGE_BITS] - before));
            assertThat(to.put(target, page)).isNull();
        }
        return first + count;
    }

    private static long[] sizes(long count, SplittableRandom random) {
        long[] sizes = new long[BUCKETS];
        long left = count;
        for (int bucket = 0; bucket + 1 < BUCKETS; bucket++) {
            sizes[bucket] = random.nextInt(4) == 0 ? 0 : random.nextLong(left / random.nextInt(1, 20) + 1);
            left -= sizes[bucket];
        }
        sizes[BUCKETS - 1] = left;
        return sizes;
    }

    /// Returns the pages of all buckets, one behind the other.
    private static List<Integer> pages(PageShape shape, long[] sizes) {
        List<Integer> pages = new ArrayList<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            for (int number = 0; number < shape.pagesFor(sizes[bucket]); number++) {
                pages.add(bucket << KernelConstants.PAGE_BITS | number);
            }
        }
        return pages;
    }

    /// Puts the pages of all buckets anywhere, but not to where the array has no whole page.
    private static int[] owners(PageShape shape, List<Integer> pages, SplittableRandom random) {
        int[] owners = new int[2 * shape.arrayPages() + WORK_PAGES];
        Arrays.fill(owners, NOBODY);
        for (int page : pages) {
            int place;
            do {
                place = random.nextInt(owners.length);
            } while (owners[place] != NOBODY || place >= shape.wholePages() && place < shape.arrayPages());
            owners[place] = page;
        }
        return owners;
    }

    private long array(long bytes) {
        long begin = taken;
        taken += Math.ceilDiv(bytes, 256L) * 256;
        return device + begin;
    }

    private long upload(Object array) {
        MemorySegment source = switch (array) {
            case long[] longs -> MemorySegment.ofArray(longs);
            case int[] ints -> MemorySegment.ofArray(ints);
            default -> MemorySegment.ofArray((byte[]) array);
        };
        long address = array(source.byteSize());
        MemorySegment.copy(source, 0, pinned, 0, source.byteSize());
        stream.copyToDevice(address, pinned, source.byteSize());
        stream.synchronize();
        return address;
    }

    private MemorySegment download(long address, long bytes) {
        stream.copyToHost(pinned, address, bytes);
        stream.synchronize();
        return pinned.asSlice(0, bytes);
    }

    private long[] longs(long address, long count) {
        return download(address, count * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    }
}
