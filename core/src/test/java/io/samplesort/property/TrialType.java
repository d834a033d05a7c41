package io.samplesort.property;

import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The type of a trial's elements. Its text is a value (`i8 i16 u16 i32 i64 f32 f64`), or a struct of values, `bool`
/// and strings of bytes, such as `{i32,s7,bool}`, whose fields are called f0, f1 and so on. A `b` behind a value of a
/// struct, as in `i32b`, makes it big-endian.
record TrialType(ElementType type, List<String> values) {
    /// Floats have NaNs of many bits and both zeros among their values.
    private static final int[] FLOATS = {
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffc0_0000,
        0x7f80_0001,
        0xffff_ffff,
        0x7fff_ffff,
        1
    };

    private static final long[] DOUBLES = {
        0,
        1L << 63,
        0x3ff0_0000_0000_0000L,
        0xbff0_0000_0000_0000L,
        0x7ff0_0000_0000_0000L,
        0xfff0_0000_0000_0000L,
        0x7ff8_0000_0000_0000L,
        0xfff8_0000_0000_0000L,
        0x7ff0_0000_0000_0001L,
        -1L,
        0x7fff_ffff_ffff_ffffL,
        1
    };

    private static final Pattern TERM = Pattern.compile("(\\d+)(u?)(-?)(?:([fl])(\\d+))?");

