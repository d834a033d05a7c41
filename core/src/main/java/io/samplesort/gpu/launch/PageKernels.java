package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.PAGE_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SCAN_THREADS;
import static io.samplesort.gpu.code.KernelProgram.PAGES;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.PageMemory;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.DividingMemory;
import io.samplesort.gpu.plan.Group;
import io.samplesort.gpu.plan.Regions;
import io.samplesort.types.Tuning;

/// The kernels that only sorts in place have, with one method for each. `pages` and `store` are the structs of these
/// names in pages.cuh and page_store.cuh.
public final class PageKernels {
    /// With fewer slots than this for each block that fits the GPU at once, those blocks share the slots, and all take
    /// equally many. More blocks would all begin with what a block does once, of which a region has little to gain.
    private static final int MANY_SLOTS = 16;

    /// More pages, those of the page area included, than any sort has.
    private static final int MOST_PAGES = 1 << 17;

    /// There is memory for so many segments for each bucket of the first pass. Most buckets are one segment, so the
    /// blocks that count keys of a segment may be so many times as many.
    private static final int SEGMENTS_A_BUCKET = 2;

    /// More blocks for each segment would have little to count.
    private static final int MOST_PARTS = 8;

    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final Kernel.Mode afterPhase;
    private final Kernel beginChunk;
    private final Kernel listPages;
    private final Kernel scatterToPages;
    private final Kernel scatterFromPages;
    private final Kernel selectSplitters;
    private final Kernel countSample;
    private final Kernel scanCounts;
    private final Kernel planRegions;
    private final Kernel planMoves;
    private final Kernel movePages;
    /// How many blocks of either scatter fit the GPU at once.
    private final int residentBlocks;

    private final int moveBlocks;

    PageKernels(
            KernelModules modules,
            KernelElement element,
            Tuning tuning,
            SharedMemory sharedMemory,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.element = element;
        this.tuning = tuning;
        this.sharedMemory = sharedMemory;
        this.afterPhase = afterPhase;
        int scatterBytes = sharedMemory.scatter();
        beginChunk = modules.kernel(PAGES, "begin_chunk", PageMemory.beginChunk());
        listPages = modules.kernel(PAGES, "list_pages", PageMemory.listPages(tuning.maxBucketCount()));
        scatterToPages = modules.kernel(PAGES, "scatter_to_pages", scatterBytes);
        scatterFromPages = modules.kernel(PAGES, "scatter_from_pages", scatterBytes);
        selectSplitters = modules.kernel(PAGES, "select_page_splitters", sharedMemory.sample());
        countSample = modules.kernel(PAGES, "count_page_sample", sharedMemory.countPages(tuning.maxBucketCount()));
        scanCounts = modules.kernel(PAGES, "scan_page_counts", sharedMemory.scan());
        planRegions = modules.kernel(PAGES, "plan_regions", PageMemory.planRegions());
        planMoves = modules.kernel(
                PAGES,
                "plan_moves",
                PageMemory.planMoves(tuning.maxBucketCount(), 2 * tuning.maxBucketCount() + 1, MOST_PAGES));
        movePages = modules.kernel(PAGES, "move_pages", 0);
        int threads = tuning.distributionThreads();
        int resident = Math.min(
                scatterToPages.activeBlocksPerMultiprocessor(threads, scatterBytes),
                scatterFromPages.activeBlocksPerMultiprocessor(threads, scatterBytes));
        residentBlocks = Math.max(1, resident) * multiprocessorCount;
        moveBlocks = Math.max(1, movePages.activeBlocksPerMultiprocessor(threads, 0)) * multiprocessorCount;
    }

    /// Prepares a chunk.
    public void beginChunk(Stream stream, long[] pages, long[] store, long[] pass, boolean isFirst) {
        beginChunk.with(pages).with(store).with(pass).with(isFirst ? 1 : 0);
        beginChunk.launch(stream, 1, PAGE_THREADS, PageMemory.beginChunk(), afterPhase);
    }

