package io.samplesort.spark.blocks;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The type of the blocks of an RDD: what they hold, and how their elements compare. A block has any number of
/// elements, in one Java array or in several that belong together.
///
/// ```java
/// BlockType.longs()                                        // JavaRDD<long[]>, in the order of Long.compare
/// BlockType.doubles().reversed()                           // JavaRDD<double[]>, NaN first
/// BlockType.pairs(BlockType.longs(), BlockType.ints())     // JavaRDD<Pairs<long[], int[]>>, by key
/// BlockType.records(100, 0, 10)                            // JavaRDD<byte[]> of 100-byte records, by their first ten
/// ```
///
/// Types are immutable. The sort itself uses the methods below [#reversed].
///
/// @param <B> the Java type of a block
public abstract class BlockType<B> implements Serializable {
    private static final long serialVersionUID = 1;

    BlockType() {}

    /// Returns the type of arrays of `int`, in the order of [Integer#compare].
    public static PrimitiveBlocks<int[]> ints() {
        return new PrimitiveBlocks<>(Primitive.INT, false, false);
    }

    /// Returns the type of arrays of `long`, in the order of [Long#compare].
    public static PrimitiveBlocks<long[]> longs() {
        return new PrimitiveBlocks<>(Primitive.LONG, false, false);
    }

    /// Returns the type of arrays of `float`, in the order of [Float#compare]: -0.0 comes before 0.0, and NaN last.
    public static PrimitiveBlocks<float[]> floats() {
        return new PrimitiveBlocks<>(Primitive.FLOAT, false, false);
    }

    /// Returns the type of arrays of `double`, in the order of [Double#compare]: -0.0 comes before 0.0, and NaN last.
    public static PrimitiveBlocks<double[]> doubles() {
        return new PrimitiveBlocks<>(Primitive.DOUBLE, false, false);
    }

    /// Returns the type of an array of keys with an array of as many payloads. Payload i moves with key i.
    ///
    /// @param payloads whatever moves with the keys: numbers or records; its order does not matter
    /// @throws IllegalArgumentException if the payloads are pairs themselves
    public static <K, P> BlockType<Pairs<K, P>> pairs(PrimitiveBlocks<K> keys, BlockType<P> payloads) {
        return new PairBlocks<>(keys, payloads);
    }

    /// Returns the type of records that lie one after the other in an array of bytes. The key is a part of the record,
    /// and keys compare as unsigned bytes, first to last.
    ///
    /// @param recordBytes how many bytes a record has, from 1 to [ElementType#MAX_BYTES]
    /// @param keyOffset   where in the record the key begins
    /// @param keyBytes    how many bytes the key has, at least 1
    /// @throws IllegalArgumentException if the key is empty or not within the record, or the record too large
    public static BlockType<byte[]> records(int recordBytes, int keyOffset, int keyBytes) {
        return new RecordBlocks(recordBytes, keyOffset, keyBytes, false);
    }

    /// Returns the same type, its order last to first.
    public abstract BlockType<B> reversed();

    /// Returns whether elements with equal keys are the same bit for bit, so that they cannot be told apart.
    public abstract boolean isKeysAlone();

    /// Returns whether sorts of this type are stable in any case, because that costs nothing more.
    public abstract boolean isAlwaysStable();

    /// Returns the type of the keys, followed by that of the payloads if there are any: one for each array.
    public abstract List<ElementType> columnTypes();

    /// Returns the arrays of a block as segments, in the order of [#columnTypes]. They share the memory of the block.
    ///
    /// @throws IllegalArgumentException if the block is no block of this type, such as one with half a record
    public abstract List<MemorySegment> columns(B block);

    /// Returns a new block for this many elements.
    public abstract B allocate(int count);

    /// Returns the keys of a block, which can be compared.
    public abstract Keys keys(B block);

    /// Sets order and payloads of a sorter of such blocks, and builds it.
    public abstract Sorter build(SorterBuilder builder);

    /// Returns how many elements a block may have at most.
    public final int mostElements() {
        int bytesOfArray = 1;
        for (ElementType type : columnTypes()) {
            bytesOfArray = Math.max(bytesOfArray, type.isPrimitive() ? 1 : type.byteSize());
        }
        return (Integer.MAX_VALUE - 8) / bytesOfArray;
    }

    /// Returns the bytes of an element, its key and its payload together.
    public final int elementBytes() {
        return columnTypes().stream().mapToInt(ElementType::byteSize).sum();
    }

    /// Returns how many elements a block has.
    public final int count(B block) {
        return (int)
                (columns(block).getFirst().byteSize() / columnTypes().getFirst().byteSize());
    }

    /// Copies a range of elements from one block to another.
    public final void copy(B source, int from, B target, int to, int count) {
        List<ElementType> types = columnTypes();
        List<MemorySegment> sources = columns(source);
        List<MemorySegment> targets = columns(target);
        for (int i = 0; i < types.size(); i++) {
            long bytes = types.get(i).byteSize();
            MemorySegment.copy(sources.get(i), from * bytes, targets.get(i), to * bytes, count * bytes);
        }
    }
}
