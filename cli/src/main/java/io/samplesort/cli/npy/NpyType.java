package io.samplesort.cli.npy;

import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The type of the elements of a NumPy array, which NumPy calls a dtype.
///
/// @param fields       their fields in the order of their bytes, without padding; a plain element is one field
/// @param byteSize     the size of an element
/// @param isStructured whether elements have named fields
public record NpyType(List<NpyField> fields, int byteSize, boolean isStructured) {
    private static final Pattern CODE = Pattern.compile("([<>|=]?)([a-zA-Z])(\\d{0,6})(\\[[a-zA-Z0-9/]{1,40}])?");

    /// The name of a plain element, as if it were a field.
    private static final String WHOLE = "value";

    private static final int CODE_POINT_BYTES = 4;
    private static final int MAX_SHOWN_FIELDS = 20;
    private static final int MAX_SHOWN_CHARACTERS = 60;

    /// Reads the description of a type: a code such as `<f8`, or a list of fields.
    static NpyType of(Object description) throws HeaderException {
        if (description instanceof String code) {
            NpyField element = value(code);
            return checked(new NpyType(List.of(element.at(WHOLE, 0)), element.byteSize(), false));
        }
        if (description instanceof List<?> fields) {
            List<NpyField> flat = new ArrayList<>();
            return checked(new NpyType(flat, add(fields, "", 0, flat), true));
        }
        throw new HeaderException("its header describes no type of elements");
    }

    private static NpyType checked(NpyType type) throws HeaderException {
        if (type.fields.isEmpty() || type.byteSize == 0) {
            throw new HeaderException("its elements have no bytes, so there is nothing to sort");
        }
        Set<String> names = new HashSet<>();
        for (NpyField field : type.fields) {
            if (!names.add(field.name())) {
                throw new HeaderException("two of its fields are named " + quoted(field.name()) + ": rename one");
            }
        }
        return type;
    }

    /// Adds the fields of a structure and returns the end of the last one.
    private static int add(List<?> descriptions, String prefix, int begin, List<NpyField> fields)
            throws HeaderException {
        int offset = begin;
        for (Object description : descriptions) {
            if (!(description instanceof List<?> parts) || parts.size() < 2 || parts.size() > 3) {
                throw new HeaderException("its header describes a field by something else than a name and a type");
            }
            String name = name(parts.getFirst());
            int count = parts.size() == 3 ? product(parts.get(2)) : 1;
            List<NpyField> inner = new ArrayList<>();
            int bytes;
            if (parts.get(1) instanceof List<?> structure) {
                bytes = add(structure, prefix + name + ".", offset, inner) - offset;
                if (parts.size() == 3) {
                    inner = List.of(new NpyField(
                            prefix + name, "an array of structures", offset, NpyField.Kind.UNORDERED, 1, bytes, false));
                }
            } else if (parts.get(1) instanceof String code) {
                NpyField value = value(code).at(prefix + name, offset);
                bytes = value.byteSize();
                inner.add(parts.size() == 3 ? value.times(1) : value);
            } else {
                throw new HeaderException("its header has no type for field " + quoted(name));
            }
            long end = offset + (long) bytes * count;
            checkSize(end);
            for (NpyField field : inner) {
                // NumPy describes padding as a field without a name.
                if (!name.isEmpty() && field.byteSize() > 0 && count > 0) {
                    fields.add(parts.size() == 3 ? field.times(count) : field);
                }
            }
            offset = (int) end;
        }
        return offset;
    }

    /// Returns the name of a field, which may come with a title before it.
    private static String name(Object description) throws HeaderException {
        Object name = description instanceof List<?> both && both.size() == 2 ? both.getLast() : description;
        if (!(name instanceof String text)) {
            throw new HeaderException("its header has a field without a name");
        }
        return text;
    }

    private static int product(Object shape) throws HeaderException {
        long product = 1;
        for (Object length : shape instanceof List<?> lengths ? lengths : List.of(shape)) {
            if (!(length instanceof BigInteger number) || number.signum() < 0) {
                throw new HeaderException("its header has a field with a strange shape");
            }
            checkSize(number.bitLength() > 31 ? Long.MAX_VALUE : number.longValue());
            product *= number.longValue();
            checkSize(product);
        }
        return (int) product;
    }

