package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Files of records: sort, verify and generate with `--layout` and `--by`.
class RecordCommandTest extends CommandCase {
    private static final String LAYOUT = "kind:u8,ok:bool,_:2,id:u32,price:f64";

    @Test
    void recordsAreSortedByTheirFields() throws IOException {
        assertDone("generate", path("in"), "--layout", LAYOUT, "--count", "20000", "--seed", "5");
        byte[] before = read("in");
        String[] what = {"--layout", LAYOUT, "--by", "kind desc, price nulls first by ok, id"};
        assertDone(command(what, "sort", path("in"), "-o", path("out"), "--device", "cpu"));

        List<ByteBuffer> expected = records(before, 16);
        expected.sort(Comparator.<ByteBuffer>comparingInt(r -> -(r.get(0) & 0xff))
                .thenComparing((a, b) -> a.get(1) == 0 || b.get(1) == 0
                        ? Integer.compare(Integer.signum(a.get(1)), Integer.signum(b.get(1)))
                        : Double.compare(a.getDouble(8), b.getDouble(8)))
                .thenComparing((a, b) -> Integer.compareUnsigned(a.getInt(4), b.getInt(4))));
        assertThat(records(read("out"), 16)).isEqualTo(expected);
        assertThat(read("in")).isEqualTo(before);

        assertDone(command(what, "verify", path("out"), "--against", path("in")));
        assertThat(out()).contains("20000 records, sorted, the same elements as " + path("in"));
        assertThat(run(command(what, "verify", path("in")))).isEqualTo(1);
        assertThat(out()).contains("NOT SORTED: the element at index ");
        assertDone(command(what, "sort", path("in"), "--device", "cpu"));
        assertThat(read("in")).isEqualTo(read("out"));
        assertNoLitter(2);
    }

    @Test
    void fieldsMayBeBigEndian() throws IOException {
        String layout = "id:u32be,price:f32be,code:i16be,n:u16";
        assertDone("generate", path("in"), "--layout", layout, "--count", "20000", "--seed", "5");
        List<ByteBuffer> expected = records(read("in"), 12);
        expected.forEach(record -> record.order(ByteOrder.BIG_ENDIAN));
        // As every uniform number that generate makes.
        assertThat(expected).allMatch(record -> record.getFloat(4) >= 0 && record.getFloat(4) < 1);
        String[] what = {"--layout", layout, "--by", "code desc, price, id"};
        assertDone(command(what, "sort", path("in"), "-o", path("out"), "--device", "cpu"));
        expected.sort(Comparator.<ByteBuffer>comparingInt(record -> -record.getShort(8))
                .thenComparing(record -> record.getFloat(4))
                .thenComparing((a, b) -> Integer.compareUnsigned(a.getInt(0), b.getInt(0))));
        assertThat(records(read("out"), 12)).isEqualTo(expected);
        assertDone(command(what, "verify", path("out"), "--against", path("in")));
        assertThat(run("verify", path("out"), "--layout", layout.replace("be", ""), "--by", "code desc, price, id"))
                .isEqualTo(1);
    }

    @Test
    void gensortRecordsAreSortedByKey() throws IOException {
        assertDone("generate", path("in"), "--layout", "gensort", "--count", "5000");
        byte[] before = read("in");
        assertThat(before).hasSize(500_000);
        assertThat(new String(before, StandardCharsets.ISO_8859_1)).matches("[ -~]*");
        assertDone("sort", path("in"), "-o", path("out"), "--layout", "gensort", "--device", "cpu");
        List<ByteBuffer> expected = records(before, 100);
        expected.sort(Comparator.comparing(r -> new String(r.array(), 0, 10, StandardCharsets.US_ASCII)));
        assertThat(records(read("out"), 100)).isEqualTo(expected);
        assertDone("verify", path("out"), "--layout", "gensort", "--against", path("in"));

        assertDone("sort", path("out"), "--layout", "gensort", "--by", "key desc", "--device", "cpu");
        assertThat(records(read("out"), 100)).isEqualTo(expected.reversed());
    }

