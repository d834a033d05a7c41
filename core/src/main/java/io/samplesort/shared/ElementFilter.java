package io.samplesort.shared;

import io.samplesort.keys.OrderedBits;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;

/// Picks those of many elements that come before a bound or, for the last elements in order, those that do not. Numbers
/// in natural order are compared as integers, one after the other without calls; all others by a comparator.
public abstract class ElementFilter {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private ElementFilter() {}

    /// Returns a filter of elements of one type in one order.
    ///
    /// @param takesLast whether elements are wanted that do not come before the bound
    public static ElementFilter of(ElementType type, Order order, boolean takesLast) {
        if (!(order instanceof NaturalOrder natural)) {
            return new OfAny(type.byteSize(), order.toComparator(type), takesLast);
        }
        boolean turnsSign = natural.isUnsigned() || type.equals(ElementType.CHAR);
        // Turned round, the elements that are wanted come first in either case.
        long flip = OrderedBits.flip(Long.SIZE, false, natural.isReversed() != takesLast);
        long sign = turnsSign ? -1L << type.byteSize() * Byte.SIZE - 1 : 0;
        return new OfNumbers(type, flip ^ sign, takesLast);
    }

    /// Sets the element that others are compared with.
    public abstract void setBound(MemorySegment element);

    /// Copies the elements that are wanted, in their order.
    ///
    /// @param source whole elements
    /// @param target room for all of them
    /// @return how many bytes were copied
    public abstract long copy(MemorySegment source, MemorySegment target);

    /// Compares elements by a comparator.
    private static final class OfAny extends ElementFilter {
        private final int elementBytes;
        private final Comparator<MemorySegment> order;
        private final boolean takesLast;
        private final MemorySegment bound;

        OfAny(int elementBytes, Comparator<MemorySegment> order, boolean takesLast) {
            this.elementBytes = elementBytes;
            this.order = order;
            this.takesLast = takesLast;
            // An array of longs is aligned for all elements.
            this.bound = MemorySegment.ofArray(new long[Math.ceilDiv(elementBytes, Long.BYTES)])
                    .asSlice(0, elementBytes);
        }

        @Override
        public void setBound(MemorySegment element) {
            bound.copyFrom(element);
        }

        @Override
        public long copy(MemorySegment source, MemorySegment target) {
            MemorySegment readOnly = source.asReadOnly();
            MemorySegment limit = bound.asReadOnly();
            long end = 0;
            for (long at = 0; at < source.byteSize(); at += elementBytes) {
                if (order.compare(readOnly.asSlice(at, elementBytes), limit) < 0 != takesLast) {
                    MemorySegment.copy(source, at, target, end, elementBytes);
                    end += elementBytes;
                }
            }
            return end;
        }
    }

    /// Compares numbers as signed integers.
    private static final class OfNumbers extends ElementFilter {
        private final ElementType type;
        private final long flip;
        private final boolean takesLast;
        /// The greatest key that is wanted.
        private long greatest;

        private boolean isNoneWanted;

        OfNumbers(ElementType type, long flip, boolean takesLast) {
            this.type = type;
            this.flip = flip;
            this.takesLast = takesLast;
        }

        @Override
        public void setBound(MemorySegment element) {
            long key = key(element);
            isNoneWanted = !takesLast && key == Long.MIN_VALUE;
            greatest = takesLast ? key : key - 1;
        }

        private long key(MemorySegment element) {
            long bits = switch (type.byteSize()) {
                case Byte.BYTES -> element.get(BYTE, 0);
                case Short.BYTES -> element.get(SHORT, 0);
                case Integer.BYTES ->
                    type.equals(ElementType.FLOAT) ? OrderedBits.ofFloat(element.get(INT, 0)) : element.get(INT, 0);
                default ->
                    type.equals(ElementType.DOUBLE) ? OrderedBits.ofDouble(element.get(LONG, 0)) : element.get(LONG, 0);
            };
            return bits ^ flip;
        }

        @Override
        public long copy(MemorySegment source, MemorySegment target) {
            if (isNoneWanted) {
                return 0;
            }
            return switch (type.byteSize()) {
                case Byte.BYTES -> copyBytes(source, target);
                case Short.BYTES -> copyShorts(source, target);
                case Integer.BYTES ->
                    type.equals(ElementType.FLOAT) ? copyFloats(source, target) : copyInts(source, target);
                default -> type.equals(ElementType.DOUBLE) ? copyDoubles(source, target) : copyLongs(source, target);
            };
        }

        private long copyBytes(MemorySegment source, MemorySegment target) {
            long end = 0;
            for (long at = 0; at < source.byteSize(); at++) {
                byte number = source.get(BYTE, at);
                if ((number ^ flip) <= greatest) {
                    target.set(BYTE, end, number);
                    end++;
                }
            }
            return end;
        }

        private long copyShorts(MemorySegment source, MemorySegment target) {
            long end = 0;
            for (long at = 0; at < source.byteSize(); at += Short.BYTES) {
                short number = source.get(SHORT, at);
                if ((number ^ flip) <= greatest) {
                    target.set(SHORT, end, number);
                    end += Short.BYTES;
                }
            }
            return end;
        }

        private long copyInts(MemorySegment source, MemorySegment target) {
            long end = 0;
            for (long at = 0; at < source.byteSize(); at += Integer.BYTES) {
                int number = source.get(INT, at);
                if ((number ^ flip) <= greatest) {
                    target.set(INT, end, number);
                    end += Integer.BYTES;
                }
            }
            return end;
        }

        private long copyFloats(MemorySegment source, MemorySegment target) {
            long end = 0;
            for (long at = 0; at < source.byteSize(); at += Integer.BYTES) {
                int bits = source.get(INT, at);
                if ((OrderedBits.ofFloat(bits) ^ flip) <= greatest) {
                    target.set(INT, end, bits);
                    end += Integer.BYTES;
                }
            }
            return end;
        }

        private long copyLongs(MemorySegment source, MemorySegment target) {
            long end = 0;
            for (long at = 0; at < source.byteSize(); at += Long.BYTES) {
                long number = source.get(LONG, at);
                if ((number ^ flip) <= greatest) {
                    target.set(LONG, end, number);
                    end += Long.BYTES;
                }
            }
            return end;
        }

        private long copyDoubles(MemorySegment source, MemorySegment target) {
            long end = 0;
            for (long at = 0; at < source.byteSize(); at += Long.BYTES) {
                long bits = source.get(LONG, at);
                if ((OrderedBits.ofDouble(bits) ^ flip) <= greatest) {
                    target.set(LONG, end, bits);
                    end += Long.BYTES;
                }
            }
            return end;
        }
    }
}
