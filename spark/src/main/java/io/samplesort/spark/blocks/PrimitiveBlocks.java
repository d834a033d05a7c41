package io.samplesort.spark.blocks;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Blocks that are arrays of numbers.
///
/// @param <B> the type of the arrays, such as `long[]`
public final class PrimitiveBlocks<B> extends BlockType<B> {
    private static final long serialVersionUID = 1;

    private final Primitive primitive;
    private final boolean isUnsigned;
    private final boolean isReversed;

    PrimitiveBlocks(Primitive primitive, boolean isUnsigned, boolean isReversed) {
        this.primitive = primitive;
        this.isUnsigned = isUnsigned;
        this.isReversed = isReversed;
    }

    @Override
    public PrimitiveBlocks<B> reversed() {
        return new PrimitiveBlocks<>(primitive, isUnsigned, !isReversed);
    }

    /// Returns the same type, its numbers compared as unsigned.
    ///
    /// @throws IllegalStateException if they are floating point
    public PrimitiveBlocks<B> unsigned() {
        if (!primitive.isInteger()) {
            throw new IllegalStateException(
                    "blocks of " + primitive + " cannot be compared as unsigned: that is for" + " integers");
        }
        return new PrimitiveBlocks<>(primitive, true, isReversed);
    }

    @Override
    public boolean isKeysAlone() {
        return true;
    }

    @Override
    public boolean isAlwaysStable() {
        // Equal numbers cannot be told apart.
        return true;
    }

    @Override
    public List<ElementType> columnTypes() {
        return List.of(primitive.type());
    }

    @Override
    public List<MemorySegment> columns(B block) {
        return List.of(primitive.segment(block));
    }

    @Override
    @SuppressWarnings("unchecked") // B is the type of the arrays that `primitive` allocates
    public B allocate(int count) {
        return (B) primitive.allocate(count);
    }

    @Override
    public Keys keys(B block) {
        return new NumberKeys(primitive, block, count(block), isUnsigned, isReversed);
    }

    @Override
    public Sorter build(SorterBuilder builder) {
        return builder.order(new NaturalOrder(isUnsigned, isReversed)).build(primitive.type());
    }

    @Override
    public String toString() {
        return primitive + (isUnsigned ? " unsigned" : "") + (isReversed ? " reversed" : "");
    }
}
