package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Arrays of NumPy's types: which are sorted, and that they are in NumPy's order.
class NpyTypesTest extends CommandCase {
    private static final String[] ON_CPU = {"--device", "cpu"};

    private byte[] write(String name, byte[] bytes) throws IOException {
        Files.write(Path.of(path(name)), bytes);
        return bytes;
    }

    /// The elements of each line are in order, as hexadecimal bytes.
    @ParameterizedTest
    @CsvSource({
        ">i2, 8000 ff00 ffff 0000 0001 0100 7fff",
        ">u4, 00000000 00000001 00000100 80000000 ffffffff",
        ">i8, 8000000000000000 ffffffffffffffff 0000000000000000 0000000000000100 7fffffffffffffff",
        ">f4, ff800000 bf800000 80000000 00000000 00000001 3f800000 7f800000 7fc00000 ffc00000",
        ">f8, fff0000000000000 bff0000000000000 8000000000000000 0000000000000000 3ff0000000000000"
                + " 7ff0000000000000 7ff8000000000000 fff8000000000000",
        "<f2, 00fc 00bc 0180 0080 0000 0100 003c ff7b 007c 007e 00fe",
        ">f2, fc00 bc00 8000 0000 0001 3c00 7c00 7e00 fe00",
        "|b1, 00 01",
        "<M8[ns], 0100000000000080 ffffffffffffffff 0000000000000000 0100000000000000 ffffffffffffff7f"
                + " 0000000000000080",
        ">m8[25us], 8000000000000001 ffffffffffffffff 0000000000000000 7fffffffffffffff 8000000000000000",
        "<m8, ffffffffffffffff 0000000000000000 0000000000000080",
        "|S1, 00 61 ff",
        "|S3, 000000 610000 616200 620000 ff0000",
        "|S10, 00000000000000000000 61000000000000000000 61626364656667686900 6162636465666768696a",
        "<U1, 00000000 61000000 00010000 00f60100",
        "<U2, 0000000000000000 6100000000000000 6100000062000000 ff00000000000000 0001000000000000",
        ">U2, 0000000000000000 0000006100000000 0000006100000062 0001000000000000 0001f60000000000",
        "|V3, 000000 0000ff 7f0000 ff0000"
    })
    void everyTypeIsInNumPysOrder(String type, String elementsInOrder) throws IOException {
        List<String> distinct = List.of(elementsInOrder.split(" "));
        List<String> sorted = new ArrayList<>();
        for (String element : distinct) {
            sorted.addAll(Collections.nCopies(60_000 / element.length() / distinct.size(), element));
        }
        List<String> shuffled = new ArrayList<>(sorted);
        Collections.shuffle(shuffled, new Random(1));
        String descr = "'" + type + "'";
        write("a.npy", NpyFile.array(descr, shuffled));
        byte[] expected = NpyFile.array(descr, sorted);
        assertDone(command(ON_CPU, "sort", path("a.npy"), "-o", path("whole.npy")));
        assertThat(read("whole.npy")).isEqualTo(expected);
        assertDone(command(ON_CPU, "sort", path("a.npy"), "-o", path("parts.npy"), "--stable", "--memory", "20K"));
        assertThat(err()).contains("parts");
        assertThat(read("parts.npy")).isEqualTo(expected);
        assertDone(command(ON_CPU, "sort", path("a.npy"), "-o", path("down.npy"), "--descending"));
        assertThat(read("down.npy")).isEqualTo(NpyFile.array(descr, sorted.reversed()));
        assertDone("verify", path("parts.npy"), "--against", path("a.npy"), "--stable");
        assertDone("verify", path("down.npy"), "--against", path("a.npy"), "--descending");
        assertThat(run("verify", path("a.npy"))).isEqualTo(1);
        assertDone(command(ON_CPU, "argsort", path("a.npy"), "-o", path("p")));
        ByteBuffer permutation = ByteBuffer.wrap(read("p")).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(sorted.stream().map(element -> shuffled.get((int) permutation.getLong())))
                .isEqualTo(sorted);
    }

    /// Packed as NumPy packs it, so that no number is aligned: kind, price, time and count.
    private static final String PACKED = "[('kind', '|u1'), ('price', '<f8'), ('when', '>M8[s]'), ('n', '<i4')]";

    private record Trade(int kind, double price, long when, int n) {
        static Trade random(Random random) {
            long when = random.nextInt(4) == 0 ? Long.MIN_VALUE : random.nextInt(5) - 2;
            double price = random.nextInt(5) == 0 ? Double.NaN : random.nextInt(5) - 2;
            return new Trade(random.nextInt(4) * 85, price, when, random.nextInt());
        }

        /// A number that is smallest for the first time. NumPy puts the one that is none last.
        long place() {
            return when - 1;
        }
    }

    private static byte[] packed(List<Trade> trades) {
        byte[] header = NpyFile.header(1, NpyFile.dictionary(PACKED, trades.size()));
        ByteBuffer file =
                ByteBuffer.allocate(header.length + trades.size() * 21).put(header);
        for (Trade trade : trades) {
            file.order(ByteOrder.LITTLE_ENDIAN).put((byte) trade.kind).putDouble(trade.price);
            file.order(ByteOrder.BIG_ENDIAN).putLong(trade.when);
            file.order(ByteOrder.LITTLE_ENDIAN).putInt(trade.n);
        }
        return file.array();
    }

