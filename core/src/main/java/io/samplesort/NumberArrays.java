package io.samplesort;

import io.samplesort.types.ElementType;
import java.lang.reflect.Array;
import java.util.Objects;

/// Arrays of numbers of any primitive type, as the methods of [SampleSort] and [ArraySorter] hand them on: an array of
/// bytes, shorts, chars, ints, longs, floats or doubles.
final class NumberArrays {
    private NumberArrays() {}

    /// Returns the length of an array.
    ///
    /// @param what what an error calls the array
    /// @throws NullPointerException if it is null
    static int length(String what, Object array) {
        return Array.getLength(Objects.requireNonNull(array, what));
    }

    /// Returns the type of the elements of an array.
    static ElementType type(Object array) {
        if (array instanceof long[]) {
            return ElementType.LONG;
        }
        if (array instanceof int[]) {
            return ElementType.INT;
        }
        if (array instanceof double[]) {
            return ElementType.DOUBLE;
        }
        if (array instanceof float[]) {
            return ElementType.FLOAT;
        }
        if (array instanceof short[]) {
            return ElementType.SHORT;
        }
        return array instanceof char[] ? ElementType.CHAR : ElementType.BYTE;
    }
}
