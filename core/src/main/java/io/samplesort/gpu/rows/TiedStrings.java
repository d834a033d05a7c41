package io.samplesort.gpu.rows;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.gpu.code.StructValues;

/// The strings that are still tied and that a round has to tell apart, in device memory. Kernels take them as the
/// struct `TiedStrings` of ties.cuh.
final class TiedStrings implements AutoCloseable {
    /// Bytes for each string, and for each group.
    private static final long STRING_BYTES = 3 * Integer.BYTES;

    private static final long GROUP_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private final long count;
    private final long groups;
    private final DeviceAllocation allocation;

    TiedStrings(Context context, Stream stream, long count, long groups) {
        this.count = count;
        this.groups = groups;
        allocation = DeviceAllocation.allocateAsync(context, stream, byteSize(count, groups));
    }

    static long byteSize(long count, long groups) {
        return count * STRING_BYTES + groups * GROUP_BYTES;
    }

    long count() {
        return count;
    }

    /// Returns for how many bytes of a string a word has room in addition to the number of a group.
    int wordBytes() {
        int groupBits = Long.SIZE - Long.numberOfLeadingZeros(groups - 1);
        int bits = Long.SIZE - groupBits - RowProgram.WORD_EXTRA_BITS;
        return Math.min(RowProgram.MOST_WORD_BYTES, bits / Byte.SIZE);
    }

    /// The longs come first, since they have to be aligned.
    long depths() {
        return allocation.address();
    }

    long skips() {
        return depths() + groups * Long.BYTES;
    }

    private long firsts() {
        return skips() + groups * Long.BYTES;
    }

    long strings() {
        return firsts() + groups * Integer.BYTES;
    }

    long places() {
        return strings() + count * Integer.BYTES;
    }

    private long groupNumbers() {
        return places() + count * Integer.BYTES;
    }

    /// Returns the struct.
    long[] fields() {
        return new StructValues<>(KernelStructs.TiedStrings.values())
                .set(KernelStructs.TiedStrings.COUNT, count)
                .set(KernelStructs.TiedStrings.STRINGS, strings())
                .set(KernelStructs.TiedStrings.PLACES, places())
                .set(KernelStructs.TiedStrings.GROUPS, groupNumbers())
                .set(KernelStructs.TiedStrings.FIRSTS, firsts())
                .set(KernelStructs.TiedStrings.DEPTHS, depths())
                .set(KernelStructs.TiedStrings.SKIPS, skips())
                .toArray();
    }

    @Override
    public void close() {
        allocation.close();
    }
}