    private static List<Trade> trades() {
        Random random = new Random(2);
        return IntStream.range(0, 5000).mapToObj(i -> Trade.random(random)).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "when, price desc", "price nulls first by kind, n desc"})
    void recordsAreSortedByTheirFields(String by) throws IOException {
        List<Trade> trades = new ArrayList<>(trades());
        write("a.npy", packed(trades));
        trades.sort((a, b) -> {
            int kind = Integer.compare(a.kind, b.kind);
            int price = Double.compare(a.price, b.price);
            int when = Long.compare(a.place(), b.place());
            int n = Integer.compare(a.n, b.n);
            boolean isNull = a.kind == 0 || b.kind == 0;
            int[] fields = switch (by) {
                case "" -> new int[] {kind, price, when, n};
                case "when, price desc" -> new int[] {when, -price};
                default -> new int[] {isNull ? Boolean.compare(a.kind != 0, b.kind != 0) : price, -n};
            };
            return Arrays.stream(fields).filter(field -> field != 0).findFirst().orElse(0);
        });
        String[] order = by.isEmpty() ? new String[0] : new String[] {"--by", by};
        String[] stable = append(order, "--stable");
        assertDone(append(command(stable, "sort", path("a.npy"), "-o", path("b.npy")), ON_CPU));
        assertThat(read("b.npy")).isEqualTo(packed(trades));
        assertDone(append(command(stable, "sort", path("a.npy"), "-o", path("c.npy"), "--memory", "100K"), ON_CPU));
        assertThat(read("c.npy")).isEqualTo(packed(trades));
        assertDone(command(stable, "verify", path("b.npy"), "--against", path("a.npy")));
        assertThat(run(command(order, "verify", path("a.npy")))).isEqualTo(1);
        assertDone(append(command(order, "argsort", path("a.npy"), "-o", path("p.npy")), ON_CPU));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                // Aligned by a compiler, with padding between and behind the fields.
                "[('a', '|u1'), ('', '|V7'), ('b', '<f8'), ('c', '|i1'), ('', '|V7')]; b; 8; 24",
                // A field with a title, and one in a structure.
                "[(('the first', 'a'), '|S8'), ('in', [('b', '<f8'), ('c', '|u1')])]; in.b; 8; 17",
                // An array, which is moved, and a field of no bytes.
                "[('x', '<i4', (2, 1)), ('none', '|S0'), ('b', '<f8')]; b; 8; 16",
                "[('objects', '<c16'), (\"it's\", '<f8')]; it's; 16; 24",
                "[('\\xfc\\u0431', '<f8'), ('größe', '<i2')]; üб; 0; 10"
            })
    void recordsOfManyShapesAreSorted(String descr, String by, int offset, int byteSize) throws IOException {
        Random random = new Random(3);
        byte[] header = NpyFile.header(3, NpyFile.dictionary(descr, 1000));
        byte[] bytes = new byte[1000 * byteSize];
        random.nextBytes(bytes);
        ByteBuffer records = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            records.putDouble(i * byteSize + offset, random.nextInt());
            order.add(i);
        }
        order.sort((i, j) ->
                Double.compare(records.getDouble(i * byteSize + offset), records.getDouble(j * byteSize + offset)));
        ByteBuffer before =
                ByteBuffer.allocate(header.length + bytes.length).put(header).put(bytes);
        ByteBuffer after = ByteBuffer.allocate(before.capacity()).put(header);
        order.forEach(i -> after.put(bytes, i * byteSize, byteSize));
        write("a.npy", before.array());
        assertDone(command(ON_CPU, "sort", path("a.npy"), "--by", by));
        assertThat(read("a.npy")).isEqualTo(after.array());
    }

    @ParameterizedTest
    @ValueSource(strings = {"'<c16'", "[('a', '<f4'), ('b', '|S12')]", "'<M8[D]'", "'|V3'", "'|b1'", "'<U5'"})
    void payloadsOfAnyTypeMoveAlong(String descr) throws IOException {
        int byteSize = switch (descr) {
            case "'<M8[D]'" -> 8;
            case "'|V3'" -> 3;
            case "'|b1'" -> 1;
            case "'<U5'" -> 20;
            default -> 16;
        };
        byte[] header = NpyFile.header(2, NpyFile.dictionary(descr, 256));
        ByteBuffer payloads =
                ByteBuffer.allocate(header.length + 256 * byteSize).put(header);
        ByteBuffer sorted = ByteBuffer.allocate(payloads.capacity()).put(header);
        byte[] keys = new byte[256];
        for (int i = 0; i < 256; i++) {
            keys[i] = (byte) (i * 37);
            payloads.put(header.length + i * byteSize, keys[i]);
            sorted.put(header.length + i * byteSize, (byte) i);
        }
        write("k", keys);
        write("p.npy", payloads.array());
        String[] files = {"--payload-file", path("p.npy"), "--payload-output", path("q.npy")};
        assertDone(append(command(files, "sort", path("k"), "-o", path("s"), "--type", "u8", "--device", "cpu")));
        assertThat(read("q.npy")).isEqualTo(sorted.array());
        assertDone(
                "verify",
                path("s"),
                "--type",
                "u8",
                "--against",
                path("k"),
                "--payload-file",
                path("q.npy"),
                "--payload-against",
                path("p.npy"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "'<c16'; (1,); ; 1; it holds '<c16', which cannot be compared: save complex numbers as records",
                "'<f16'; (1,); ; 1; which cannot be compared",
                "'|O'; (1,); ; 1; it holds Python objects, which only Python can read",
                "[('a', '<i4'), ('b', '|O')]; (1,); ; 1; Python objects",
                "'<x8'; (1,); ; 1; it holds '<x8', which is no type of NumPy's that can be sorted",
                "'<f3'; (1,); ; 1; it holds '<f3', which is no type",
                "'<f8[ns]'; (1,); ; 1; it holds '<f8[ns]', which is no type",
                "'|S0'; (1,); ; 1; its elements have no bytes",
                "[]; (1,); ; 1; its elements have no bytes",
                "'|S65537'; (1,); ; 1; its elements have more than 65536 bytes",
                "[('a', '<i4', (30000,))]; (1,); ; 1; its elements have more than 65536 bytes",
                "[('a', '<i8'), ('a', '<i8')]; (1,); ; 1; two of its fields are named 'a'",
                "[('a', '<i8', (2,))]; (1,); ; 1; its field 'a' (<i8) cannot be compared: name the fields that decide",
                "[('a', '<i8', (2,))]; (1,); --by=a; 2; values of type <i8 cannot be compared",
                "[('\\x1b', '<i8'), ('b', '<f8')]; (1,); --by=c; 2; but the file has only '?', 'b' (case matters)",
                "[('a', '<i8'), ('b', '<f8')]; (1,); --by=c; 2; but the file has only 'a', 'b' (case matters)",
                "[('a', '<i8'), ('b', '<f8')]; (1,); --by=a nulls last by b; 2; --by: field 'b', which says where",
                "[('a', '<i8'), ('b', '<f8')]; (1,); --descending; 2; as in --by \"a desc\"",
                "[('a', '<i8'), ('b', '<f8')]; (1,); --type=f64; 1; elements by its header, but --type says f64",
                "'>f8'; (2,); --type=f64; 1; a.npy holds >f8 elements by its header, but --type says f64: leave --type out",
                "'>f8'; (2,); --by=a; 2; a.npy holds >f8 elements, which have none: leave --by out",
                "'<f8'; (1, 2); ; 1; it has the shape '1, 2', and only one-dimensional arrays can be sorted",
                "'<f8'; (); ; 1; only one-dimensional arrays can be sorted",
                "'<f8'; (2); ; 1; its header does not say which type, shape and order it has",
                "'<f8'; (3,); ; 1; 16 bytes behind its header, which announces 3 elements of 8 bytes: the file is truncated",
                "'<f8'; (99999999999999999999,); ; 1; which is not a number of elements that a file can hold",
                "'<f8'; (-2,); ; 1; which is not a number of elements that a file can hold",
                "'<f8'; (n,); ; 1; its header cannot be read: a value was expected here, at character 51",
                "'<f8'; (2305843009213693954,); ; 1; 16 bytes behind its header, which announces 2305843009213693954"
            })
    void strangeArraysAreRefused(String descr, String shape, String option, int exitCode, String reason)
            throws IOException {
        byte[] header =
                NpyFile.header(1, "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }      \n");
        byte[] before = write("a.npy", Arrays.copyOf(header, header.length + 16));
        String[] options = option == null ? new String[0] : new String[] {option};
        assertFails(exitCode, reason, command(options, "sort", path("a.npy")));
        assertThat(read("a.npy")).isEqualTo(before);
        assertNoLitter(1);
    }

    @Test
    void anArrayWithoutItsDataIsRefused() throws IOException {
        // 2^61 numbers of 8 bytes are 2^64 bytes, which is 0 in a long.
        write("a.npy", NpyFile.header(1, NpyFile.dictionary("'<f8'", 1L << 61)));
        assertFails(1, "0 bytes behind its header, which announces 2305843009213693952", "sort", path("a.npy"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void headersOfEveryVersionAreKept(int version) throws IOException {
        // Python 2 wrote long numbers with an L. In one dimension, Fortran's order is C's.
        String dictionary = "{'descr': '|u1', 'fortran_order': True, 'shape': (4L,), }   \n";
        byte[] header = NpyFile.header(version, dictionary);
        byte[] file = write(
                "a.npy",
                ByteBuffer.allocate(header.length + 4)
                        .put(header)
                        .put(new byte[] {4, 2, 3, 1})
                        .array());
        assertDone(command(ON_CPU, "sort", path("a.npy")));
        System.arraycopy(new byte[] {1, 2, 3, 4}, 0, file, header.length, 4);
        assertThat(read("a.npy")).isEqualTo(file);
    }
}