    static TrialType parse(String text) {
        if (!text.startsWith("{")) {
            return new TrialType(ElementType.of(value(text)), List.of(text));
        }
        List<String> values = List.of(text.substring(1, text.length() - 1).split(","));
        List<MemoryLayout> members = new ArrayList<>();
        long end = 0;
        long alignment = 1;
        for (int i = 0; i < values.size(); i++) {
            MemoryLayout layout = values.get(i).startsWith("s")
                    ? MemoryLayout.sequenceLayout(Integer.parseInt(values.get(i).substring(1)), ValueLayout.JAVA_BYTE)
                    : value(values.get(i));
            end = pad(members, end, layout.byteAlignment());
            members.add(layout.withName("f" + i));
            end += layout.byteSize();
            alignment = Math.max(alignment, layout.byteAlignment());
        }
        pad(members, end, alignment);
        return new TrialType(ElementType.of(MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new))), values);
    }

    private static long pad(List<MemoryLayout> members, long end, long alignment) {
        long padding = (alignment - end % alignment) % alignment;
        if (padding > 0) {
            members.add(MemoryLayout.paddingLayout(padding));
        }
        return end + padding;
    }

    private static ValueLayout value(String text) {
        if (isBigEndian(text)) {
            return value(text.substring(0, text.length() - 1)).withOrder(ByteOrder.BIG_ENDIAN);
        }
        return switch (text) {
            case "bool" -> ValueLayout.JAVA_BOOLEAN;
            case "i8" -> ValueLayout.JAVA_BYTE;
            case "i16" -> ValueLayout.JAVA_SHORT;
            case "u16" -> ValueLayout.JAVA_CHAR;
            case "i32" -> ValueLayout.JAVA_INT;
            case "i64" -> ValueLayout.JAVA_LONG;
            case "f32" -> ValueLayout.JAVA_FLOAT;
            case "f64" -> ValueLayout.JAVA_DOUBLE;
            default -> throw new IllegalArgumentException("type " + text);
        };
    }

    private static boolean isBigEndian(String value) {
        return value.endsWith("b");
    }

    /// Reads an order. Of a value, it is `n` for natural, `u` for unsigned or `c` for a comparator, with `-` behind it
    /// if it is reversed. Of a struct, it names the numbers of fields: `2u-,0f3` is field 2, unsigned and reversed,
    /// then field 0, with nulls first where field 3 is 0 (`l` for last). A `c` before it gives the same as a
    /// comparator.
    Order order(String text) {
        if (text.startsWith("c")) {
            boolean isValue = type.isPrimitive();
            Order same = isValue ? Order.natural() : order(text.substring(1));
            Order custom = Order.custom("a < b", same.toComparator(type));
            return isValue && text.endsWith("-") ? custom.reversed() : custom;
        }
        if (type.isPrimitive()) {
            Order order = text.startsWith("u") ? Order.unsigned() : Order.natural();
            return text.endsWith("-") ? order.reversed() : order;
        }
        List<FieldOrder.Term> terms = new ArrayList<>();
        for (String term : text.split(",")) {
            Matcher parts = TERM.matcher(term);
            if (!parts.matches()) {
                throw new IllegalArgumentException("term " + term);
            }
            String validity = parts.group(5) == null ? null : "f" + parts.group(5);
            terms.add(new FieldOrder.Term(
                    "f" + parts.group(1),
                    !parts.group(2).isEmpty(),
                    !parts.group(3).isEmpty(),
                    validity,
                    "f".equals(parts.group(4))));
        }
        return new FieldOrder(terms);
    }

    /// Fills elements with random values.
    ///
    /// @param distinct how many different values each field takes; 0 for any bits
    void fill(MemorySegment elements, int distinct, SplittableRandom random) {
        byte[] bytes = new byte[Math.toIntExact(elements.byteSize())];
        random.nextBytes(bytes);
        elements.copyFrom(MemorySegment.ofArray(bytes));
        if (distinct == 0) {
            return;
        }
        for (long at = 0; at < elements.byteSize(); at += type.byteSize()) {
            if (type.isPrimitive()) {
                put(elements, at, values.getFirst(), random.nextInt(distinct));
            }
            for (int i = 0; i < type.fields().size(); i++) {
                ElementType.Field field = type.fields().get(i);
                put(elements, at + field.offset(), values.get(i), random.nextInt(distinct));
            }
        }
    }

    private static void put(MemorySegment elements, long at, String value, int number) {
        if (isBigEndian(value)) {
            String little = value.substring(0, value.length() - 1);
            put(elements, at, little, number);
            int bytes = (int) value(little).byteSize();
            for (int i = 0; i < bytes / 2; i++) {
                byte first = elements.get(ValueLayout.JAVA_BYTE, at + i);
                elements.set(ValueLayout.JAVA_BYTE, at + i, elements.get(ValueLayout.JAVA_BYTE, at + bytes - 1 - i));
                elements.set(ValueLayout.JAVA_BYTE, at + bytes - 1 - i, first);
            }
            return;
        }
        switch (value) {
            case "bool" -> elements.set(ValueLayout.JAVA_BYTE, at, (byte) (number % 3));
            case "i8" -> elements.set(ValueLayout.JAVA_BYTE, at, (byte) (number - 1));
            case "i16", "u16" -> elements.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) (number - 1));
            case "i32" -> elements.set(ValueLayout.JAVA_INT_UNALIGNED, at, number - 1);
            case "i64" -> elements.set(ValueLayout.JAVA_LONG_UNALIGNED, at, (number - 1L) << (number % 2) * 40);
            case "f32" ->
                elements.set(
                        ValueLayout.JAVA_INT_UNALIGNED,
                        at,
                        number < FLOATS.length ? FLOATS[number] : Float.floatToRawIntBits(number));
            case "f64" ->
                elements.set(
                        ValueLayout.JAVA_LONG_UNALIGNED,
                        at,
                        number < DOUBLES.length ? DOUBLES[number] : Double.doubleToRawLongBits(number));
            default -> {
                int length = Integer.parseInt(value.substring(1));
                for (int i = 0; i < length; i++) {
                    // Strings differ in their last byte, or in their first, or not at all.
                    boolean isLast = i == length - 1;
                    elements.set(
                            ValueLayout.JAVA_BYTE, at + i, (byte) (isLast ? number : i == 0 ? number / 3 * 200 : 7));
                }
            }
        }
    }
}
