package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.IndexedColumns;
import java.util.Arrays;
import java.util.List;

/// How many elements of an array each of several GPUs takes: equal shares, but no more than fit a GPU.
final class Shares {
    /// During an exchange, a GPU holds its elements, those that it receives, and at times those that it sends.
    private static final int COPIES = 3;

    private Shares() {}

    /// Divides elements of host memory among GPUs that are to hold all of them together.
    ///
    /// @param rowBytes bytes of an element in all columns
    /// @return null if they cannot hold all of them
    static long[] among(List<GpuResources> gpus, long count, long rowBytes) {
        long equal = Math.ceilDiv(count, gpus.size());
        long[] most = new long[gpus.size()];
        boolean fits = true;
        for (int gpu = 0; gpu < most.length; gpu++) {
            most[gpu] = most(gpus.get(gpu), equal, count, rowBytes);
            fits &= most[gpu] >= equal;
        }
        return fits ? of(count, most) : of(count, mostOfAll(gpus, count, rowBytes));
    }

    private static long[] mostOfAll(List<GpuResources> gpus, long count, long rowBytes) {
        return gpus.stream().mapToLong(gpu -> most(gpu, count, count, rowBytes)).toArray();
    }

    /// Returns the largest number of elements that fits a GPU, but no more than `enough`. It is 0 if one block would
    /// sort these: so few elements are not worth an exchange.
    private static long most(GpuResources gpu, long enough, long count, long rowBytes) {
        DeviceSort sort = gpu.sort();
        try (Context.Scope scope = gpu.context().enter()) {
            long free = sort.strategies().freeBytes();
            if (fits(sort, enough, rowBytes, free)) {
                return enough;
            }
            long fitting = 0;
            long tooLarge = Math.min(enough, count);
            while (tooLarge - fitting > 1) {
                long middle = (fitting + tooLarge) >>> 1;
                if (fits(sort, middle, rowBytes, free)) {
                    fitting = middle;
                } else {
                    tooLarge = middle;
                }
            }
            return fitting <= sort.tuning().smallSortLimit() ? 0 : fitting;
        }
    }

    private static boolean fits(DeviceSort sort, long count, long rowBytes, long free) {
        if (sort.element().sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            return false;
        }
        // Adds a few percent for what a GPU may receive above its share.
        long beside = Math.multiplyExact(COPIES * rowBytes + rowBytes / 4 + 1, count) + sort.indexBytes(count);
        return sort.strategies().within(count, free - beside) != null;
    }

    /// Divides elements among GPUs.
    ///
    /// @param most how many elements fit each GPU
    /// @return null if not all of them fit
    static long[] of(long count, long[] most) {
        long[] shares = new long[most.length];
        Integer[] bySize = new Integer[most.length];
        Arrays.setAll(bySize, i -> i);
        Arrays.sort(bySize, (a, b) -> Long.compare(most[a], most[b]));
        long left = count;
        for (int i = 0; i < bySize.length; i++) {
            int gpu = bySize[i];
            shares[gpu] = Math.min(most[gpu], Math.ceilDiv(left, bySize.length - i));
            left -= shares[gpu];
        }
        return left > 0 ? null : shares;
    }
}
