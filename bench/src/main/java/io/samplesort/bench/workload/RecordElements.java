package io.samplesort.bench.workload;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.samplesort.types.ElementType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/// The elements that `bench records` sorts: their layout, how one is drawn, and how two of them compare. The comparison
/// is written out here and does not use the orders of the library, so that it can judge them.
public enum RecordElements {
    /// 16 bytes, compared by price, then by id.
    PRICED_ID(MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("price"), JAVA_INT.withName("id"), JAVA_INT.withName("quantity"))) {
        @Override
        void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random) {
            elements.set(JAVA_DOUBLE, at, price(input, random));
            elements.set(JAVA_INT, at + 8, random.nextInt(REPEATED_IDS) - REPEATED_IDS / 2);
            elements.set(JAVA_INT, at + 12, (int) index);
        }

        @Override
        public int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
            int byPrice = Double.compare(a.get(JAVA_DOUBLE, atA), b.get(JAVA_DOUBLE, atB));
            return byPrice != 0 ? byPrice : Integer.compare(a.get(JAVA_INT, atA + 8), b.get(JAVA_INT, atB + 8));
        }
    },
    /// 16 bytes: two unsigned words, of which the first is compared first.
    TWO_WORDS(MemoryLayout.structLayout(JAVA_LONG.withName("a"), JAVA_LONG.withName("b"))) {
        @Override
        void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random) {
            elements.set(JAVA_LONG, at, input.word(random));
            elements.set(JAVA_LONG, at + 8, random.nextLong());
        }

        @Override
        public int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
            int byFirst = Long.compareUnsigned(a.get(JAVA_LONG, atA), b.get(JAVA_LONG, atB));
            return byFirst != 0 ? byFirst : Long.compareUnsigned(a.get(JAVA_LONG, atA + 8), b.get(JAVA_LONG, atB + 8));
        }
    },
    /// 32 bytes, compared by the product of price and quantity.
    TRADE(MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("price"),
            JAVA_DOUBLE.withName("quantity"),
            JAVA_LONG.withName("id"),
            JAVA_LONG.withName("rest"))) {
        @Override
        void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random) {
            elements.set(JAVA_DOUBLE, at, price(input, random));
            // Where prices repeat, lots have only a few sizes, so that products repeat as well.
            elements.set(
                    JAVA_DOUBLE,
                    at + 8,
                    input == RecordInput.DUPLICATES ? 1 << random.nextInt(4) : random.nextDouble() * MOST_QUANTITY);
            elements.set(JAVA_LONG, at + 16, index);
            elements.set(JAVA_LONG, at + 24, random.nextLong());
        }

        @Override
        public int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
            return Double.compare(
                    a.get(JAVA_DOUBLE, atA) * a.get(JAVA_DOUBLE, atA + 8),
                    b.get(JAVA_DOUBLE, atB) * b.get(JAVA_DOUBLE, atB + 8));
        }
    },
    /// 100 bytes as gensort makes them: a key of 10 printable characters, the number of the record, and filler.
    RECORD_100(MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(10, JAVA_BYTE).withName("key"),
            MemoryLayout.sequenceLayout(90, JAVA_BYTE).withName("rest"))) {
        @Override
        void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random) {
            long word = input.word(random);
            drawCharacters(elements, at, word);
            // Where there are few first halves, the second half follows from the first one, so that keys repeat.
            drawCharacters(elements, at + 5, input == RecordInput.DUPLICATES ? ~word : random.nextLong());
            elements.set(JAVA_SHORT_UNALIGNED, at + 10, (short) 0x2020);
            elements.set(JAVA_LONG_UNALIGNED, at + 12, index);
            for (long offset = 20; offset < 100; offset += Long.BYTES) {
                elements.set(JAVA_LONG_UNALIGNED, at + offset, random.nextLong());
            }
        }

        @Override
        public int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
            int byPrefix = Long.compareUnsigned(a.get(FIRST_BYTES, atA), b.get(FIRST_BYTES, atB));
            return byPrefix != 0
                    ? byPrefix
                    : Integer.compare(
                            Short.toUnsignedInt(a.get(LAST_BYTES, atA + 8)),
                            Short.toUnsignedInt(b.get(LAST_BYTES, atB + 8)));
        }
    },
    /// Unsigned words.
    U64(JAVA_LONG) {
        @Override
        void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random) {
            elements.set(JAVA_LONG, at, input.word(random));
        }

        @Override
        public int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
            return Long.compareUnsigned(a.get(JAVA_LONG, atA), b.get(JAVA_LONG, atB));
        }
    },
    /// Unsigned half words.
    U32(JAVA_INT) {
        @Override
        void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random) {
            elements.set(JAVA_INT, at, (int) (input.word(random) >>> 32));
        }

        @Override
        public int compare(MemorySegment a, long atA, MemorySegment b, long atB) {
            return Integer.compareUnsigned(a.get(JAVA_INT, atA), b.get(JAVA_INT, atB));
        }
    };

    private static final int REPEATED_IDS = 1 << 20;
    private static final double MOST_QUANTITY = 1000;
    private static final double LARGEST_PRICE = 10_000;
    private static final int PRINTABLE = '~' - ' ' + 1;
    private static final ValueLayout.OfLong FIRST_BYTES = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort LAST_BYTES = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final ElementType type;

    RecordElements(MemoryLayout layout) {
        type = ElementType.of(layout);
    }

    public ElementType type() {
        return type;
    }

    /// Draws the element that begins at byte `at`.
    ///
    /// @param index the number of the element
    abstract void draw(MemorySegment elements, long at, long index, RecordInput input, SplittableRandom random);

    /// Compares the elements that begin at these bytes.
    public abstract int compare(MemorySegment a, long atA, MemorySegment b, long atB);

    /// Returns whether all elements are in order: none belongs before its left neighbour, and equal ones have ascending
    /// indexes.
    ///
    /// @param indexes null if equal elements may come in any order
    public boolean isInOrder(MemorySegment keys, MemorySegment indexes) {
        int bytes = type.byteSize();
        return LongStream.range(1, keys.byteSize() / bytes).parallel().allMatch(i -> {
            int comparison = compare(keys, (i - 1) * bytes, keys, i * bytes);
            return comparison < 0
                    || (comparison == 0
                            && (indexes == null
                                    || indexes.getAtIndex(JAVA_INT, i - 1) < indexes.getAtIndex(JAVA_INT, i)));
        });
    }

    private static double price(RecordInput input, SplittableRandom random) {
        return input.unit(random) * LARGEST_PRICE;
    }

    /// Draws five printable characters, each from 12 bits of the word.
    private static void drawCharacters(MemorySegment elements, long at, long word) {
        for (int i = 0; i < 5; i++) {
            elements.set(JAVA_BYTE, at + i, (byte) (' ' + ((word >>> (12 * i) & 0xfff) * PRINTABLE >>> 12)));
        }
    }
}
