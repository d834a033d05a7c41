package io.samplesort.cpu.records;

import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.threads.Loops;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// The bits of an element that an order compares, the most significant first. The first 64 are the prefix: elements are
/// sorted by it as plain numbers, and only those with equal prefixes are compared further.
public final class SortKey {
    /// A sample of this many elements shows whether reading all of them is worth the time.
    private static final int SAMPLE_SIZE = 256;

    /// A part stays as it is if narrowing it would save fewer bits than this.
    private static final int WORTHWHILE_BITS = 4;

    /// If the leading bits can have at least as many values as there are elements, times two to this power, few
    /// elements are tied.
    private static final int FEW_TIES_BITS = 7;

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
    public static SortKey of(ElementType type, Order order) {
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

    /// Returns the same sort key for the elements at some places, with as few bits as their values need. Then more of
    /// the key, often all of it, is in the prefix: fields are wide, but their values are mostly small or similar.
    ///
    /// @param indexes returns the index of the element at a place
    public SortKey narrowed(
            MemorySegment elements, LongUnaryOperator indexes, int from, int to, Loops loops, int grain) {
        return narrowed(elements, indexes, from, to, loops, grain, WORTHWHILE_BITS);
    }

    /// Returns the same for sorts of leading bits with the places of the elements, which take this many bits. A key
    /// with enough leading bits stays as it is, since reading all elements takes longer than sorting a few ties.
    public SortKey narrowedForPlaces(MemorySegment elements, int count, int placeBits, Loops loops, int grain) {
        int spare = parts.length == 1 ? Long.SIZE - 2 * placeBits - FEW_TIES_BITS : 0;
        return narrowed(elements, i -> i, 0, count, loops, grain, Math.max(WORTHWHILE_BITS, spare));
    }

    /// Returns the same as [#narrowed], but without any leading bits that are the same for all of the elements.
    public SortKey narrowedExactly(
            MemorySegment elements, LongUnaryOperator indexes, int from, int to, Loops loops, int grain) {
        return narrowed(elements, indexes, from, to, loops, grain, 1);
    }

    private SortKey narrowed(
            MemorySegment elements,
            LongUnaryOperator indexes,
            int from,
            int to,
            Loops loops,
            int grain,
            int worthwhile) {
        List<KeyBits> narrowed = new ArrayList<>(List.of(parts));
        int bits = 0;
        for (int i = 0; i < parts.length && bits < Long.SIZE; i++) {
            KeyBits part = parts[i];
            KeyRange sampled = new KeyRange(part, elements, elementBytes, indexes);
            sampled.look(from, to, Math.max(1, (to - from) / SAMPLE_SIZE));
            if (part.width() - sampled.narrowedPart().width() >= worthwhile) {
                KeyRange all = new KeyRange(part, elements, elementBytes, indexes);
                loops.forRanges(to - from, grain, (first, last) -> all.look(from + (int) first, from + (int) last, 1));
                narrowed.set(i, all.narrowedPart());
            }
            bits += narrowed.get(i).width();
        }
        return new SortKey(narrowed, elementBytes);
    }

    /// Returns the part of the key that comes after the prefix, as a key for elements with equal prefixes; null if
    /// there is no such part.
    public SortKey rest() {
        return isWholeInPrefix() ? null : new SortKey(List.of(parts).subList(firstOfRest, parts.length), elementBytes);
    }

    /// Returns the same key for elements at this distance from each other in bytes.
    public SortKey ofElements(int bytes) {
        return bytes == elementBytes ? this : new SortKey(List.of(parts), bytes);
    }

    /// Returns whether elements with equal prefixes are equal.
    public boolean isWholeInPrefix() {
        return firstOfRest == parts.length;
    }

    /// Returns whether all elements are equal by this key.
    public boolean isConstant() {
        return isWholeInPrefix() && prefixBits == 0;
    }

    /// Returns whether one long has room for the whole key and this many other bits.
    public boolean isPackable(int bits) {
        return isWholeInPrefix() && prefixBits + bits <= Long.SIZE;
    }

    /// Returns one long with the upper bits of the prefix, as many as fit, and below them the number `place` in
    /// `placeBits` bits.
    public long packed(MemorySegment elements, long index, int place, int placeBits) {
        return prefix(elements, index) >>> bitsLeft(placeBits) << placeBits | place;
    }

    /// Writes such longs of the first `count` records of an array to `packed`, with an inverted sign bit, so that they
    /// compare as signed.
    ///
    /// @param firstPlace the place of the first record
    /// @param spare      room for `count` numbers
    public void pack(byte[] records, int count, int firstPlace, int placeBits, long[] packed, long[] spare) {
        prefixes(records, count, packed, spare);
        int right = bitsLeft(placeBits);
        for (int i = 0; i < count; i++) {
            packed[i] = ((packed[i] ^ Long.MIN_VALUE) >>> right << placeBits | firstPlace + i) ^ Long.MIN_VALUE;
        }
    }

    /// Returns how the kernels make such longs of records; null if they cannot, since more than one part of the key
    /// goes into them, or a part is read in another way.
    public SimdRecords.Packing packing(int placeBits) {
        KeyBits part = parts[0];
        int room = Long.SIZE - placeBits;
        boolean isAlone = parts.length == 1 || part.width() >= room && !isPackable(placeBits);
        return isAlone && part.read() != null
                ? new SimdRecords.Packing(
                        part.read(),
                        part.offset(),
                        part.flip(),
                        part.least(),
                        Math.max(0, part.width() - room),
                        placeBits)
                : null;
    }

    /// Returns how the kernels read all of the key; null if they cannot, since it has several parts or is read in
    /// another way.
    public SimdRecords.Packing whole() {
        return parts.length == 1 ? packing(0) : null;
    }

    /// Returns how many bits of the prefix do not fit one long together with this many other bits.
    private int bitsLeft(int placeBits) {
        return Math.max(0, prefixBits + placeBits - Long.SIZE);
    }

    /// Returns the prefix of element `index`, which compares as unsigned.
    public long prefix(MemorySegment elements, long index) {
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
    /// they compare as signed.
    ///
    /// @param spare room for `count` numbers
    public void prefixes(byte[] records, int count, long[] prefixes, long[] spare) {
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
    public ElementComparator comparator(MemorySegment elements) {
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
