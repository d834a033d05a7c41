package io.samplesort.gpu.sort;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.Group;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.gpu.launch.Workspace;

/// The first pass of a sort in place: chunk after chunk, all elements move to pages of their buckets. No method waits.
public final class PagePass implements AutoCloseable {
    private static final byte NOBODY = -1;

    private final DeviceSort sort;
    private final PageArray array;
    private final ChunkPlan plan;
    private final DividingMemory memory;
    private final long store;
    private final long[] beside;

    /// Prepares the pass. This allocates no memory.
    ///
    /// @param beside device addresses of the columns of the pages outside the array
    /// @param memory [#byteSize]
    public PagePass(
            DeviceSort sort, Stream stream, PageArray array, ChunkPlan plan, long[] beside, DeviceAllocation memory) {
        this.sort = sort;
        this.array = array;
        this.plan = plan;
        this.beside = beside;
        DividingLayout layout = layout(sort, plan);
        store = memory.address() + layout.byteSize();
        this.memory = new DividingMemory(new Workspace(stream, layout.memory, memory), layout, array.elements());
    }

    private static DividingLayout layout(DeviceSort sort, ChunkPlan plan) {
        SortPlan pass = SortPlan.ofFirstPass(plan.mostOfAChunk(), plan.logBuckets());
        return DividingLayout.ofExchange(pass, sort.element(), sort.tuning());
    }

    /// Returns the device memory of a pass in addition to the pages.
    public static long byteSize(DeviceSort sort, ChunkPlan plan) {
        return layout(sort, plan).byteSize() + plan.storeBytes();
    }

    /// Takes the splitters from a sorted sample, and puts all chunks on the stream.
    ///
    /// @param sample device address of sorted keys in the user's form
    /// @param ranks  device address of the rank of each splitter there, as ints
    public void divide(long sample, long ranks) {
        Stream stream = memory.stream();
        sort.kernels().dividing().plantTree(memory, sample, ranks);
        stream.fill(ChunkPlan.owners(store), NOBODY, plan.ownerBytes());
        stream.fill(plan.zeroed(store), (byte) 0, plan.zeroedBytes());
        long[] fields = plan.fields(store);
        long[] pages = array.pages(0, beside);
        for (int chunk = 0; chunk < plan.chunks(); chunk++) {
            long[] pass = memory.pass(0, memory.layout().all());
            pass[Pass.ELEMENT_COUNT.ordinal()] = plan.count(chunk);
            if (chunk > 0) {
                forgetTiles();
            }
            kernel("begin_chunk").with(pages, fields, pass).flag(chunk == 0).launch(stream, 1);
            scatterToPages(pages, fields, pass, chunk);
        }
    }

    /// Moves the elements of a chunk to pages of their buckets.
    private void scatterToPages(long[] pages, long[] fields, long[] pass, int chunk) {
        KernelLaunch scatter = kernel("scatter_to_pages")
                .with(array.elements().fields(), pages, fields, pass)
                .values(plan.firstPage(chunk));
        if (plan.isInOrder()) {
            Group all = memory.layout().all();
            scatter.values(memory.tickets(0, all), memory.tileWords(0, all));
        }
        long tiles = Math.ceilDiv(plan.count(chunk), (long) sort.tuning().tileSize());
        int mostBlocks = Math.min(plan.mostBlocks(), PageSort.residentBlocks(sort.kernels()));
        scatter.launch(memory.stream(), Math.min(tiles, mostBlocks));
    }

    /// Makes segments and regions of the buckets, and lists their pages.
    ///
    /// @param passes the passes after this one
    /// @param limits the struct `RegionLimits` of region_plan.cuh
    /// @param plan   device address for the `RegionPlan`
    /// @param listed device address for the list
    public void planRegions(PageSort passes, long[] limits, long plan, long listed) {
        long[] pages = array.pages(0, beside);
        kernel("plan_regions")
                .with(pages, memory.firstPass(), passes.secondPass(), limits)
                .values(plan)
                .launch(memory.stream(), 1);
        // This also writes the place of each page in the list.
        kernel("list_pages")
                .ofShared(SharedMemory.listPages(this.plan.bucketCount()))
                .with(pages, this.plan.fields(store), memory.firstPass())
                .values(listed)
                .launch(memory.stream(), Math.ceilDiv(this.plan.pageCount(), KernelConstants.PAGE_THREADS));
    }

    /// Decides which pages move.
    ///
    /// @param listed    device address of the list of all pages
    /// @param list      device address for the final list
    /// @param moves     device address for the moves
    /// @param regions   the most regions that there may be
    /// @param areaPages pages of the page area
    public void planMoves(long listed, long list, long moves, long plan, int regions, int areaPages) {
        int pageCount = array.shape().arrayPages() + areaPages;
        kernel("plan_moves")
                .ofShared(SharedMemory.planMoves(this.plan.bucketCount(), regions, pageCount))
                .with(array.pages(0, beside), this.plan.fields(store), memory.firstPass())
                .values(listed, list, moves, plan, areaPages, regions)
                .launch(memory.stream(), 1);
    }

    private KernelLaunch kernel(String name) {
        return sort.kernels().of(name);
    }

    /// Clears the counts of tiles before a chunk, if elements keep their order.
    private void forgetTiles() {
        if (plan.isInOrder()) {
            DividingLayout layout = memory.layout();
            Stream stream = memory.stream();
            stream.fill(memory.address(layout.counters[0].tickets()), (byte) 0, Integer.BYTES);
            long[] words = layout.tileWordsOfAGroup(0);
            stream.fill(memory.address(words[0]), (byte) 0, words[1]);
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
