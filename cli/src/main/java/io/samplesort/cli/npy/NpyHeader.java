package io.samplesort.cli.npy;

import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The header of NumPy's `.npy` files: magic, version, length, and a Python dictionary with the keys `descr`,
/// `fortran_order` and `shape` (NumPy Enhancement Proposal 1; versions 1.0, 2.0 and 3.0).
///
/// @param type     what an element is
/// @param count    how many elements there are
/// @param byteSize bytes of the header
public record NpyHeader(NpyType type, long count, long byteSize) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    /// Bytes before the dictionary in version 1, and in later ones.
    private static final int SHORT_PREFIX = 10;

    private static final int LONG_PREFIX = 12;
    private static final int ALIGNED_TO = 64;

    private static final int MOST_IN_VERSION_1 = 0xffff;

    /// Where a dictionary tells the length of a one-dimensional array.
    private static final Pattern SHAPE = Pattern.compile("['\"]shape['\"]\\s*:\\s*\\(\\s*(\\d+)");

    /// A dictionary that describes thousands of fields is shorter.
    private static final int MAX_DICTIONARY_BYTES = 1 << 18;

    /// Returns whether a file begins like a NumPy array.
    public static boolean isAt(FileChannel channel) throws IOException {
        return Arrays.equals(bytes(channel, 0, MAGIC.length), MAGIC);
    }

    /// Reads the header of a file that begins like a NumPy array.
    ///
    /// @throws HeaderException if it cannot be read, or the array cannot be sorted
    public static NpyHeader read(FileChannel channel) throws IOException, HeaderException {
        Text text = Text.read(channel);
        return parse(text.dictionary, text.byteSize());
    }

    /// Returns the header of a file with another number of elements, in the same version of the format.
    ///
    /// @throws HeaderException if it cannot be read
    public static byte[] withCount(FileChannel channel, long count) throws IOException, HeaderException {
        Text text = Text.read(channel);
        Matcher shape = SHAPE.matcher(text.dictionary);
        if (!shape.find()) {
            throw new HeaderException("its header does not say which shape it has");
        }
        String dictionary =
                text.dictionary.substring(0, shape.start(1)) + count + text.dictionary.substring(shape.end(1));
        return write(text.version, dictionary.strip());
    }

    /// What a header consists of.
    private record Text(int version, String dictionary, int length) {
        private static Text read(FileChannel channel) throws IOException, HeaderException {
            byte[] start = bytes(channel, 0, LONG_PREFIX);
            if (start.length < LONG_PREFIX) {
                throw new HeaderException("it ends within its header");
            }
            int version = start[MAGIC.length];
            if (version < 1 || version > 3) {
                throw new HeaderException(
                        "it has version " + (version & 0xff) + " of the .npy format, and versions 1 to 3 can be read");
            }
            ByteBuffer lengths = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
            long length = version == 1 ? lengths.getShort(8) & 0xffff : lengths.getInt(8) & 0xffff_ffffL;
            if (length > MAX_DICTIONARY_BYTES) {
                throw new HeaderException("it has a header of " + length + " bytes, and at most " + MAX_DICTIONARY_BYTES
                        + " can be read");
            }
            byte[] dictionary = bytes(channel, prefix(version), (int) length);
            if (dictionary.length < length) {
                throw new HeaderException("it ends within its header");
            }
            return new Text(version, new String(dictionary, charset(version)), dictionary.length);
        }

        long byteSize() {
            return (long) prefix(version) + length;
        }
    }

    private static int prefix(int version) {
        return version == 1 ? SHORT_PREFIX : LONG_PREFIX;
    }

    private static Charset charset(int version) {
        return version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    }

    /// Reads bytes of a file, fewer if it ends before.
    private static byte[] bytes(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {}
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static NpyHeader parse(String text, long byteSize) throws HeaderException {
        if (!(PythonLiteral.parse(text) instanceof Map<?, ?> dictionary)
                || !(dictionary.get("fortran_order") instanceof Boolean)
                || !(dictionary.get("shape") instanceof List<?> shape)) {
            throw new HeaderException("its header does not say which type, shape and order it has");
        }
        // In one dimension, Fortran's order is the same as C's.
        return new NpyHeader(NpyType.of(dictionary.get("descr")), count(shape), byteSize);
    }

    private static long count(List<?> shape) throws HeaderException {
        String shown = NpyType.quoted(shape.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        if (shape.size() != 1) {
            throw new HeaderException("it has the shape " + shown + ", and only one-dimensional arrays can be sorted:"
                    + " to sort all elements, save a.ravel(); to sort rows by their columns, save them as records,"
                    + " numpy.rec.fromarrays(a.T)");
        }
        if (!(shape.getFirst() instanceof BigInteger count) || count.signum() < 0 || count.bitLength() >= Long.SIZE) {
            throw new HeaderException(
                    "it has the shape " + shown + ", which is not a number of elements that a file" + " can hold");
        }
        return count.longValue();
    }

    /// Returns a header of version 1.0 for a one-dimensional array.
    public static byte[] write(KeyType type, long count) {
        String dictionary = "{'descr': '" + (type.byteSize() == 1 ? "|" : "<") + NpyType.code(type)
                + "', 'fortran_order': False, 'shape': (" + count + ",), }";
        return write(1, dictionary);
    }

    private static byte[] write(int version, String dictionary) {
        int prefix = prefix(version);
        byte[] text = dictionary.getBytes(charset(version));
        // The data begins at a multiple of 64 bytes, as in NumPy's own files.
        int length = Math.ceilDiv(prefix + text.length + 1, ALIGNED_TO) * ALIGNED_TO - prefix;
        if (version == 1 && length > MOST_IN_VERSION_1) {
            return write(2, dictionary);
        }
        ByteBuffer header = ByteBuffer.allocate(prefix + length).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).put((byte) version).put((byte) 0);
        if (version == 1) {
            header.putShort((short) length);
        } else {
            header.putInt(length);
        }
        header.put(text);
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').array();
    }
}
