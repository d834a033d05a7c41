package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/// The kernels of this engine for records (`records.hpp`). Several threads may call them at once.
///
/// They are called through the foreign function interface, which takes 50 ms for the first call of a process. So they
/// are for sorts of many records, which allocate their copy through it, too.
public final class SimdRecords {
    /// The largest records that can be gathered.
    public static final int MOST_BYTES = 4096;

    private SimdRecords() {}

    /// The functions are looked up when the first of them is called.
    private static final class Functions {
        private static final MethodHandle GATHER = NativeFunctions.link(
                "samplesort_gather",
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG));
        private static final MethodHandle PACK = NativeFunctions.link(
                "samplesort_pack",
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG));
        private static final MethodHandle STREAM = NativeFunctions.link(
                "samplesort_stream",
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        private static final MethodHandle NEXT_TIE = NativeFunctions.link(
                "samplesort_next_tie",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG));
    }

    /// Returns the kernels; null if these may not be called in this process.
    ///
    /// @param waits whether to wait until they are loaded; otherwise this returns null until then
    public static SimdRecords find(boolean waits) {
        return SimdKeys.of(MemorySegment.NULL, SimdKeys.Type.LONG, waits) == null ? null : new SimdRecords();
    }

    /// Returns buckets for records whose keys the kernels read whole.
    ///
    /// @param bytes  bytes of a record; 16 or 32
    /// @param key    how they read the whole key
    /// @param shares into how many shares the records are divided
    public RecordBuckets buckets(int bytes, Packing key, int shares) {
        return new RecordBuckets(bytes, key, SimdLibrary.find().kernels().comparesLongs(), shares);
    }

    /// How the kernels read the bits of a key, in the order of the numbers that stand for it there.
    public enum Read {
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        /// Eight bytes, the first of which is the most significant.
        BYTES
    }

    /// What is packed into a long for each record: the bits of its key, with those of `flip` inverted, less `least`,
    /// and without the lowest `right` bits; below them the place of the record. The sign bit of the long is inverted.
    ///
    /// @param offset where in a record the key begins, in bytes
    public record Packing(Read read, long offset, long flip, long least, int right, int placeBits) {
        /// Returns this in the form that the kernels read (`records.hpp`).
        MemorySegment words() {
            return MemorySegment.ofArray(new long[] {read.ordinal(), offset, flip, least, right, placeBits});
        }
    }

    /// Copies all `records`, each of this many bytes, and writes their packed keys and places to `packed`.
    ///
    /// @param firstPlace the place of the first record
    public void pack(
            MemorySegment records, int bytes, Packing how, int firstPlace, MemorySegment copy, MemorySegment packed) {
        long count = records.byteSize() / bytes;
        Objects.checkFromIndexSize(0, count * bytes, copy.byteSize());
        Objects.checkFromIndexSize(0, count * Long.BYTES, packed.byteSize());
        int last = how.read == Read.INT || how.read == Read.FLOAT ? Integer.BYTES : Long.BYTES;
        Objects.checkFromIndexSize(how.offset, last, bytes);
        try {
            Functions.PACK.invokeExact(copy, packed, records, (long) bytes, count, how.words(), (long) firstPlace);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Copies records in the order of their places.
    ///
    /// @param source    all records
    /// @param places    longs, whose lowest bits are the place of a record in `source`
    /// @param placeBits how many bits these are
    /// @param bytes     bytes of a record, at most [#MOST_BYTES]
    /// @param from      the first of `places` to be copied
    /// @param to        where those to be copied end
    /// @param target    room for these records
    public void gather(
            MemorySegment source,
            MemorySegment places,
            int placeBits,
            int bytes,
            long from,
            long to,
            MemorySegment target) {
        Objects.checkFromToIndex(from, to, places.byteSize() / Long.BYTES);
        Objects.checkFromIndexSize(0, (to - from) * bytes, target.byteSize());
        long mask = (1L << placeBits) - 1;
        try {
            Functions.GATHER.invokeExact(target, source, places, mask, (long) bytes, from, to);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Copies all of `source` to memory that will not be read soon.
    public void stream(MemorySegment source, MemorySegment target) {
        Objects.checkFromIndexSize(0, source.byteSize(), target.byteSize());
        try {
            Functions.STREAM.invokeExact(target, source, source.byteSize());
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Returns the place of the first of the sorted longs `from..to` that equals the long before it in all but the
    /// lowest `bits`; `to` if there is none.
    ///
    /// @param from at least 1
    public long nextTie(MemorySegment longs, int bits, long from, long to) {
        Objects.checkFromToIndex(from, to, longs.byteSize() / Long.BYTES);
        Objects.checkIndex(from - 1, to);
        try {
            return (long) Functions.NEXT_TIE.invokeExact(longs, (long) bits, from, to);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }
}
