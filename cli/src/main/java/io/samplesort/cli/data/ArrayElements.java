package io.samplesort.cli.data;

import io.samplesort.cli.npy.NpyKeys;
import io.samplesort.cli.npy.NpyType;
import io.samplesort.files.types.FileConversion;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.OptionalLong;

/// Elements of a NumPy array that are not plain numbers in the format of this machine.
///
/// @param npyType the type of the elements as NumPy has it
/// @param keys    how they are sorted
public record ArrayElements(NpyType npyType, NpyKeys keys) implements Elements {
    @Override
    public ElementType type() {
        return keys.type();
    }

    @Override
    public Order order() {
        return keys.order();
    }

    @Override
    public FileConversion conversion() {
        return keys.conversion();
    }

    /// {@inheritDoc} It converts copies of the elements, so it is only for checks.
    @Override
    public Comparator<MemorySegment> comparator() {
        Comparator<MemorySegment> sorted = order().toComparator(type());
        return conversion().equals(FileConversion.NONE) ? sorted : (a, b) -> sorted.compare(converted(a), converted(b));
    }

    private MemorySegment converted(MemorySegment element) {
        MemorySegment copy = MemorySegment.ofArray(new byte[type().byteSize()]);
        copy.copyFrom(element);
        conversion().afterReading(copy);
        return copy;
    }

    @Override
    public String plural() {
        return (npyType.isStructured() ? "records " : "") + npyType + (npyType.isStructured() ? "" : " keys");
    }

    @Override
    public String singular() {
        return npyType.isStructured() ? "a record" : "a " + npyType;
    }

    @Override
    public OptionalLong firstViolation(MemorySegment elements) {
        return ResultCheck.firstViolation(elements, type().byteSize(), comparator());
    }

    @Override
    public String toString() {
        return npyType.toString();
    }
}
