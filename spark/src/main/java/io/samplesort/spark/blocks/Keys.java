package io.samplesort.spark.blocks;

import java.io.Serializable;

/// The keys of a block, or keys that were picked from one. Keys of the same [BlockType] compare with each other.
public abstract class Keys implements Serializable {
    private static final long serialVersionUID = 1;

    Keys() {}

    /// Returns how many keys there are.
    public abstract int count();

    /// Compares key `i` with key `j` of `other`, in the order of their type.
    ///
    /// @param other keys of the same type
    public abstract int compare(int i, Keys other, int j);

    /// Returns a copy of the keys at these places, in this order.
    public abstract Keys pick(int[] places);

    /// Returns the first place from `from` to `to`, of keys in order, whose key is not before key `j` of `other`; `to`
    /// if all are.
    public final int lowerBound(int from, int to, Keys other, int j) {
        return firstAbove(from, to, other, j, 0);
    }

    /// Returns the first place from `from` to `to`, of keys in order, whose key is after key `j` of `other`; `to` if
    /// none is.
    public final int upperBound(int from, int to, Keys other, int j) {
        return firstAbove(from, to, other, j, 1);
    }

    private int firstAbove(int from, int to, Keys other, int j, int least) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(middle, other, j) < least) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
