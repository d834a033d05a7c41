package io.samplesort.spark.blocks;

import java.util.Arrays;

/// Keys that are strings of bytes of the same length, in an array where they follow each other at equal distances.
final class ByteKeys extends Keys {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;
    private final int offset;
    private final int distance;
    private final int keyBytes;
    private final boolean isReversed;

    ByteKeys(byte[] bytes, int offset, int distance, int keyBytes, boolean isReversed) {
        this.bytes = bytes;
        this.offset = offset;
        this.distance = distance;
        this.keyBytes = keyBytes;
        this.isReversed = isReversed;
    }

    @Override
    public int count() {
        return bytes.length / distance;
    }

    @Override
    public int compare(int i, Keys other, int j) {
        ByteKeys others = (ByteKeys) other;
        int begin = begin(i);
        int otherBegin = others.begin(j);
        int ascending =
                Arrays.compareUnsigned(bytes, begin, begin + keyBytes, others.bytes, otherBegin, otherBegin + keyBytes);
        return isReversed ? -ascending : ascending;
    }

    private int begin(int index) {
        return index * distance + offset;
    }

    @Override
    public Keys pick(int[] places) {
        byte[] picked = new byte[places.length * keyBytes];
        for (int i = 0; i < places.length; i++) {
            System.arraycopy(bytes, begin(places[i]), picked, i * keyBytes, keyBytes);
        }
        return new ByteKeys(picked, 0, keyBytes, keyBytes, isReversed);
    }
}
