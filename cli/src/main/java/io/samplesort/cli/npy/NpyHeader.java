package io.samplesort.cli.data;

import io.samplesort.cli.report.CommandFailure;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The header of NumPy's `.npy` files: magic, version, length, and a Python dictionary with the keys `descr`,
/// `fortran_order` and `shape` (NumPy Enhancement Proposal 1; versions 1.0, 2.0 and 3.0).
///
/// @param type     the type of the elements
/// @param count    how many elements there are
/// @param byteSize bytes of the header
record NpyHeader(KeyType type, long count, long byteSize) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    /// Bytes before the dictionary in version 1, and in later ones.
    private static final int SHORT_PREFIX = 10;

    private static final int LONG_PREFIX = 12;
    private static final int MAX_DICTIONARY_BYTES = 1 << 16;
    private static final Pattern DESCRIPTION = Pattern.compile("'descr'\\s*:\\s*'([<>|=]?)([a-zA-Z]\\d*)'");
    private static final Pattern FORTRAN_ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape'\\s*:\\s*\\(([^)]*)\\)");

    /// At most 18 digits, which fit a long; Python 2 wrote an L behind long numbers.
    private static final Pattern COUNT = Pattern.compile("(\\d{1,18})L?");

    private static final Map<String, KeyType> TYPES = Map.of(
            "i1",
            KeyType.I8,
            "u1",
            KeyType.U8,
            "i2",
            KeyType.I16,
            "u2",
            KeyType.U16,
            "i4",
            KeyType.I32,
            "u4",
            KeyType.U32,
            "i8",
            KeyType.I64,
            "u8",
            KeyType.U64,
            "f4",
            KeyType.F32,
            "f8",
            KeyType.F64);

    /// Returns whether a file begins like a NumPy array.
    static boolean isAt(FileChannel channel) throws IOException {
        return Arrays.equals(bytes(channel, 0, MAGIC.length), MAGIC);
    }

    /// Reads the header of a file that begins like a NumPy array.
    static NpyHeader read(Path path, FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.wrap(bytes(channel, 0, LONG_PREFIX)).order(ByteOrder.LITTLE_ENDIAN);
        if (start.limit() < LONG_PREFIX) {
            throw new CommandFailure(path + " begins like a NumPy array, but ends within its header");
        }
        int version = start.get(MAGIC.length);
        if (version < 1 || version > 3) {
            throw new CommandFailure(
                    path + " has version " + version + " of the .npy format; versions 1 to 3 can be read");
        }
        int prefix = version == 1 ? SHORT_PREFIX : LONG_PREFIX;
        long length = version == 1 ? start.getShort(8) & 0xffff : start.getInt(8) & 0xffffffffL;
        if (length > MAX_DICTIONARY_BYTES) {
            throw new CommandFailure(
                    path + " has a header of " + length + " bytes, which is too long for a plain array");
        }
        byte[] dictionary = bytes(channel, prefix, (int) length);
        if (dictionary.length < length) {
            throw new CommandFailure(path + " begins like a NumPy array, but ends within its header");
        }
        return parse(path, new String(dictionary, StandardCharsets.UTF_8), prefix + length);
    }

    /// Reads bytes of a file, fewer if it ends before.
    private static byte[] bytes(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {}
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static NpyHeader parse(Path path, String dictionary, long byteSize) {
        Matcher description = DESCRIPTION.matcher(dictionary);
        Matcher fortranOrder = FORTRAN_ORDER.matcher(dictionary);
        Matcher shape = SHAPE.matcher(dictionary);
        if (!description.find() || !fortranOrder.find() || !shape.find()) {
            throw new CommandFailure(
                    path + " is not an array of plain numbers: its header is " + dictionary.strip()
                            + ". Records are sorted in raw files: save them with a.tofile(…) and name their fields with --layout");
        }
        KeyType type = TYPES.get(description.group(2));
        if (type == null) {
            throw new CommandFailure(path + " holds '" + description.group(1) + description.group(2)
                    + "', but only integers and floating-point numbers of 1, 2, 4 or 8 bytes can be sorted");
        }
        if (description.group(1).equals(">") && type.byteSize() > 1) {
            throw new CommandFailure(path + " is big-endian: convert it with a.astype(a.dtype.newbyteorder('<'))");
        }
        String[] dimensions = shape.group(1).strip().split("\\s*,\\s*");
        if (dimensions.length != 1 || dimensions[0].isEmpty()) {
            throw new CommandFailure(path + " has the shape (" + shape.group(1).strip()
                    + "), but only one-dimensional arrays can be sorted: save a.ravel()");
        }
        if (fortranOrder.group(1).equals("True")) {
            throw new CommandFailure(path + " is in Fortran order: save it with numpy.ascontiguousarray(a)");
        }
        Matcher count = COUNT.matcher(dimensions[0]);
        if (!count.matches()) {
            throw new CommandFailure(path + " has the shape (" + shape.group(1).strip()
                    + "), which is not a number of elements that a file can hold");
        }
        return new NpyHeader(type, Long.parseLong(count.group(1)), byteSize);
    }

    /// Returns a header of version 1.0 for a one-dimensional array.
    static byte[] write(KeyType type, long count) {
        String code = TYPES.entrySet().stream()
                .filter(e -> e.getValue() == type)
                .findFirst()
                .orElseThrow()
                .getKey();
        String dictionary = "{'descr': '" + (type.byteSize() == 1 ? "|" : "<") + code
                + "', 'fortran_order': False, 'shape': (" + count + ",), }";
        // The data begins at a multiple of 64 bytes, as in NumPy's own files.
        int padding = 63 - (10 + dictionary.length()) % 64;
        byte[] text = (dictionary + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(10 + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(MAGIC)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) text.length)
                .put(text)
                .array();
    }
}
