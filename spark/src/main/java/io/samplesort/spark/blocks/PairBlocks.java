package io.samplesort.spark.blocks;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Blocks of keys with payloads.
final class PairBlocks<K, P> extends BlockType<Pairs<K, P>> {
    private static final long serialVersionUID = 1;

    private final PrimitiveBlocks<K> keys;
    private final BlockType<P> payloads;

    PairBlocks(PrimitiveBlocks<K> keys, BlockType<P> payloads) {
        if (payloads.columnTypes().size() != 1) {
            throw new IllegalArgumentException(
                    "payloads of type " + payloads + ": use numbers or records, which lie in one array");
        }
        this.keys = keys;
        this.payloads = payloads;
    }

    @Override
    public BlockType<Pairs<K, P>> reversed() {
        return new PairBlocks<>(keys.reversed(), payloads);
    }

    @Override
    public boolean isKeysAlone() {
        return false;
    }

    @Override
    public boolean isAlwaysStable() {
        return false;
    }

    @Override
    public List<ElementType> columnTypes() {
        return List.of(keys.columnTypes().getFirst(), payloads.columnTypes().getFirst());
    }

    @Override
    public List<MemorySegment> columns(Pairs<K, P> block) {
        int keyCount = keys.count(block.keys());
        int payloadCount = payloads.count(block.payloads());
        if (keyCount != payloadCount) {
            throw new IllegalArgumentException("a block of " + keyCount + " keys and " + payloadCount
                    + " payloads: there must be as many payloads as keys");
        }
        return List.of(
                keys.columns(block.keys()).getFirst(),
                payloads.columns(block.payloads()).getFirst());
    }

    @Override
    public Pairs<K, P> allocate(int count) {
        return new Pairs<>(keys.allocate(count), payloads.allocate(count));
    }

    @Override
    public Keys keys(Pairs<K, P> block) {
        return keys.keys(block.keys());
    }

    @Override
    public Sorter build(SorterBuilder builder) {
        return keys.build(builder.payload(payloads.columnTypes().getFirst()));
    }

    @Override
    public String toString() {
        return "pairs of " + keys + " and " + payloads;
    }
}
