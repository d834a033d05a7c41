import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/// Kinds of elements to sort, each with its options, its order and a way to make a file of them. A file of a kind and a
/// size has the same bytes every time.
enum Numbers {
    /// Unsigned numbers of all magnitudes, some of them often.
    U64(8, null, "--type", "u64") {
        @Override
        void put(SplittableRandom random, ByteBuffer target) {
            target.putLong(random.nextLong() >>> random.nextInt(64));
        }

        @Override
        int compare(MemorySegment elements, long a, long b) {
            return Long.compareUnsigned(elements.get(LONG, a), elements.get(LONG, b));
        }
    },
    /// Floating-point numbers with zeros of both signs, infinities and NaN, in a NumPy array.
    F64_ARRAY(8, "'<f8'") {
        @Override
        void put(SplittableRandom random, ByteBuffer target) {
            target.putDouble(
                    switch (random.nextInt(100)) {
                        case 0 -> -0.0;
                        case 1 -> 0.0;
                        case 2 -> Double.NaN;
                        case 3 -> Double.NEGATIVE_INFINITY;
                        default -> random.nextDouble(-1e9, 1e9);
                    });
        }

        @Override
        int compare(MemorySegment elements, long a, long b) {
            return Double.compare(elements.get(DOUBLE, a), elements.get(DOUBLE, b));
        }
    },
    /// Short signed numbers, the greatest first.
    I16(2, null, "--type", "i16", "--descending") {
        @Override
        void put(SplittableRandom random, ByteBuffer target) {
            target.putShort((short) random.nextInt());
        }

        @Override
        int compare(MemorySegment elements, long a, long b) {
            return Short.compare(elements.get(SHORT, b), elements.get(SHORT, a));
        }
    },
    /// Records with padding, by a price downward and a number upward.
    RECORDS(16, null, "--layout", "price:f64,id:u32,_:4", "--by", "price desc, id") {
        @Override
        void put(SplittableRandom random, ByteBuffer target) {
            target.putDouble(random.nextInt(100_000) / 100.0)
                    .putInt(random.nextInt())
                    .putInt(random.nextInt());
        }

        @Override
        int compare(MemorySegment elements, long a, long b) {
            int order = Double.compare(elements.get(DOUBLE, b), elements.get(DOUBLE, a));
            return order != 0 ? order : Integer.compareUnsigned(elements.get(INT, a + 8), elements.get(INT, b + 8));
        }
    },
    /// A structured NumPy array, by a price downward and a time upward.
    RECORD_ARRAY(16, "[('price', '<f8'), ('when', '<M8[s]')]", "--by", "price desc, when") {
        @Override
        void put(SplittableRandom random, ByteBuffer target) {
            target.putDouble(random.nextInt(100_000) / 100.0).putLong(random.nextInt());
        }

        @Override
        int compare(MemorySegment elements, long a, long b) {
            int order = Double.compare(elements.get(DOUBLE, b), elements.get(DOUBLE, a));
            return order != 0 ? order : Long.compare(elements.get(LONG, a + 8), elements.get(LONG, b + 8));
        }
    },
    /// The records of the sort benchmark: 10 bytes of key and 90 of value.
    BENCHMARK(100, null, "--layout", "gensort") {
        private static final int KEY_BYTES = 10;

        @Override
        void put(SplittableRandom random, ByteBuffer target) {
            byte[] record = new byte[width()];
            random.nextBytes(record);
            target.put(record);
        }

        @Override
        int compare(MemorySegment elements, long a, long b) {
            for (int i = 0; i < KEY_BYTES; i++) {
                int order = Byte.compareUnsigned(
                        elements.get(ValueLayout.JAVA_BYTE, a + i), elements.get(ValueLayout.JAVA_BYTE, b + i));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }
    };

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int HEADER_BYTES = 128;

    private final int width;
    /// How NumPy describes an element; null where the file is no array.
    private final String type;

    private final List<String> options;

    Numbers(int width, String type, String... options) {
        this.width = width;
        this.type = type;
        this.options = List.of(options);
    }

    /// Writes one element.
    abstract void put(SplittableRandom random, ByteBuffer target);

    /// Compares the elements that begin at two places of a file.
    abstract int compare(MemorySegment elements, long a, long b);

    int width() {
        return width;
    }

    List<String> options() {
        return options;
    }

    /// Returns how many bytes come before the first element.
    int header() {
        return type == null ? 0 : HEADER_BYTES;
    }

    String suffix() {
        return type == null ? ".bin" : ".npy";
    }

    /// Writes a file of about `bytes` bytes.
    void write(Path file, long bytes) throws IOException {
        SplittableRandom random = new SplittableRandom(ordinal());
        long count = bytes / width;
        ByteBuffer block = ByteBuffer.allocate(width << 12).order(ByteOrder.LITTLE_ENDIAN);
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            if (type != null) {
                output.write(header(count));
            }
            while (count > 0) {
                block.clear();
                for (; count > 0 && block.hasRemaining(); count--) {
                    put(random, block);
                }
                output.write(block.array(), 0, block.position());
            }
        }
    }

    /// Writes the elements of a file to several: a half to the first one, a half of what is left to the next, and the
    /// rest to the last.
    void split(Path whole, List<Path> parts) throws IOException {
        long left = (Files.size(whole) - header()) / width;
        try (InputStream input = new BufferedInputStream(Files.newInputStream(whole), 1 << 20)) {
            input.skipNBytes(header());
            for (Path part : parts) {
                long count = part.equals(parts.getLast()) ? left : left / 2;
                try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(part), 1 << 20)) {
                    if (type != null) {
                        output.write(header(count));
                    }
                    for (long i = 0; i < count; i++) {
                        output.write(input.readNBytes(width));
                    }
                }
                left -= count;
            }
        }
    }

    /// Returns the beginning of a NumPy array of this kind.
    private byte[] header(long count) {
        String text = "{'descr': " + type + ", 'fortran_order': False, 'shape': (" + count + ",), }";
        String padded = text + " ".repeat(HEADER_BYTES - 10 - 1 - text.length()) + "\n";
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.ISO_8859_1));
        bytes.put((byte) 1).put((byte) 0).putShort((short) padded.length());
        return bytes.put(padded.getBytes(StandardCharsets.ISO_8859_1)).array();
    }
}
