package io.samplesort.rows;

import io.samplesort.cpu.records.IndexMergeSort;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.Keys;
import java.util.Arrays;
import java.util.List;

/// Sorts the indexes of few objects, stably: the first bits of their keys and the index of each are packed into a long,
/// and [Arrays#sort(long[])] sorts these. Objects that are still tied are compared.
///
/// Columns and their sorters are faster only with more objects or in a process that has sorted many times: much of
/// their code has to be loaded and compiled first. This sort has little code.
///
/// @param <T> the type of the objects
public final class PackedSort<T> {
    private final Keys<T> keys;
    private final Object[] objects;
    private final int firstIndex;
    private final int indexBits;
    private final long[] packed;
    /// Bits that are still free in each long.
    private int room;

    /// @param objects    of type `T`, at least one
    /// @param firstIndex what errors call the index of the first object
    public PackedSort(Keys<T> keys, Object[] objects, int firstIndex) {
        this.keys = keys;
        this.objects = objects;
        this.firstIndex = firstIndex;
        this.indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(objects.length - 1);
        this.packed = new long[objects.length];
        this.room = Long.SIZE - indexBits;
    }

    /// Returns the indexes of the objects in order.
    ///
    /// @throws NullPointerException if a key is null and the order does not say where nulls come; the message names the
    ///     key and the object
    public int[] argsort() {
        boolean areEqualIfTied = packKeys();
        for (int i = 0; i < packed.length; i++) {
            // The inverted sign bit turns the unsigned order into that of a long.
            packed[i] = (packed[i] << indexBits | i) ^ Long.MIN_VALUE;
        }
        Arrays.sort(packed);
        int[] sorted = new int[packed.length];
        int mask = (1 << indexBits) - 1;
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = (int) packed[i] & mask;
        }
        if (!areEqualIfTied) {
            sortTied(sorted);
        }
        return sorted;
    }

    /// Packs as many keys as there is room for.
    ///
    /// @return whether objects with equal bits are equal
    private boolean packKeys() {
        List<Keys.Key<T>> all = keys.keys();
        KeyTaker<T> taker = new KeyTaker<>(keys, objects, firstIndex, 1);
        boolean isExact = true;
        for (int number = 0; number < all.size(); number++) {
            PackedKey key = isExact && room > 0 ? taker.packed(number) : null;
            if (key == null) {
                taker.requireNoUnexpectedNulls(number);
                isExact = false;
            } else {
                isExact = pack(key);
            }
        }
        return isExact;
    }

    private boolean pack(PackedKey key) {
        int width = Long.SIZE - Long.numberOfLeadingZeros(key.greatest());
        int taken = Math.min(width, room);
        int left = width - taken;
        long[] bits = key.bits();
        if (taken > 0) {
            for (int i = 0; i < packed.length; i++) {
                packed[i] = packed[i] << taken | bits[i] >>> left;
            }
        }
        room -= taken;
        return key.isExact() && left == 0;
    }

    @SuppressWarnings("unchecked")
    private void sortTied(int[] sorted) {
        T[] compared = (T[]) objects;
        IndexMergeSort merge = new IndexMergeSort(
                new Parallel(1),
                (a, b) -> keys.compare(compared[(int) a], compared[(int) b]),
                sorted,
                new int[sorted.length],
                sorted.length);
        try {
            sortTied(sorted, merge);
        } catch (NullPointerException e) {
            throw NullElements.named(e, keys, compared, firstIndex);
        }
    }

    private void sortTied(int[] sorted, IndexMergeSort merge) {
        int from = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || packed[i] >>> indexBits != packed[from] >>> indexBits) {
                if (i - from > 1) {
                    merge.sort(from, i);
                }
                from = i;
            }
        }
    }
}
