package io.samplesort;

import io.samplesort.gpu.rows.DeviceColumn;
import io.samplesort.types.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One column of the keys that rows are sorted by, in the memory of one GPU. It corresponds to
/// [io.samplesort.types.KeyColumn] in host memory, and has the same order. Numbers compare as by
/// [io.samplesort.types.Order#natural]: integers as signed (`char` as unsigned); of floating-point numbers, -0.0 comes
/// before 0.0 and NaNs come last, in the order of their bits. Strings compare as unsigned bytes, first to last, and a
/// string comes before all others that begin with it. A column has no nulls unless [#validity] gives it some. Nulls are
/// equal to each other and come last unless [#nullsFirst] says otherwise. [#reversed] turns a column round, and with it
/// where nulls come.
///
/// A column is a view: it copies nothing, owns nothing and sees what is written to its memory later. It is immutable,
/// and every method that changes something returns a new column.
public final class DeviceKeyColumn {
    private final @Nullable DeviceMemory values;
    private final @Nullable ElementType type;
    private final int valueBytes;
    private final @Nullable DeviceStrings strings;
    private final Rules rules;

    /// @param validity null if no row can be null
    private record Rules(
            boolean isUnsigned,
            boolean isReversed,
            boolean nullsFirst,
            @Nullable DeviceMemory validity) {
        static final Rules DEFAULT = new Rules(false, false, false, null);
    }

    private DeviceKeyColumn(
            @Nullable DeviceMemory values,
            @Nullable ElementType type,
            int valueBytes,
            @Nullable DeviceStrings strings,
            Rules rules) {
        this.values = values;
        this.type = type;
        this.valueBytes = valueBytes;
        this.strings = strings;
        this.rules = rules;
    }

    /// Returns a column of numbers, as many as the memory has room for.
    ///
    /// @throws IllegalArgumentException if the type is a struct, or the size of the memory is no multiple of its size
    /// @throws IllegalStateException    if the memory is closed
    public static DeviceKeyColumn of(DeviceMemory values, ElementType type) {
        if (!type.isPrimitive()) {
            throw new IllegalArgumentException("a key column of type " + type
                    + ": give each field that is compared a column of its own, or sort the structs by Order.by(…)");
        }
        DeviceChecks.count("values", values, type);
        return new DeviceKeyColumn(values, type, type.byteSize(), null, Rules.DEFAULT);
    }

    /// Returns a column of strings of any length.
    public static DeviceKeyColumn of(DeviceStrings strings) {
        return new DeviceKeyColumn(null, null, 0, Objects.requireNonNull(strings, "strings"), Rules.DEFAULT);
    }

    /// Returns a column of strings that all have the same length and lie one after another, as many as the memory has
    /// room for.
    ///
    /// @param length of each string in bytes
    /// @throws IllegalArgumentException if the length is not positive, or the size of the memory is no multiple of it
    /// @throws IllegalStateException    if the memory is closed
    public static DeviceKeyColumn ofFixedStrings(DeviceMemory bytes, int length) {
        DeviceChecks.count("bytes", bytes, ElementType.BYTE);
        if (length <= 0) {
            throw new IllegalArgumentException("strings of " + length + " bytes: the length must be positive");
        }
        if (bytes.byteSize() % length != 0) {
            throw new IllegalArgumentException("the column has " + bytes.byteSize() + " bytes, which is no multiple of "
                    + length + ", the size of a value");
        }
        return new DeviceKeyColumn(bytes, null, length, null, Rules.DEFAULT);
    }

    /// Returns this column with its integers compared as unsigned.
    ///
    /// @throws IllegalArgumentException if these are floating-point numbers
    public DeviceKeyColumn unsigned() {
        if (type != null && (type.equals(ElementType.FLOAT) || type.equals(ElementType.DOUBLE))) {
            throw new IllegalArgumentException("a column of type " + type + " cannot be compared as unsigned");
        }
        return with(new Rules(true, rules.isReversed, rules.nullsFirst, rules.validity));
    }