    /// Lists the pages of all buckets, and says where each page stands in the list.
    ///
    /// @param list        device address of the list
    /// @param pageCount   how many pages there are
    /// @param bucketCount how many buckets
    public void listPages(
            Stream stream, long[] pages, long[] store, long[] pass, long list, int pageCount, int bucketCount) {
        listPages.with(pages).with(store).with(pass).with(list);
        int blocks = Math.ceilDiv(pageCount, PAGE_THREADS);
        listPages.launch(stream, blocks, PAGE_THREADS, PageMemory.listPages(bucketCount), afterPhase);
    }

    /// Moves the elements of a chunk to pages of their buckets.
    ///
    /// @param firstPage  the first page of the chunk, in the order of reading
    /// @param mostBlocks how many blocks there may be
    public void scatterToPages(
            DividingMemory memory,
            DeviceElements array,
            long[] pages,
            long[] store,
            long[] pass,
            int firstPage,
            int mostBlocks) {
        scatterToPages.with(array.fields()).with(pages).with(store).with(pass).with(firstPage);
        addTiles(scatterToPages, memory, 0, memory.layout().all());
        long tiles = Math.ceilDiv(pass[Pass.ELEMENT_COUNT.ordinal()], (long) tuning.tileSize());
        int blocks = (int) Math.min(tiles, Math.min(mostBlocks, residentBlocks));
        scatterToPages.launch(
                memory.stream(), blocks, tuning.distributionThreads(), sharedMemory.scatter(), afterPhase);
    }

    /// Moves the elements of segments that lie in pages to their buckets. It begins while the kernel before it ends,
    /// which must have nothing to do with these elements and their splitters. The first group waits for that kernel.
    ///
    /// @param count elements of all segments
    public void scatterFromPages(
            DividingMemory memory, Group group, long count, DeviceElements array, long[] pages, DeviceElements out) {
        scatterFromPages.with(array.fields()).with(pages).with(out.fields()).with(memory.pass(1, group));
        // Segments have as many slots as this, or one fewer (segments.cuh).
        long slots = count / tuning.tileSize() + 1 + group.end() - group.begin();
        int blocks = (int) Math.min(slots, residentBlocks);
        if (element.keepsOrder()) {
            addTiles(scatterFromPages, memory, 1, group);
        } else if (slots < (long) MANY_SLOTS * residentBlocks) {
            long share = Math.ceilDiv(slots, (long) residentBlocks);
            scatterFromPages.with(share);
            blocks = (int) Math.ceilDiv(slots, share);
        } else {
            scatterFromPages.with(0);
            blocks = Kernels.WAVES * residentBlocks;
        }
        scatterFromPages.launch(
                memory.stream(),
                blocks,
                tuning.distributionThreads(),
                sharedMemory.scatter(),
                group.number() == 0 ? Kernel.Mode.AFTER : afterPhase);
    }

    private void addTiles(Kernel scatter, DividingMemory memory, int pass, Group group) {
        if (element.keepsOrder()) {
            Regions.Counters counters = memory.layout().counters[pass];
            scatter.with(memory.address(counters.tickets()) + group.number() * (long) Integer.BYTES)
                    .with(memory.address(memory.layout().tileWords(pass, group)));
        }
    }

    /// Chooses the splitters of segments that lie in pages.
    public void selectSplitters(
            Stream on,
            DividingMemory memory,
            Group group,
            DeviceElements array,
            long[] pages,
            long seed,
            Kernels kernels) {
        long sampleCount = memory.layout().rooms.sampled(1);
        int segments = Math.toIntExact(group.end() - group.begin());
        int parts = kernels.splitters().sampleParts(segments, sampleCount);
        selectSplitters
                .with(array.fields())
                .with(pages)
                .with(memory.pass(1, group))
                .with(seed)
                .with(sampleCount)
                .with(parts);
        selectSplitters.launch(on, segments * parts, tuning.sampleThreads(), sharedMemory.sample(), Kernel.Mode.AFTER);
    }

    /// Counts a sample of segments that lie in pages, and gives their buckets room by that.
    public void countSample(
            Stream on, DividingMemory memory, Group group, DeviceElements array, long[] pages, long seed) {
        int segments = Math.toIntExact(group.end() - group.begin());
        int parts = Math.clamp(SEGMENTS_A_BUCKET * (long) residentBlocks / segments, 1, MOST_PARTS);
        int buckets = memory.layout().plan.bucketCount(1);
        long counted = memory.layout().rooms.counted(1);
        countSample(on, array, pages, memory.pass(1, group), segments, buckets, seed, counted, parts);
    }