    private static void checkSize(long bytes) throws HeaderException {
        if (bytes > ElementType.MAX_BYTES) {
            throw new HeaderException("its elements have more than " + ElementType.MAX_BYTES
                    + " bytes, which is the most that can be sorted");
        }
    }

    private static NpyField value(String code) throws HeaderException {
        Matcher matcher = CODE.matcher(code);
        if (!matcher.matches()) {
            throw unknown(code);
        }
        String letter = matcher.group(2);
        int size = matcher.group(3).isEmpty() ? 0 : Integer.parseInt(matcher.group(3));
        boolean isBigEndian = matcher.group(1).equals(">");
        if (letter.equals("O")) {
            throw new HeaderException("it holds Python objects, which only Python can read: convert it to an array of"
                    + " numbers or of strings of fixed length");
        }
        NpyField.Kind kind = kind(letter + size);
        if (matcher.group(4) != null && kind != NpyField.Kind.TIME) {
            throw unknown(code);
        }
        return switch (letter) {
            case "S", "a", "V" -> string(code, 1, size, isBigEndian);
            case "U" -> string(code, CODE_POINT_BYTES, size, isBigEndian);
            default -> {
                if (kind == null) {
                    throw unknown(code);
                }
                yield new NpyField("", code, 0, kind, size, 1, isBigEndian);
            }
        };
    }

    private static HeaderException unknown(String code) {
        return new HeaderException("it holds " + quoted(code) + ", which is no type of NumPy's that can be sorted");
    }

    private static NpyField string(String code, int pieceBytes, int length, boolean isBigEndian)
            throws HeaderException {
        checkSize((long) pieceBytes * length);
        return new NpyField("", code, 0, NpyField.Kind.UNSIGNED, pieceBytes, length, isBigEndian);
    }

    private static NpyField.Kind kind(String code) {
        return switch (code) {
            case "b1" -> NpyField.Kind.TRUTH;
            case "i1", "i2", "i4", "i8" -> NpyField.Kind.SIGNED;
            case "u1", "u2", "u4", "u8" -> NpyField.Kind.UNSIGNED;
            case "f2", "f4", "f8" -> NpyField.Kind.FLOAT;
            case "M8", "m8" -> NpyField.Kind.TIME;
            case "f12", "f16", "c8", "c16", "c24", "c32" -> NpyField.Kind.UNORDERED;
            default -> null;
        };
    }

    /// Returns NumPy's code of numbers, without their byte order.
    static String code(KeyType type) {
        return (type.isFloat() ? "f" : type.isUnsigned() ? "u" : "i") + type.byteSize();
    }

    /// Returns the type of plain numbers that can be sorted as they are stored; empty for all others.
    public Optional<KeyType> keyType() {
        NpyField field = fields.getFirst();
        boolean isSwapped = field.isBigEndian() && field.byteSize() > 1;
        return isStructured || isSwapped
                ? Optional.empty()
                : Arrays.stream(KeyType.values())
                        .filter(type -> field.text().replaceFirst("^[<>|=]", "").equals(code(type)))
                        .findFirst();
    }

    /// Returns a text from a file in quotes, so that it can be shown.
    static String quoted(String text) {
        return "'" + shown(text) + "'";
    }

    /// Returns a text from a file without characters that could confuse a terminal, and not too long.
    private static String shown(String text) {
        String shown = text.codePoints()
                .limit(MAX_SHOWN_CHARACTERS)
                .mapToObj(c -> Character.isISOControl(c) ? "?" : Character.toString(c))
                .collect(Collectors.joining());
        return shown.length() < text.length() ? shown + "…" : shown;
    }

    /// Returns the names of the first fields, as a user may be shown them.
    public List<String> shownNames() {
        return fields.stream()
                .limit(MAX_SHOWN_FIELDS)
                .map(field -> shown(field.name()))
                .toList();
    }

    /// Returns the type as NumPy writes it, or the first fields with their types.
    @Override
    public String toString() {
        if (!isStructured) {
            return fields.getFirst().text();
        }
        return fields.stream()
                .limit(MAX_SHOWN_FIELDS)
                .map(field -> quoted(field.name()) + ": " + field.text())
                .collect(Collectors.joining(", ", "{", fields.size() > MAX_SHOWN_FIELDS ? ", …}" : "}"));
    }
}
