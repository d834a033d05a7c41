package io.samplesort.spark.rows;

import java.util.function.ToLongFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/// Reads values as longs in the same order: numbers, booleans, dates, times, intervals and short decimals.
final class NumberReader {
    private static final int DIGITS_OF_LONG = 18;

    private NumberReader() {}

    /// Returns a function that reads a value of this type, which must not be null, from a place in a row; null for
    /// types that do not fit a long.
    static ToLongFunction<InternalRow> of(DataType type, int at) {
        if (type instanceof BooleanType) {
            return row -> row.getBoolean(at) ? 1 : 0;
        }
        if (type instanceof ByteType) {
            return row -> row.getByte(at);
        }
        if (type instanceof ShortType) {
            return row -> row.getShort(at);
        }
        if (type instanceof IntegerType || type instanceof DateType || type instanceof YearMonthIntervalType) {
            return row -> row.getInt(at);
        }
        if (type instanceof LongType
                || type instanceof TimestampType
                || type instanceof TimestampNTZType
                || type instanceof TimeType
                || type instanceof DayTimeIntervalType) {
            return row -> row.getLong(at);
        }
        if (type instanceof FloatType) {
            return row -> ordered(row.getFloat(at));
        }
        if (type instanceof DoubleType) {
            return row -> ordered(row.getDouble(at));
        }
        if (type instanceof DecimalType decimal && decimal.precision() <= DIGITS_OF_LONG) {
            return row ->
                    row.getDecimal(at, decimal.precision(), decimal.scale()).toUnscaledLong();
        }
        return null;
    }

    /// In Spark, -0.0 and 0.0 are equal, and so are all NaNs, which are greater than all numbers.
    private static long ordered(double number) {
        long bits = number == 0 ? 0 : Double.doubleToLongBits(number);
        return bits ^ (bits >> 63) >>> 1;
    }
}
