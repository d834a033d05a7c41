package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelConstants.PAGE_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SCAN_THREADS;
import static io.samplesort.gpu.code.KernelProgram.PAGES;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.types.Tuning;

/// The kernels that only sorts in place have, with one method for each. `pages` and `store` are the structs of these
/// names in pages.cuh.
public final class PageKernels {
    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final Kernel.Mode afterPhase;
    private final Kernel listFreePages;
    private final Kernel scatterToPages;
    private final Kernel scatterFromPages;
    private final Kernel selectSplitters;
    private final Kernel scanCounts;
    private final Kernel movePages;
    private final int scatterBlocks;
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
        listFreePages = modules.kernel(PAGES, "list_free_pages", SharedMemory.listPages());
        scatterToPages = modules.kernel(PAGES, "scatter_to_pages", scatterBytes);
        scatterFromPages = modules.kernel(PAGES, "scatter_from_pages", scatterBytes);
        selectSplitters = modules.kernel(PAGES, "select_page_splitters", sharedMemory.sample());
        scanCounts = modules.kernel(PAGES, "scan_page_counts", sharedMemory.scan());
        movePages = modules.kernel(PAGES, "move_pages", 0);
        int threads = tuning.distributionThreads();
        int resident = Math.min(
                scatterToPages.activeBlocksPerMultiprocessor(threads, scatterBytes),
                scatterFromPages.activeBlocksPerMultiprocessor(threads, scatterBytes));
        scatterBlocks = Math.max(1, resident) * multiprocessorCount * (element.keepsOrder() ? 1 : Kernels.WAVES);
        moveBlocks = Math.max(1, movePages.activeBlocksPerMultiprocessor(threads, 0)) * multiprocessorCount;
    }

    /// Lists the free pages before a chunk, and gives each bucket its range of them.
    void listFreePages(Stream stream, long[] pages, long[] store, long[] pass, int chunk) {
        listFreePages.with(pages).with(store).with(pass).with(chunk);
        listFreePages.launch(stream, 1, PAGE_THREADS, SharedMemory.listPages(), Kernel.Mode.AFTER);
    }

    /// Moves the elements of a chunk to pages of their buckets.
    void scatterToPages(Workspace workspace, DeviceElements array, long[] pages, long[] store, long[] pass) {
        scatterToPages.with(array.fields()).with(pages).with(store).with(pass);
        addTiles(scatterToPages, workspace, 0, workspace.layout().all());
        long slots = pass[Pass.ELEMENT_COUNT.ordinal()] / tuning.tileSize() + 1;
        launchScatter(scatterToPages, workspace, slots);
    }

    /// Moves the elements of segments that lie in pages to their buckets.
    void scatterFromPages(Workspace workspace, Group group, DeviceElements array, long[] pages, DeviceElements out) {
        scatterFromPages.with(array.fields()).with(pages).with(out.fields()).with(workspace.pass(1, group));
        addTiles(scatterFromPages, workspace, 1, group);
        // What the segments of a group have is on the device, and blocks without a tile end at once.
        launchScatter(scatterFromPages, workspace, Long.MAX_VALUE);
    }

    private void addTiles(Kernel scatter, Workspace workspace, int pass, Group group) {
        if (element.keepsOrder()) {
            Regions.Counters counters = workspace.layout().counters[pass];
            scatter.with(workspace.address(counters.tickets()) + group.number() * (long) Integer.BYTES)
                    .with(workspace.address(workspace.layout().tileWords(pass, group)));
        }
    }

    private void launchScatter(Kernel scatter, Workspace workspace, long slots) {
        int blocks = (int) Math.min(slots, scatterBlocks);
        scatter.launch(
                workspace.stream(), blocks, tuning.distributionThreads(), sharedMemory.scatter(), Kernel.Mode.AFTER);
    }

    /// Chooses the splitters of segments that lie in pages, and the room of their buckets.
    void selectSplitters(
            Workspace workspace, Group group, DeviceElements array, long[] pages, long seed, Kernels kernels) {
        long sampleCount = workspace.layout().rooms.sampled(1);
        int segments = Math.toIntExact(group.end() - group.begin());
        int parts = kernels.sampleParts(segments, sampleCount);
        selectSplitters
                .with(array.fields())
                .with(pages)
                .with(workspace.pass(1, group))
                .with(seed)
                .with(sampleCount)
                .with(parts);
        selectSplitters.launch(
                workspace.stream(),
                segments * parts,
                tuning.sampleThreads(),
                sharedMemory.sample(),
                Kernel.Mode.AFTER);
    }

    /// Turns the sizes of the buckets of segments that lie in pages into offsets.
    void scanCounts(
            Workspace workspace, Group group, DeviceElements array, long[] pages, DeviceElements out, Kernels kernels) {
        scanCounts
                .with(array.fields())
                .with(pages)
                .with(out.fields())
                .with(workspace.pass(1, group))
                .with(kernels.queues(workspace, group))
                .with(workspace.layout().plan.passCount() == 2 ? 1 : 0);
        int blocks = Math.toIntExact(group.end() - group.begin());
        scanCounts.launch(workspace.stream(), blocks, SCAN_THREADS, sharedMemory.scan(), afterPhase);
    }

    /// Moves pages.
    ///
    /// @param from  the pages that are moved, and `to` those that they go to
    /// @param moves device address of so many `PageMove`, at least one
    /// @param tiles how many tiles a page has
    void movePages(
            Stream stream, DeviceElements array, long[] from, long[] to, long moves, long moveCount, long tiles) {
        movePages.with(array.fields()).with(from).with(to).with(moves).with(moveCount);
        int blocks = (int) Math.min(moveCount * tiles, moveBlocks);
        movePages.launch(stream, blocks, tuning.distributionThreads(), 0, afterPhase);
    }
}
