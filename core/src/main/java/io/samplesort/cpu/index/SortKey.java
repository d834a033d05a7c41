package io.samplesort.cpu.index;

import io.samplesort.cpu.Parallel;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The bits of an element that an order looks at, in the order of their weight. The first 64 are the prefix: elements
/// are sorted by it as plain numbers, and only those with equal prefixes are compared further.
final class SortKey {
    /// Looking at so many elements tells whether looking at all of them is worth the time.
    private static final int SAMPLE_SIZE = 256;

    /// A part stays as it is if narrowing it would save fewer bits than this.
    private static final int WORTHWHILE_BITS = 4;

    private final KeyBits[] parts;
    private final int elementBytes;
    /// The first part that does not lie wholly in the prefix.
    private final int firstOfRest;
    private final int prefixBits;

    private SortKey(List<KeyBits> parts, int elementBytes) {
        this.parts = parts.toArray(KeyBits[]::new);
        this.elementBytes = elementBytes;
        int whole = 0;
        int bits = 0;
        while (whole < this.parts.length && bits + this.parts[whole].width() <= Long.SIZE) {
            bits += this.parts[whole++].width();
        }
        this.firstOfRest = whole;
        this.prefixBits = whole < this.parts.length ? Long.SIZE : bits;
    }

    /// Returns the sort key of elements of `type`; null if the order is a comparator of the user's own.
    static SortKey of(ElementType type, Order order) {
        order.checkApplicableTo(type);
        List<KeyBits> parts = new ArrayList<>();
        switch (order) {
            case NaturalOrder natural ->
                KeyBits.addValue(
                        (ValueLayout) type.layout(),
                        0,
                        natural.isUnsigned(),
                        natural.isReversed(),
                        KeyBits.NEVER_NULL,
                        parts);
            case FieldOrder fields -> fields.terms().forEach(term -> addTerm(type, term, parts));
            case CustomOrder custom -> {
                return null;
            }
        }
        return new SortKey(parts, type.byteSize());
    }

    private static void addTerm(ElementType type, FieldOrder.Term term, List<KeyBits> parts) {
        ElementType.Field field = type.field(term.field()).orElseThrow();
        long validity = KeyBits.NEVER_NULL;
        if (term.validity() != null) {
            validity = type.field(term.validity()).orElseThrow().offset();
            KeyBits.addValidity(validity, term.nullsFirst(), parts);
        }
        if (field.isByteString()) {
            KeyBits.addString(field, term.isReversed(), validity, parts);
        } else {
            KeyBits.addValue(field.layout(), field.offset(), term.isUnsigned(), term.isReversed(), validity, parts);
        }
    }

    /// Returns the same sort key for the elements at some places of `indexes`, with as few bits as their values need.
    /// More of the key, often all of it, is in the prefix then: fields are wide, but what they hold is mostly small or
    /// alike.
    ///
    /// @param indexes null if the places are the indexes
    SortKey narrowed(MemorySegment elements, int[] indexes, int from, int to, Parallel parallel, int grain) {
        List<KeyBits> narrowed = new ArrayList<>(List.of(parts));
        int bits = 0;
        for (int i = 0; i < parts.length && bits < Long.SIZE; i++) {
            narrowed.set(i, narrowed(parts[i], elements, indexes, from, to, parallel, grain));
            bits += narrowed.get(i).width();
        }
        return new SortKey(narrowed, elementBytes);
    }

    private KeyBits narrowed(
            KeyBits part, MemorySegment elements, int[] indexes, int from, int to, Parallel parallel, int grain) {
        KeyRange sampled = new KeyRange(part, elements, elementBytes, indexes);
        sampled.look(from, to, Math.max(1, (to - from) / SAMPLE_SIZE));
        if (part.width() - sampled.narrowedPart().width() < WORTHWHILE_BITS) {
            return part;
        }
        KeyRange all = new KeyRange(part, elements, elementBytes, indexes);
        parallel.forRanges(to - from, grain, (first, last) -> all.look(from + (int) first, from + (int) last, 1));
        return all.narrowedPart();
    }

    /// Returns the part of the key that comes after the prefix, as a key for elements with equal prefixes; null if
    /// there is no such part.
    SortKey rest() {
        return isWholeInPrefix() ? null : new SortKey(List.of(parts).subList(firstOfRest, parts.length), elementBytes);
    }

    /// Returns the same key for elements that lie so many bytes from each other.
    SortKey ofElements(int bytes) {
        return bytes == elementBytes ? this : new SortKey(List.of(parts), bytes);
    }

    /// Returns whether elements with equal prefixes are equal.
    boolean isWholeInPrefix() {
        return firstOfRest == parts.length;
    }

    /// Returns whether one long has room for the whole key and so many bits beside it.
    boolean isPackable(int bits) {
        return isWholeInPrefix() && prefixBits + bits <= Long.SIZE;
    }

    /// Returns one long of the upper bits of the prefix, as many as fit, and below them the number `place` of so many
    /// bits.
    long packed(MemorySegment elements, long index, int place, int placeBits) {
        int left = Math.max(0, prefixBits + placeBits - Long.SIZE);
        return prefix(elements, index) >>> left << placeBits | place;
    }

    /// Returns the prefix of element `index`, which compares as unsigned.
    long prefix(MemorySegment elements, long index) {
        long element = index * elementBytes;
        long prefix = 0;
        for (int i = 0; i < firstOfRest; i++) {
            KeyBits part = parts[i];
            // A part of 64 bits is always the first one, so it does not matter that this shift does nothing then.
            prefix = prefix << part.width() | part.bits(elements, element);
        }
        return firstOfRest == parts.length ? prefix : fill(prefix, elements, element);
    }

    /// Writes the prefixes of the first `count` records of an array to `prefixes`, with an inverted sign bit, so that
    /// they
    /// compare as signed.
    ///
    /// @param spare room for `count` numbers
    void prefixes(byte[] records, int count, long[] prefixes, long[] spare) {
        int left = Long.SIZE;
        for (int i = 0; i < parts.length && left > 0; i++) {
            KeyBits part = parts[i];
            int width = Math.min(part.width(), left);
            if (i == 0) {
                PrefixReader.read(part, records, elementBytes, count, prefixes);
            } else if (width > 0) {
                PrefixReader.read(part, records, elementBytes, count, spare);
                int cut = part.width() - width;
                for (int at = 0; at < count; at++) {
                    prefixes[at] = prefixes[at] << width | spare[at] >>> cut;
                }
            }
            left -= width;
        }
        for (int at = 0; at < count; at++) {
            prefixes[at] ^= Long.MIN_VALUE;
        }
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
        KeyBits part = parts[firstOfRest];
        return prefix << room | part.bits(elements, element) >>> (part.width() - room);
    }

    /// Returns a comparator of elements by their whole keys.
    ElementComparator comparator(MemorySegment elements) {
        return (a, b) -> compare(elements, a * elementBytes, b * elementBytes);
    }

    private int compare(MemorySegment elements, long elementA, long elementB) {
        for (KeyBits part : parts) {
            long bitsA = part.bits(elements, elementA);
            long bitsB = part.bits(elements, elementB);
            if (bitsA != bitsB) {
                return Long.compareUnsigned(bitsA, bitsB);
            }
        }
        return 0;
    }
}
