package io.samplesort.gpu.sort;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs.Pass;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.Regions;
import io.samplesort.gpu.plan.SortPlan;
import io.samplesort.gpu.plan.Workspace;
import io.samplesort.gpu.plan.WorkspaceLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/// The first pass of a sort in place: chunk after chunk, all elements move to pages of their buckets. None of the
/// methods waits.
public final class PagePass implements AutoCloseable {
    private static final byte NOBODY = -1;

    private final DeviceSort sort;
    private final PageArray array;
    private final ChunkPlan plan;
    private final Workspace workspace;
    private final long store;
    private final long[] beside;
    private final MemorySegment pinned;
    private final Owned owned = new Owned();
    private final Event sized;
    private final Event listed;

    /// Takes no memory.
    ///
    /// @param beside device addresses of the columns of the pages beside the array
    /// @param memory [#byteSize]
    /// @param pinned memory for [#pinnedBytes], for this pass alone until the stream has come past it
    public PagePass(
            DeviceSort sort,
            Stream stream,
            PageArray array,
            ChunkPlan plan,
            long[] beside,
            DeviceAllocation memory,
            MemorySegment pinned) {
        this.sort = sort;
        this.array = array;
        this.plan = plan;
        this.beside = beside;
        this.pinned = pinned;
        WorkspaceLayout layout = layout(sort, plan);
        store = memory.address() + layout.byteSize;
        try {
            workspace = owned.add(new Workspace(stream, layout, array.elements(), memory, null));
            sized = owned.add(Event.create(sort.context(), false));
            listed = owned.add(Event.create(sort.context(), false));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private static WorkspaceLayout layout(DeviceSort sort, ChunkPlan plan) {
        SortPlan pass = SortPlan.ofFirstPass(plan.mostOfAChunk(), plan.logBuckets());
        return WorkspaceLayout.ofExchange(pass, sort.element(), sort.tuning());
    }

    /// Returns the device memory of a pass beside the pages.
    public static long byteSize(DeviceSort sort, ChunkPlan plan) {
        return layout(sort, plan).byteSize + plan.storeBytes();
    }

    /// Returns the bytes of pinned memory that a pass takes.
    public static long pinnedBytes(ChunkPlan plan) {
        return overflowAt(plan) + Long.BYTES;
    }

    private static long listAt(ChunkPlan plan) {
        return Math.ceilDiv(plan.pageCount(), 2) * (long) Long.BYTES;
    }

    private static long freeAt(ChunkPlan plan) {
        return 2 * listAt(plan);
    }

    private static long sizesAt(ChunkPlan plan) {
        return freeAt(plan) + plan.freeWords() * (long) Long.BYTES;
    }

    private static long marksAt(ChunkPlan plan) {
        return sizesAt(plan) + (long) plan.bucketCount() * Long.BYTES;
    }

    private static long overflowAt(ChunkPlan plan) {
        return marksAt(plan) + Math.ceilDiv(plan.bucketCount(), Long.BYTES) * (long) Long.BYTES;
    }

    /// Takes the splitters from a sorted sample, and puts all chunks on the stream.
    ///
    /// @param sample device address of sorted keys in the user's form
    /// @param ranks  device address of the rank of each splitter there, as ints
    public void divide(long sample, long ranks) {
        Stream stream = workspace.stream();
        sort.kernels().splitters().plantTree(workspace, new DeviceElements(sample, 0), ranks);
        stream.fill(ChunkPlan.owners(store), NOBODY, plan.ownerAndListBytes());
        stream.fill(plan.zeroed(store), (byte) 0, plan.zeroedBytes());
        long[] fields = plan.fields(store);
        long[] pages = array.pages(0, beside);
        for (int chunk = 0; chunk < plan.chunks(); chunk++) {
            long[] pass = workspace.pass(0, workspace.layout().all());
            pass[Pass.ELEMENT_COUNT.ordinal()] = plan.count(chunk);
            if (chunk > 0) {
                forgetTiles();
            }
            sort.kernels().pages().beginChunk(stream, pages, fields, pass, chunk == 0);
            sort.kernels()
                    .pages()
                    .scatterToPages(
                            workspace, array.elements(), pages, fields, pass, plan.firstPage(chunk), plan.mostBlocks());
        }
        Regions.Counters counters = workspace.layout().counters[0];
        int buckets = plan.bucketCount();
        stream.copyToHost(
                pinned.asSlice(sizesAt(plan)),
                workspace.address(counters.writePositions()),
                (long) buckets * Long.BYTES);
        stream.copyToHost(
                pinned.asSlice(marksAt(plan)),
                workspace.address(workspace.layout().segments[1].marks()),
                buckets);
        stream.copyToHost(pinned.asSlice(overflowAt(plan)), workspace.address(counters.overflows()), Integer.BYTES);
        sized.record(stream);
        long pageBytes = (long) plan.pageCount() * Integer.BYTES;
        sort.kernels()
                .pages()
                .listPages(
                        stream,
                        pages,
                        fields,
                        workspace.pass(0, workspace.layout().all()),
                        plan.list(store),
                        plan.pageCount(),
                        buckets);
        stream.copyToHost(pinned, ChunkPlan.owners(store), pageBytes);
        stream.copyToHost(pinned.asSlice(listAt(plan)), plan.list(store), pageBytes);
        stream.copyToHost(pinned.asSlice(freeAt(plan)), plan.free(store), plan.freeWords() * (long) Long.BYTES);
        listed.record(stream);
    }

    /// Where elements keep their order, what tiles tell each other is 0 before each chunk.
    private void forgetTiles() {
        if (plan.isInOrder()) {
            WorkspaceLayout layout = workspace.layout();
            Stream stream = workspace.stream();
            stream.fill(workspace.address(layout.counters[0].tickets()), (byte) 0, Integer.BYTES);
            long[] words = layout.tileWordsOfAGroup(0);
            stream.fill(workspace.address(words[0]), (byte) 0, words[1]);
        }
    }

    /// Waits until it is known how large buckets are. Where their pages lie takes a little longer.
    public void awaitSizes() {
        sized.synchronize();
    }

    /// Waits until it is known where the pages lie.
    public void awaitPages() {
        listed.synchronize();
    }

    /// Returns the device address of the list of the pages of all buckets.
    public long deviceList() {
        return plan.list(store);
    }

    /// Returns the size of each bucket, once that is known.
    public long[] sizes() {
        return pinned.asSlice(sizesAt(plan), (long) plan.bucketCount() * Long.BYTES)
                .toArray(ValueLayout.JAVA_LONG);
    }

    /// Returns of each bucket whether all its keys are equal, once sizes are known.
    public boolean[] areEqual() {
        byte[] marks = pinned.asSlice(marksAt(plan), plan.bucketCount()).toArray(ValueLayout.JAVA_BYTE);
        boolean[] areEqual = new boolean[marks.length];
        for (int bucket = 0; bucket < areEqual.length; bucket++) {
            areEqual[bucket] = (marks[bucket] & KernelConstants.IS_EQUALITY) != 0;
        }
        return areEqual;
    }

    /// Returns whether there was a free page whenever a bucket needed one, once sizes are known.
    public boolean isComplete() {
        return pinned.get(ValueLayout.JAVA_INT, overflowAt(plan)) == 0;
    }

    /// Returns where each page stands in the list, once that is known; -1 for a page that no bucket
    /// has.
    public int[] places() {
        return pinned.asSlice(0, (long) plan.pageCount() * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
    }

    /// Returns the list of the pages of all buckets, one bucket behind the other, once the stream has come past the
    /// pass. Behind its end there is anything.
    public int[] list() {
        return pinned.asSlice(listAt(plan), (long) plan.pageCount() * Integer.BYTES)
                .toArray(ValueLayout.JAVA_INT);
    }

    /// Returns the pages that no bucket has and any may have, once that is known.
    public BitSet freePages() {
        return BitSet.valueOf(pinned.asSlice(freeAt(plan), plan.freeWords() * (long) Long.BYTES)
                .toArray(ValueLayout.JAVA_LONG));
    }

    @Override
    public void close() {
        owned.close();
    }
}
