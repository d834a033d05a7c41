package io.samplesort.spark.terasort;

import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/// Records as rows of two binary columns, `key` and `value`, in Spark's own layout.
final class TeraRows {
    private static final StructType TYPE = DataTypes.createStructType(new StructField[] {
        DataTypes.createStructField("key", DataTypes.BinaryType, false),
        DataTypes.createStructField("value", DataTypes.BinaryType, false)
    });

    private static final int VALUE_BYTES = TeraRecords.RECORD_BYTES - TeraRecords.KEY_BYTES;
    private static final int BLOCK_BYTES = 50_000 * TeraRecords.RECORD_BYTES;

    private TeraRows() {}

    /// Returns the records of blocks as rows.
    static Dataset<Row> of(JavaSparkContext spark, JavaRDD<byte[]> blocks) {
        SparkSession session = (SparkSession) org.apache.spark.sql.SparkSession.builder()
                .sparkContext(spark.sc())
                .getOrCreate();
        JavaRDD<InternalRow> rows = blocks.mapPartitions(partition -> {
            UnsafeRowWriter writer = new UnsafeRowWriter(2, 2 * TeraRecords.RECORD_BYTES);
            return new Records(partition, writer);
        });
        return session.internalCreateDataFrame(rows.rdd(), TYPE, false);
    }

    /// Returns the records of rows as blocks.
    static JavaRDD<byte[]> blocks(org.apache.spark.sql.Dataset<Row> rows) {
        return ((Dataset<Row>) rows).queryExecution().toRdd().toJavaRDD().mapPartitions(Blocks::new);
    }

    /// The records of blocks, one after the other, in one row.
    private static final class Records implements Iterator<InternalRow> {
        private final Iterator<byte[]> blocks;
        private final UnsafeRowWriter writer;
        private byte[] block = {};
        private int at;

        Records(Iterator<byte[]> blocks, UnsafeRowWriter writer) {
            this.blocks = blocks;
            this.writer = writer;
        }

        @Override
        public boolean hasNext() {
            while (at == block.length && blocks.hasNext()) {
                block = blocks.next();
                at = 0;
            }
            return at < block.length;
        }

        @Override
        public InternalRow next() {
            writer.reset();
            writer.zeroOutNullBytes();
            writer.write(0, block, at, TeraRecords.KEY_BYTES);
            writer.write(1, block, at + TeraRecords.KEY_BYTES, VALUE_BYTES);
            at += TeraRecords.RECORD_BYTES;
            return writer.getRow();
        }
    }

    /// Rows collected into blocks.
    private record Blocks(Iterator<InternalRow> rows) implements Iterator<byte[]> {
        @Override
        public boolean hasNext() {
            return rows.hasNext();
        }

        @Override
        public byte[] next() {
            byte[] block = new byte[BLOCK_BYTES];
            int size = 0;
            while (size < BLOCK_BYTES && rows.hasNext()) {
                UnsafeRow row = (UnsafeRow) rows.next();
                copy(row, 0, block, size, TeraRecords.KEY_BYTES);
                copy(row, 1, block, size + TeraRecords.KEY_BYTES, VALUE_BYTES);
                size += TeraRecords.RECORD_BYTES;
            }
            return size == BLOCK_BYTES ? block : Arrays.copyOf(block, size);
        }

        /// For each binary, a row has a word with its place and its length.
        private static void copy(UnsafeRow row, int column, byte[] target, int at, int length) {
            long place = row.getLong(column) >>> Integer.SIZE;
            Platform.copyMemory(
                    row.getBaseObject(),
                    row.getBaseOffset() + place,
                    target,
                    (long) Platform.BYTE_ARRAY_OFFSET + at,
                    length);
        }
    }
}