    /// Returns this column from last to first, and with it where nulls come, as [java.util.Comparator#reversed] does.
    /// Rows whose values are equal keep their order. [#nullsFirst] or [#nullsLast] after it says where nulls come.
    public DeviceKeyColumn reversed() {
        return with(new Rules(rules.isUnsigned, !rules.isReversed, !rules.nullsFirst, rules.validity));
    }

    /// Returns this column with nulls before all values, whatever its direction.
    public DeviceKeyColumn nullsFirst() {
        return with(new Rules(rules.isUnsigned, rules.isReversed, true, rules.validity));
    }

    /// Returns this column with nulls after all values, whatever its direction. This is the default of a column that is
    /// not reversed.
    public DeviceKeyColumn nullsLast() {
        return with(new Rules(rules.isUnsigned, rules.isReversed, false, rules.validity));
    }

    /// Returns this column with nulls where a bit of `bitmap` is 0. What the column holds there does not matter, except
    /// that offsets of strings must not decrease. The bit of row r is the bit r mod 8 of byte r / 8, counted from the
    /// least significant one, as in Arrow.
    ///
    /// @throws IllegalArgumentException if there are fewer bits than rows
    /// @throws IllegalStateException    if the memory is closed
    public DeviceKeyColumn validity(DeviceMemory bitmap) {
        long needed = Math.ceilDiv(count(), Byte.SIZE);
        if (DeviceChecks.count("validity bitmap", bitmap, ElementType.BYTE) < needed) {
            throw new IllegalArgumentException("the validity bitmap has " + bitmap.byteSize() + " bytes: " + needed
                    + " are needed for " + count() + " rows");
        }
        return with(new Rules(rules.isUnsigned, rules.isReversed, rules.nullsFirst, bitmap));
    }

    private DeviceKeyColumn with(Rules changed) {
        return new DeviceKeyColumn(values, type, valueBytes, strings, changed);
    }

    /// Returns how many rows there are.
    public long count() {
        return strings != null
                ? strings.count()
                : Objects.requireNonNull(values).byteSize() / valueBytes;
    }

    /// Returns all memory that the column lies in.
    List<DeviceMemory> memory() {
        List<DeviceMemory> all = new ArrayList<>();
        if (strings != null) {
            all.add(strings.bytes());
            all.add(strings.offsets());
        } else {
            all.add(values);
        }
        if (rules.validity != null) {
            all.add(rules.validity);
        }
        return all;
    }

    /// Checks that the values of this column can be written to another one, in another order.
    ///
    /// @throws IllegalArgumentException if the other column has other values or another number of them, or shares
    ///     memory with this one or within itself
    void checkTarget(DeviceKeyColumn target) {
        if (target.count() != count()) {
            throw new IllegalArgumentException("the source has " + count() + " rows and the target " + target.count()
                    + ": both must have the same number of rows");
        }
        if (!target.kind().equals(kind())) {
            throw new IllegalArgumentException(
                    "the source has " + kind() + " and the target " + target.kind() + ": both must have the same");
        }
        if ((target.rules.validity == null) != (rules.validity == null)) {
            throw new IllegalArgumentException(
                    "one of source and target has a validity bitmap: both must have one, or none");
        }
        List<DeviceMemory> written = target.memory();
        for (int i = 0; i < written.size(); i++) {
            for (DeviceMemory read : memory()) {
                DeviceChecks.checkApart("target", written.get(i), "source", read);
            }
            for (int j = 0; j < i; j++) {
                DeviceChecks.checkApart("the target's validity bitmap", written.get(i), "values", written.get(j));
            }
        }
    }

    /// Says what the values are.
    private String kind() {
        if (strings != null) {
            return "strings of any length";
        }
        return type == null ? "strings of " + valueBytes + " bytes" : "values of type " + type;
    }

    /// Returns the form that the engine takes.
    ///
    /// @throws IllegalStateException if memory is closed
    DeviceColumn column() {
        return new DeviceColumn(
                type,
                rules.isUnsigned,
                values == null ? 0 : values.address(),
                valueBytes,
                strings == null ? null : strings.text(),
                count(),
                rules.isReversed,
                rules.validity == null ? 0 : rules.validity.address(),
                rules.nullsFirst);
    }
}
