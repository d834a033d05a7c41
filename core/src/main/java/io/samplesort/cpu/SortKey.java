package io.samplesort.cpu;

import io.samplesort.CustomOrder;
import io.samplesort.ElementType;
import io.samplesort.FieldOrder;
import io.samplesort.NaturalOrder;
import io.samplesort.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// What an order looks at in an element, as bits in the order of their weight. The first 64 are the prefix: elements
/// are sorted by it as plain numbers, and only those with equal prefixes are compared further.
final class SortKey {
    private final KeyPart[] parts;
    private final int elementBytes;
    /// The first part that does not wholly lie in the prefix.
    private final int firstOfRest;
    private final int prefixBits;

    private SortKey(List<KeyPart> parts, int elementBytes) {
        this.parts = parts.toArray(KeyPart[]::new);
        this.elementBytes = elementBytes;
        int whole = 0;
        int bits = 0;
        while (whole < this.parts.length && bits + this.parts[whole].width() <= Long.SIZE) {
            bits += this.parts[whole++].width();
        }
        this.firstOfRest = whole;
        this.prefixBits = whole < this.parts.length ? Long.SIZE : bits;
    }

    /// The sort key of elements of `type`; null for an order that is a comparator of the user's.
    static SortKey of(ElementType type, Order order) {
        order.checkApplicableTo(type);
        List<KeyPart> parts = new ArrayList<>();
        switch (order) {
            case NaturalOrder natural ->
                KeyPart.addValue(
                        (ValueLayout) type.layout(),
                        0,
                        natural.isUnsigned(),
                        natural.isReversed(),
                        KeyPart.NEVER_NULL,
                        parts);
            case FieldOrder fields -> fields.terms().forEach(term -> addTerm(type, term, parts));
            case CustomOrder custom -> {
                return null;
            }
        }
        return new SortKey(parts, type.byteSize());
    }

    private static void addTerm(ElementType type, FieldOrder.Term term, List<KeyPart> parts) {
        ElementType.Field field = type.field(term.field()).orElseThrow();
        long validity = KeyPart.NEVER_NULL;
        if (term.validity() != null) {
            validity = type.field(term.validity()).orElseThrow().offset();
            KeyPart.addValidity(validity, term.nullsFirst(), parts);
        }
        if (field.isByteString()) {
            KeyPart.addString(field, term.isReversed(), validity, parts);
        } else {
            KeyPart.addValue(field.layout(), field.offset(), term.isUnsigned(), term.isReversed(), validity, parts);
        }
    }

    /// How many bits the prefix has, at the lower end of a long.
    int prefixBits() {
        return prefixBits;
    }

    /// Whether elements with equal prefixes are equal.
    boolean isWholeInPrefix() {
        return firstOfRest == parts.length;
    }

    /// The prefix of element `index`, to be compared as unsigned.
    long prefix(MemorySegment elements, long index) {
        long element = index * elementBytes;
        long prefix = 0;
        for (int i = 0; i < firstOfRest; i++) {
            KeyPart part = parts[i];
            // A part of 64 bits is the only one here: that this shift does nothing then does not matter.
            prefix = prefix << part.width() | part.bits(elements, element);
        }
        return firstOfRest == parts.length ? prefix : fill(prefix, elements, element);
    }

    /// Fills the prefix up with the upper bits of the first part that does not fit.
    private long fill(long prefix, MemorySegment elements, long element) {
        int room = Long.SIZE;
        for (int i = 0; i < firstOfRest; i++) {
            room -= parts[i].width();
        }
        if (room == 0) {
            return prefix;
        }
        KeyPart part = parts[firstOfRest];
        return prefix << room | part.bits(elements, element) >>> (part.width() - room);
    }

    /// Compares elements by their whole keys.
    ElementComparator comparator(MemorySegment elements) {
        return (a, b) -> compare(elements, a, b, 0);
    }

    /// Compares elements with equal prefixes.
    ElementComparator comparatorOfRest(MemorySegment elements) {
        return (a, b) -> compare(elements, a, b, firstOfRest);
    }

    private int compare(MemorySegment elements, long a, long b, int firstPart) {
        long elementA = a * elementBytes;
        long elementB = b * elementBytes;
        for (int i = firstPart; i < parts.length; i++) {
            long bitsA = parts[i].bits(elements, elementA);
            long bitsB = parts[i].bits(elements, elementB);
            if (bitsA != bitsB) {
                return Long.compareUnsigned(bitsA, bitsB);
            }
        }
        return 0;
    }
}
