package io.samplesort.gpu.code;

/// The values of one struct of [KernelStructs], each given by the name of its field.
///
/// @param <F> the fields
public final class StructValues<F extends Enum<F>> {
    private final F[] fields;
    private final long[] values;
    /// One bit for each field that has a value.
    private long given;

    /// @param fields all fields in their order, as an enum's `values()`
    public StructValues(F[] fields) {
        this.fields = fields;
        values = new long[fields.length];
    }

    /// Gives a field its value.
    public StructValues<F> set(F field, long value) {
        values[field.ordinal()] = value;
        given |= 1L << field.ordinal();
        return this;
    }

    /// Gives this value to all fields that have none yet.
    public StructValues<F> setOthers(long value) {
        for (F field : fields) {
            if ((given >> field.ordinal() & 1) == 0) {
                set(field, value);
            }
        }
        return this;
    }

    /// Returns the values in the order of the fields, as a kernel takes them.
    ///
    /// @throws IllegalStateException if a field has no value
    public long[] toArray() {
        for (F field : fields) {
            if ((given >> field.ordinal() & 1) == 0) {
                throw new IllegalStateException(
                        "the struct " + field.getDeclaringClass().getSimpleName()
                                + " is handed to a kernel without a value for " + field);
            }
        }
        return values;
    }
}