    /// Does the same.
    ///
    /// @param segments of the pass
    /// @param buckets  of a segment
    /// @param counted  keys of a segment that are counted
    /// @param parts    how many blocks a segment has
    public void countSample(
            Stream on,
            DeviceElements array,
            long[] pages,
            long[] pass,
            int segments,
            int buckets,
            long seed,
            long counted,
            int parts) {
        countSample.with(array.fields()).with(pages).with(pass);
        countSample.with(seed).with(counted).with(parts);
        int sharedBytes = sharedMemory.countPages(buckets);
        countSample.launch(on, segments * parts, tuning.distributionThreads(), sharedBytes, Kernel.Mode.AFTER);
    }

    /// Turns the sizes of the buckets of segments that lie in pages into offsets.
    public void scanCounts(
            DividingMemory memory,
            Group group,
            DeviceElements array,
            long[] pages,
            DeviceElements out,
            Kernels kernels) {
        scanCounts
                .with(array.fields())
                .with(pages)
                .with(out.fields())
                .with(memory.pass(1, group))
                .with(kernels.queues(memory, group))
                .with(memory.layout().plan.passCount() == 2 ? 1 : 0);
        int blocks = Math.toIntExact(group.end() - group.begin());
        scanCounts.launch(memory.stream(), blocks, SCAN_THREADS, sharedMemory.scan(), afterPhase);
    }

    /// Makes segments of the buckets of a first pass, and regions of segments.
    ///
    /// @param first  the struct `Pass` of the first pass
    /// @param limits the struct `RegionLimits`
    /// @param plan   device address of a `RegionPlan`
    public void planRegions(Stream stream, long[] pages, long[] first, long[] pass, long[] limits, long plan) {
        planRegions.with(pages).with(first).with(pass).with(limits).with(plan);
        planRegions.launch(stream, 1, PAGE_THREADS, PageMemory.planRegions(), afterPhase);
    }

    /// Decides which pages move.
    ///
    /// @param first       the struct `Pass` of the first pass
    /// @param listed      device address of the list of all pages
    /// @param list        device address of the list as it is in the end
    /// @param moves       device address of the moves
    /// @param plan        device address of a `RegionPlan`, which has the regions
    /// @param areaPages   pages of the page area
    /// @param bucketCount buckets of the first pass
    /// @param regions     how many regions there may be
    /// @param pageCount   pages of the array and of the page area
    public void planMoves(
            Stream stream,
            long[] pages,
            long[] store,
            long[] first,
            long listed,
            long list,
            long moves,
            long plan,
            int areaPages,
            int bucketCount,
            int regions,
            int pageCount) {
        planMoves
                .with(pages)
                .with(store)
                .with(first)
                .with(listed)
                .with(list)
                .with(moves)
                .with(plan)
                .with(areaPages)
                .with(regions);
        int bytes = PageMemory.planMoves(bucketCount, regions, pageCount);
        planMoves.launch(stream, 1, PAGE_THREADS, bytes, afterPhase);
    }

    /// Moves pages.
    ///
    /// @param from      the pages that are moved, and `to` those that they go to
    /// @param moves     device address of the `PageMove`
    /// @param moveCount device address of their number
    /// @param most      how many there may be
    /// @param tiles     how many tiles a page has
    /// @param isApart   whether these pages have nothing to do with the kernel before
    public void movePages(
            Stream stream,
            DeviceElements array,
            long[] from,
            long[] to,
            long moves,
            long moveCount,
            long most,
            long tiles,
            boolean isApart) {
        movePages
                .with(array.fields())
                .with(from)
                .with(to)
                .with(moves)
                .with(moveCount)
                .with(isApart ? 1 : 0);
        int blocks = (int) Math.min(most * tiles, moveBlocks);
        movePages.launch(stream, blocks, tuning.distributionThreads(), 0, afterPhase);
    }
}