    @Test
    void stableSortsKeepTheOrderOfEquals() throws IOException {
        String layout = "kind:bool,id:bytes[7]";
        assertDone("generate", path("in"), "--layout", layout, "--count", "10000");
        String[] what = {"--layout", layout, "--by", "kind", "--stable"};
        assertDone(command(what, "sort", path("in"), "-o", path("out"), "--device", "cpu"));
        List<ByteBuffer> expected = records(read("in"), 8);
        expected.sort(Comparator.comparing(r -> r.get(0)));
        assertThat(records(read("out"), 8)).isEqualTo(expected);

        assertDone(command(what, "verify", path("out"), "--against", path("in"), "--json"));
        assertThat(JSON.std.mapFrom(out()))
                .containsEntry("type", layout)
                .containsEntry("count", 10000)
                .containsEntry("sorted", true)
                .containsEntry("sameElements", true)
                .containsEntry("stable", true);

        byte[] swapped = read("out");
        System.arraycopy(read("out"), 0, swapped, 8, 8);
        System.arraycopy(read("out"), 8, swapped, 0, 8);
        Files.write(Path.of(path("out")), swapped);
        assertThat(run(command(what, "verify", path("out"), "--against", path("in"))))
                .isEqualTo(1);
        assertThat(out()).contains("sorted, the same elements as ", "NOT STABLE: an equal element belongs at index 0");
        swapped[7] ^= 1;
        Files.write(Path.of(path("out")), swapped);
        assertThat(run(command(what, "verify", path("out"), "--against", path("in"))))
                .isEqualTo(1);
        assertThat(out()).contains("NOT THE ELEMENTS of ").doesNotContain("STABLE");
    }

    @Test
    void keysAreSortedStablyWithTheirPayloads() throws IOException {
        assertDone("generate", path("k"), "--type", "u8", "--count", "20000");
        assertDone("generate", path("p.npy"), "--type", "i32", "--count", "20000", "--distribution", "sorted");
        assertDone(
                "sort",
                path("k"),
                "--type",
                "u8",
                "--stable",
                "-o",
                path("k2"),
                "--payload-file",
                path("p.npy"),
                "--payload-output",
                path("p2.npy"),
                "--device",
                "cpu");
        String[] verify = {
            "verify",
            path("k2"),
            "--type",
            "u8",
            "--against",
            path("k"),
            "--payload-against",
            path("p.npy"),
            "--payload-file",
            path("p2.npy")
        };
        assertDone(append(verify, "--stable"));
        assertThat(out()).contains("in the order that a stable sort gives");
        // Each key's payloads ascended: in descending order they are as well paired, and not stable.
        assertDone(
                "sort",
                path("k2"),
                "--type",
                "U8",
                "--descending",
                "--stable",
                "--payload-file",
                path("p2.npy"),
                "--device",
                "cpu");
        assertDone(append(verify, "--stable", "--descending"));
        assertThat(run(append(verify, "--stable"))).isEqualTo(1);
        assertDone("generate", path("p3.npy"), "--type", "f32", "--count", "20000");
        verify[verify.length - 1] = path("p3.npy");
        assertFails(3, "p3.npy holds f32 keys, but " + path("p.npy") + " holds i32 keys", verify);
    }

    @Test
    void payloadsMoveAlongWithRecords() {
        assertDone("generate", path("k"), "--layout", "a:u8,b:u8,c:u8", "--count", "3000");
        assertDone("generate", path("p"), "--type", "f64", "--count", "3000");
        String[] what = {"--layout", "a:u8,b:u8,c:u8", "--by", "c, a desc", "--payload", "f64"};
        assertDone(command(
                what,
                "sort",
                path("k"),
                "-o",
                path("k2"),
                "--payload-file",
                path("p"),
                "--payload-output",
                path("p2"),
                "--device",
                "cpu"));
        String[] verify = {"verify", path("k2"), "--against", path("k"), "--payload-against", path("p")};
        assertDone(command(append(what, "--payload-file", path("p2")), verify));
        assertThat(run(command(append(what, "--payload-file", path("p")), verify)))
                .isEqualTo(1);
    }

