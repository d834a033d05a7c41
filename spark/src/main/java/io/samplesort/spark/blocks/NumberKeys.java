package io.samplesort.spark.blocks;

import java.lang.foreign.MemorySegment;

/// Keys that are numbers.
final class NumberKeys extends Keys {
    private static final long serialVersionUID = 1;

    private final Primitive primitive;
    /// An array of `primitive`; arrays can be serialized, whatever they hold.
    @SuppressWarnings("serial")
    private final Object array;

    private final int count;
    private final boolean isUnsigned;
    private final boolean isReversed;

    NumberKeys(Primitive primitive, Object array, int count, boolean isUnsigned, boolean isReversed) {
        this.primitive = primitive;
        this.array = array;
        this.count = count;
        this.isUnsigned = isUnsigned;
        this.isReversed = isReversed;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public int compare(int i, Keys other, int j) {
        int ascending = Long.compare(place(i), ((NumberKeys) other).place(j));
        return isReversed ? -ascending : ascending;
    }

    private long place(int index) {
        return primitive.place(array, index, isUnsigned);
    }

    @Override
    public Keys pick(int[] places) {
        Object picked = primitive.allocate(places.length);
        MemorySegment source = primitive.segment(array);
        MemorySegment target = primitive.segment(picked);
        long bytes = primitive.type().byteSize();
        for (int i = 0; i < places.length; i++) {
            MemorySegment.copy(source, places[i] * bytes, target, i * bytes, bytes);
        }
        return new NumberKeys(primitive, picked, places.length, isUnsigned, isReversed);
    }
}
