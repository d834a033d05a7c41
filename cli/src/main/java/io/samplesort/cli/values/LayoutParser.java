package io.samplesort.cli.values;

import io.samplesort.cli.data.RecordLayout;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads layouts such as `price:f64,id:i32,_:4,name:bytes[16]`: the fields of a record in the order of their bytes.
///
/// There is no implicit padding: every byte has to be spelled out. Files are written by programs whose compilers pad in
/// their own ways, and a sort cannot notice that it reads a field two bytes off.
final class LayoutParser {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");
    private static final Pattern BYTES = Pattern.compile("bytes\\[(\\d+)]");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final String PADDING = "_";
    private static final String KNOWN_TYPES =
            "i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, the same with be for big-endian as in u32be, bool or bytes[n]";
    private static final String BIG_ENDIAN = "be";

    private final List<MemoryLayout> members = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> unsignedFields = new HashSet<>();
    private final ElementType type;
    private long byteSize;
    private long alignment = 1;

    /// Reads a layout.
    ///
    /// @throws IllegalArgumentException if the text is not a layout; the message names the field and says what to do
    static RecordLayout parse(String text) {
        boolean isGensort = text.strip().equals(RecordLayout.GENSORT);
        LayoutParser parser = new LayoutParser(isGensort ? RecordLayout.GENSORT_FIELDS : text);
        return new RecordLayout(
                isGensort ? RecordLayout.GENSORT : text, parser.type, Set.copyOf(parser.unsignedFields));
    }

    private LayoutParser(String text) {
        String[] fields = text.split(",", -1);
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].isBlank()) {
                throw new IllegalArgumentException(
                        "field " + (i + 1) + " of '" + text + "' is empty: write name:type, or remove the comma");
            }
            add(fields[i].strip());
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' has nothing but padding: name at least one field");
        }
        if (byteSize % alignment != 0) {
            throw new IllegalArgumentException("the record has " + byteSize + " bytes, which is not a multiple of "
                    + alignment + ", so the fields of the next record would not be aligned: end it with "
                    + padding(byteSize, alignment));
        }
        type = ElementType.of(MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new)));
    }

    private void add(String field) {
        int colon = field.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("field '" + field + "' has no type: write " + field
                    + ":f64 for example; --layout takes name:type,… or gensort");
        }
        String name = field.substring(0, colon).strip();
        String fieldType = field.substring(colon + 1).strip();
        if (name.equals(PADDING)) {
            addPadding(field, fieldType);
            return;
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "field name '" + name + "': use letters, digits and _, and do not begin with a digit");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("two fields are named '" + name + "': rename one");
        }
        addField(name, fieldType);
    }

    private void addPadding(String field, String bytes) {
        if (!NUMBER.matcher(bytes).matches()) {
            throw new IllegalArgumentException(
                    "padding '" + field + "' at byte " + byteSize + ": write how many bytes it has, as in _:4");
        }
        append(MemoryLayout.paddingLayout(length("padding '" + field + "'", bytes)));
    }

    private void addField(String name, String fieldType) {
        String lowerCase = fieldType.toLowerCase(Locale.ROOT);
        Matcher bytes = BYTES.matcher(lowerCase);
        if (bytes.matches()) {
            long length = length("field '" + name + "'", bytes.group(1));
            if (length == 1) {
                // The library treats a string of one byte as a number, which would have a sign.
                unsignedFields.add(name);
            }
            append(MemoryLayout.sequenceLayout(length, ValueLayout.JAVA_BYTE).withName(name));
        } else if (lowerCase.equals("bool")) {
            append(ValueLayout.JAVA_BOOLEAN.withName(name));
        } else {
            addNumber(name, fieldType);
        }
    }

    private void addNumber(String name, String fieldType) {
        Optional<KeyType> bigEndian = fieldType.toLowerCase(Locale.ROOT).endsWith(BIG_ENDIAN)
                ? keyType(fieldType.substring(0, fieldType.length() - BIG_ENDIAN.length()))
                        .filter(type -> type.byteSize() > 1)
                : Optional.empty();
        KeyType number = bigEndian
                .or(() -> keyType(fieldType))
                .orElseThrow(() -> new IllegalArgumentException("field '" + name + "' has the unknown type '"
                        + fieldType + "': use " + KNOWN_TYPES + TypeNames.hint(fieldType)));
        int size = number.byteSize();
        if (byteSize % size != 0) {
            throw new IllegalArgumentException("field '" + name + "' (" + fieldType + ") begins at byte " + byteSize
                    + ", which is not a multiple of its " + size + " bytes: if the file has padding before it, write "
                    + padding(byteSize, size) + " there; otherwise declare the field as bytes[" + size + "]");
        }
        if (number.isUnsigned()) {
            unsignedFields.add(name);
        }
        alignment = Math.max(alignment, size);
        ByteOrder order = bigEndian.isPresent() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        append(number.layout().withOrder(order).withName(name));
    }

    private static Optional<KeyType> keyType(String text) {
        return Arrays.stream(KeyType.values())
                .filter(type -> type.toString().equalsIgnoreCase(text))
                .findFirst();
    }

    private void append(MemoryLayout member) {
        byteSize += member.byteSize();
        if (byteSize > ElementType.MAX_BYTES) {
            throw new IllegalArgumentException("with field " + (members.size() + 1) + " the record has " + byteSize
                    + " bytes: a record has at most " + ElementType.MAX_BYTES);
        }
        members.add(member);
    }

    private static long length(String what, String digits) {
        // A longer number may not fit a long, and is too many bytes anyway.
        long length = digits.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(digits);
        if (length < 1 || length > ElementType.MAX_BYTES) {
            throw new IllegalArgumentException(what + " has " + digits + " bytes: use 1 to " + ElementType.MAX_BYTES);
        }
        return length;
    }

    private static String padding(long offset, long alignment) {
        return PADDING + ":" + (alignment - offset % alignment);
    }
}