    @Test
    void sameSeedSameRecords() throws IOException {
        String[] what = {"--layout", "ok:bool,name:bytes[3],x:f32,_:8,y:f64,_:8", "--count", "100000", "--seed"};
        assertDone(command(append(what, "7"), "generate", path("a")));
        assertDone(command(append(what, "7"), "generate", path("b")));
        assertDone(command(append(what, "8"), "generate", path("c"), "--json"));
        assertThat(JSON.std.mapFrom(out())).containsEntry("type", what[1]).containsEntry("seed", 8);
        assertThat(read("b")).isEqualTo(read("a"));
        assertThat(records(read("c"), 32))
                .doesNotContainAnyElementsOf(records(read("a"), 32).subList(0, 10));
        List<ByteBuffer> records = records(read("a"), 32);
        assertThat(records).hasSize(100_000);
        assertThat(records).allSatisfy(r -> {
            assertThat(r.get(0)).isBetween((byte) 0, (byte) 1);
            assertThat(r.getFloat(4)).isBetween(0f, 1f);
            assertThat(r.getInt(8)).isZero();
            assertThat(r.getDouble(16)).isBetween(0., 1.);
            assertThat(r.getLong(24)).isZero();
        });
        assertThat(records.stream().map(r -> r.getDouble(16)).distinct()).hasSizeGreaterThan(99_990);
        assertThat(records.stream().filter(r -> r.get(0) == 1).count()).isBetween(49_000L, 51_000L);
        assertThat(records.stream().map(r -> r.get(3)).distinct()).hasSize(256);
    }

    @Test
    void mistakesAreToldAndNothingIsChanged() throws IOException {
        Files.write(Path.of(path("f")), new byte[13]);
        String f = path("f");
        assertFails(2, "field 'a' has the unknown type 'f99'", "sort", f, "--layout", "a:f99", "--by", "a");
        assertFails(2, "'down' cannot follow field 'a'", "sort", f, "--layout", "a:u8", "--by", "a down");
        assertFails(2, "--by names field 'z', but --layout has only 'a'", "sort", f, "--layout", "a:u8", "--by", "z");
        assertFails(
                2,
                "field 'a', which says where field 'b' is null, has 4 bytes",
                "sort",
                f,
                "--layout",
                "a:i32,b:i32",
                "--by",
                "b nulls first by a");
        assertFails(2, "say with --layout which fields they have", "sort", f, "--type", "i32", "--by", "a");
        assertFails(2, "say with --layout which fields they have", "verify", f, "--by", "a");
        assertFails(2, "name the fields with --by, as in --by a", "sort", f, "--layout", "a:u8");
        assertFails(2, "name the fields with --by, as in --by a", "verify", f, "--layout", "a:u8");
        assertFails(2, "--layout for files of records: leave one", "sort", f, "--layout", "gensort", "--type", "u8");
        assertFails(2, "as in --by \"key desc\"", "sort", f, "--layout", "gensort", "--descending");
        assertFails(
                1,
                "13 bytes, which is not a multiple of 100, the size of a record: is --layout right?",
                "sort",
                f,
                "--layout",
                "gensort");
        assertFails(2, "say what it holds, with --type for numbers or with --layout for records", "sort", f);
        assertFails(2, "name it with --against", "verify", f, "--type", "u8", "--stable");
        assertFails(2, "say either with --type which numbers to make", "generate", f, "--count", "1");
        assertFails(2, "say either", "generate", f, "--count", "1", "--type", "u8", "--layout", "gensort");
        String[] generate = {"generate", f, "--layout", "gensort"};
        assertFails(2, "leave --distribution out", append(generate, "--count", "1", "--distribution", "zipf"));
        assertFails(1, "is more than a file can hold: make fewer elements", append(generate, "--count", "2^62"));
        assertThat(read("f")).isEqualTo(new byte[13]);
        assertNoLitter(1);
    }

    @Test
    void recordsAreRawFiles() throws IOException {
        assertFails(
                2,
                "records are written to raw files",
                "generate",
                path("x.npy"),
                "--layout",
                "gensort",
                "--count",
                "1");
        assertDone("generate", path("x.npy"), "--type", "u8", "--count", "100");
        byte[] before = read("x.npy");
        assertFails(1, "--layout is for raw files: leave --layout out", "sort", path("x.npy"), "--layout", "gensort");
        assertThat(read("x.npy")).isEqualTo(before);
        assertDone("generate", path("y.npy"), "--type", "i8", "--count", "100");
        assertFails(
                3,
                "x.npy holds u8 keys, but " + path("y.npy") + " holds i8 keys",
                "verify",
                path("x.npy"),
                "--against",
                path("y.npy"));
        assertNoLitter(2);
    }

    private static List<ByteBuffer> records(byte[] file, int byteSize) {
        assertThat(file.length % byteSize).isZero();
        List<ByteBuffer> records = new ArrayList<>();
        for (int at = 0; at < file.length; at += byteSize) {
            byte[] bytes = new byte[byteSize];
            System.arraycopy(file, at, bytes, 0, byteSize);
            records.add(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        }
        return records;
    }
}
