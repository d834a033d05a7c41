package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.cubins.KernelModules;

/// The kernels that look for an input that is in order already or in the opposite order, and put it in its place, with
/// one method for each. They change nothing of other inputs.
public final class OrderKernels {
    private final int multiprocessorCount;
    private final Kernel.Mode afterPhase;
    private final boolean keepsOrder;
    private final Kernel findOrder;
    private final Kernel putInOrder;

    /// @param keepsOrder whether equal elements keep their order
    OrderKernels(KernelModules modules, boolean keepsOrder, int multiprocessorCount, Kernel.Mode afterPhase) {
        this.multiprocessorCount = multiprocessorCount;
        this.afterPhase = afterPhase;
        this.keepsOrder = keepsOrder;
        findOrder = modules.kernel(SPLITTERS, "find_order", 0);
        putInOrder = modules.kernel(SPLITTERS, "put_in_order", 0);
    }

    /// Finds out whether the input may be in order already, or in the opposite order. The splitters of the first pass,
    /// if it has any, are chosen next, before [#putInOrder].
    public void findOrder(SoughtOrder sought) {
        findOrder
                .with(sought.input().fields())
                .with(sought.output().fields())
                .with(sought.count())
                .with(sought.search())
                .with(sought.told());
        int blocks = blocksThatLookFirst(sought.count());
        findOrder.launch(sought.stream(), blocks, ORDER_THREADS, 0, Kernel.Mode.AFTER);
    }

    /// Puts an input where it belongs if it is in the order that [#findOrder] has found it may be in. The phases behind
    /// see an input without elements then.
    public void putInOrder(SoughtOrder sought) {
        putInOrder
                .with(sought.input().fields())
                .with(sought.output().fields())
                .with(sought.count())
                .with(sought.search())
                .with(sought.mark())
                .with(sought.told());
        int blocks = blocks(putInOrder, sought.count(), multiprocessorCount);
        putInOrder.launch(sought.stream(), blocks, ORDER_THREADS, 0, afterPhase);
    }

    /// Returns how many blocks look first. They leave multiprocessors to those that choose splitters, which ask for
    /// much shared memory: a multiprocessor has to become empty before its memory is divided anew. But where equal
    /// elements keep their order, they may have to look at the whole input.
    private int blocksThatLookFirst(long count) {
        int blocks = blocks(findOrder, count, multiprocessorCount);
        return keepsOrder ? blocks : Math.clamp(multiprocessorCount / 2, 1, blocks);
    }

    /// Returns how many blocks look at the input, all of them at once.
    static int blocks(Kernel kernel, long count, int multiprocessorCount) {
        long most = Math.max(1, kernel.activeBlocksPerMultiprocessor(ORDER_THREADS, 0)) * (long) multiprocessorCount;
        long blocks = Math.ceilDiv(count, (long) ORDER_THREADS);
        return (int) Math.min(blocks, most);
    }
}
