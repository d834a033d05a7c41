package io.samplesort.spark.blocks;

import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Blocks of records that lie one after the other in an array of bytes.
final class RecordBlocks extends BlockType<byte[]> {
    private static final long serialVersionUID = 1;

    private static final String KEY = "key";

    private final int recordBytes;
    private final int keyOffset;
    private final int keyBytes;
    private final boolean isReversed;

    /// Layouts cannot be serialized, so each process makes its own.
    private transient ElementType type;

    RecordBlocks(int recordBytes, int keyOffset, int keyBytes, boolean isReversed) {
        if (recordBytes < 1 || recordBytes > ElementType.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "records of " + recordBytes + " bytes: they have from 1 to " + ElementType.MAX_BYTES);
        }
        if (keyBytes < 1 || keyOffset < 0 || keyOffset > recordBytes - keyBytes) {
            throw new IllegalArgumentException("a key of " + keyBytes + " bytes from byte " + keyOffset
                    + " on: it must have a byte or more and lie within the record of " + recordBytes + " bytes");
        }
        this.recordBytes = recordBytes;
        this.keyOffset = keyOffset;
        this.keyBytes = keyBytes;
        this.isReversed = isReversed;
    }

    @Override
    public BlockType<byte[]> reversed() {
        return new RecordBlocks(recordBytes, keyOffset, keyBytes, !isReversed);
    }

    @Override
    public boolean isKeysAlone() {
        return keyBytes == recordBytes;
    }

    @Override
    public boolean isAlwaysStable() {
        return true;
    }

    @Override
    public List<ElementType> columnTypes() {
        if (type == null) {
            List<MemoryLayout> members = new ArrayList<>();
            addBytes(members, keyOffset);
            members.add(bytes(keyBytes).withName(KEY));
            addBytes(members, recordBytes - keyOffset - keyBytes);
            type = ElementType.of(MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new)));
        }
        return List.of(type);
    }

    private static void addBytes(List<MemoryLayout> members, int count) {
        if (count > 0) {
            members.add(bytes(count));
        }
    }

    private static MemoryLayout bytes(int count) {
        return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE);
    }

    @Override
    public List<MemorySegment> columns(byte[] block) {
        if (block.length % recordBytes != 0) {
            throw new IllegalArgumentException("a block of " + block.length + " bytes, which is no multiple of "
                    + recordBytes + ", the size of a record");
        }
        return List.of(MemorySegment.ofArray(block));
    }

    @Override
    public byte[] allocate(int count) {
        return new byte[Math.multiplyExact(count, recordBytes)];
    }

    @Override
    public Keys keys(byte[] block) {
        return new ByteKeys(block, keyOffset, recordBytes, keyBytes, isReversed);
    }

    @Override
    public Sorter build(SorterBuilder builder) {
        // A single byte counts as a number instead of a string, and its order would be signed.
        FieldOrder ascending = keyBytes == 1 ? Order.by(KEY).unsigned() : Order.by(KEY);
        ElementType record = columnTypes().getFirst();
        return builder.order(isReversed ? ascending.reversed() : ascending)
                .stable()
                .build(record);
    }

    @Override
    public String toString() {
        return "records of " + recordBytes + " bytes by bytes " + keyOffset + " to " + (keyOffset + keyBytes - 1)
                + (isReversed ? " reversed" : "");
    }
}
