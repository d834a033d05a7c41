package io.samplesort.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/// Spark's own rules for floating-point numbers, which differ from those of arrays and key columns.
class NumberReaderTest {
    private static final double[] NANS = LongStream.of(0x7ff0000000000001L, 0x7ff8000000000000L, -1L)
            .mapToDouble(Double::longBitsToDouble)
            .toArray();

    private static long read(double number) {
        ToLongFunction<InternalRow> reader = NumberReader.of(DataTypes.DoubleType, 0);
        return reader.applyAsLong(new GenericInternalRow(new Object[] {number}));
    }

    private static long read(float number) {
        ToLongFunction<InternalRow> reader = NumberReader.of(DataTypes.FloatType, 0);
        return reader.applyAsLong(new GenericInternalRow(new Object[] {number}));
    }

    @Test
    void nansAreEqualAndZerosToo() {
        assertThat(DoubleStream.of(NANS)
                        .mapToLong(NumberReaderTest::read)
                        .distinct()
                        .boxed())
                .hasSize(1);
        assertThat(read(NANS[2])).isGreaterThan(read(Double.POSITIVE_INFINITY));
        assertThat(read(-0.0)).isEqualTo(read(0.0)).isGreaterThan(read(-Double.MIN_VALUE));
        assertThat(read(Float.intBitsToFloat(-1)))
                .isEqualTo(read(Float.NaN))
                .isGreaterThan(read(Float.POSITIVE_INFINITY));
        assertThat(read(-0f)).isEqualTo(read(0f)).isLessThan(read(Float.MIN_VALUE));
    }
}
