package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelProgram.SCATTER;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.DividingMemory;
import io.samplesort.gpu.plan.Group;
import io.samplesort.types.Tuning;

/// The kernels that choose the splitters of a pass and give its buckets their room, with one method for each.
public final class SplitterKernels {
    private static final int MAX_SAMPLE_PARTS = 16;
    /// A sample of fewer keys for each thread is sorted by one block.
    private static final int SAMPLED_KEYS_A_THREAD = 4;

    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final int multiprocessorCount;
    private final Kernel.Mode afterPhase;
    private final Kernel selectSplitters;
    private final Kernel countSample;
    private final Kernel giveRoom;
    private final Kernel placeRooms;
    private final Kernel plantTree;

    SplitterKernels(
            KernelModules modules,
            Tuning tuning,
            SharedMemory sharedMemory,
            int multiprocessorCount,
            Kernel.Mode afterPhase) {
        this.tuning = tuning;
        this.sharedMemory = sharedMemory;
        this.multiprocessorCount = multiprocessorCount;
        this.afterPhase = afterPhase;
        selectSplitters = modules.kernel(SPLITTERS, "select_splitters", sharedMemory.sample());
        countSample = modules.kernel(SCATTER, "count_sample", sharedMemory.count(tuning.maxBucketCount()));
        giveRoom = modules.kernel(SPLITTERS, "give_room", SharedMemory.room());
        placeRooms = modules.kernel(SPLITTERS, "place_rooms", SharedMemory.places(tuning.maxBucketCount()));
        plantTree = modules.kernel(SPLITTERS, "plant_tree", 0);
    }

    /// Chooses the splitters of the segments of a pass, and the room of the buckets. Where [#beginSplitters] has done
    /// so, this waits for it.
    public void selectSplitters(DividingMemory memory, int pass, Group group, DeviceElements in, long seed) {
        selectSplitters(memory, pass, group, in, seed, false);
    }

    /// Chooses the splitters of the first pass while order is looked for, unless the input may be in order.
    public void beginSplitters(DividingMemory memory, DeviceElements in, long seed) {
        selectSplitters(memory, 0, memory.layout().all(), in, seed, true);
    }

    private void selectSplitters(
            DividingMemory memory, int pass, Group group, DeviceElements in, long seed, boolean isEarly) {
        long sampleCount = memory.layout().rooms.sampled(pass);
        int segments = Math.toIntExact(memory.layout().segmentCount(pass, group));
        int parts = sampleParts(segments, sampleCount);
        boolean isLookedAt = pass == 0 && memory.layout().seeksOrder;
        selectSplitters
                .with(in.fields())
                .with(memory.pass(pass, group))
                .with(seed)
                .with(sampleCount)
                .with(parts)
                .with(memory.layout().rooms.counted(pass) == 0 ? 1 : 0)
                .with(isLookedAt ? memory.address(memory.layout().head.orderSearch()) : 0)
                .with(isEarly ? 1 : 0);
        selectSplitters.launch(
                memory.stream(), segments * parts, tuning.sampleThreads(), sharedMemory.sample(), afterPhase);
    }

    /// Gives the buckets of a first pass their room by what [#countSample] has counted.
    public void giveRoom(DividingMemory memory, long countedCount) {
        giveRoom.with(memory.firstPass()).with(countedCount);
        giveRoom.launch(memory.stream(), 1, tuning.sampleThreads(), SharedMemory.room(), afterPhase);
    }

    /// Counts how many keys of a random sample of the input fall into each bucket of a first pass.
    public void countSample(DividingMemory memory, DeviceElements in, long seed, long countedCount) {
        countSample.with(in.fields()).with(memory.firstPass()).with(seed).with(countedCount);
        int sharedBytes = sharedMemory.count(memory.layout().plan.bucketCount(0));
        int threads = tuning.distributionThreads();
        int resident =
                Math.max(1, countSample.activeBlocksPerMultiprocessor(threads, sharedBytes)) * multiprocessorCount;
        long taken = (long) threads * KernelConstants.COUNTED_ITEMS;
        int blocks = (int) Math.min(Math.ceilDiv(countedCount, taken), resident);
        countSample.launch(memory.stream(), blocks, threads, sharedBytes, Kernel.Mode.AFTER);
    }

    /// Plants the tree of a first pass that several GPUs make together.
    ///
    /// @param sample sorted keys in the user's form
    /// @param ranks  device address of the rank of each splitter there, as ints
    public void plantTree(DividingMemory memory, DeviceElements sample, long ranks) {
        plantTree.with(sample.fields()).with(ranks).with(memory.firstPass());
        plantTree.launch(memory.stream(), 1, tuning.sampleThreads(), 0, Kernel.Mode.AFTER);
    }

    /// Gives the buckets of the first pass their parts of the room that later passes have.
    public void placeRooms(DividingMemory memory, DeviceElements output) {
        placeRooms
                .with(memory.pass(1, memory.layout().all()))
                .with(memory.groups())
                .with(memory.freePlaces(output));
        int sharedBytes = SharedMemory.places(memory.layout().plan.bucketCount(0));
        placeRooms.launch(memory.stream(), 1, tuning.sampleThreads(), sharedBytes, afterPhase);
    }

    /// Returns how many blocks sort the sample of one segment. Each of them draws the whole sample, and they agree on
    /// their parts; that takes as long as one block needs to sort a few thousand keys. They gather their parts in the
    /// second buffer, so without one there is one block.
    int sampleParts(int segments, long sampleCount) {
        if (sharedMemory.sampleBuffers() == 1 || sampleCount < SAMPLED_KEYS_A_THREAD * (long) tuning.sampleThreads()) {
            return 1;
        }
        long parts = Math.min(
                sampleCount / (tuning.sampleThreads() / 2),
                tuning.sampleThreads() / KernelConstants.BOUND_OVERSAMPLING);
        return Math.clamp(Math.min(parts, multiprocessorCount / segments), 1, MAX_SAMPLE_PARTS);
    }
}
