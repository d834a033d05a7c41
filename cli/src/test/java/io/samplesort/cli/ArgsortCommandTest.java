package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// `samplesort argsort`.
class ArgsortCommandTest extends CommandCase {
    private static final int COUNT = 30_000;

    @Test
    void thePermutationOfARawFileIsRaw() throws IOException {
        assertDone("generate", path("k"), "--type", "f64", "--count", "" + COUNT, "--distribution", "root-duplicates");
        byte[] before = read("k");
        assertDone("argsort", path("k"), "-o", path("p"), "--type", "f64", "--device", "cpu");
        double[] keys = new double[COUNT];
        littleEndian(before).asDoubleBuffer().get(keys);
        long[] expected = LongStream.range(0, COUNT)
                .boxed()
                .sorted(Comparator.comparing(i -> keys[i.intValue()]))
                .mapToLong(i -> i)
                .toArray();
        assertThat(longs("p", 0)).isEqualTo(expected);
        assertThat(read("k")).isEqualTo(before);

        assertDone("argsort", path("k"), "-o", path("p"), "--type", "f64", "--device", "cpu", "--index-type", "i32");
        assertThat(ints("p", 0))
                .isEqualTo(Arrays.stream(expected).mapToInt(i -> (int) i).toArray());
        assertNoLitter(2);
    }

    @Test
    void thePermutationOfAnArrayIsAnArray() throws IOException {
        assertDone("generate", path("k.npy"), "--type", "u8", "--count", "" + COUNT);
        byte[] file = read("k.npy");
        int[] expected = IntStream.range(0, COUNT)
                .boxed()
                .sorted(Comparator.comparing(i -> -(file[file.length - COUNT + i] & 0xff)))
                .mapToInt(i -> i)
                .toArray();
        String[] command = {"argsort", path("k.npy"), "--descending", "--device", "cpu", "--json", "-o", path("p.npy")};
        assertDone(command);
        assertThat(JSON.std.mapFrom(out())).containsEntry("elementCount", COUNT).containsKey("device");
        assertThat(dictionary("p.npy")).contains("'descr': '<i8'", "'shape': (" + COUNT + ",)");
        assertThat(longs("p.npy", read("p.npy").length - COUNT * Long.BYTES))
                .isEqualTo(Arrays.stream(expected).asLongStream().toArray());

        String[] ofInts = Arrays.copyOf(command, command.length + 2);
        ofInts[command.length] = "--index-type";
        ofInts[command.length + 1] = "I32";
        assertDone(ofInts);
        assertThat(dictionary("p.npy")).contains("'descr': '<i4'");
        assertThat(ints("p.npy", read("p.npy").length - COUNT * Integer.BYTES)).isEqualTo(expected);
    }

    @Test
    void thePermutationOfRecordsIsByTheirFields() throws IOException {
        String layout = "a:u8,b:bytes[2]";
        assertDone("generate", path("k"), "--layout", layout, "--count", "" + COUNT);
        assertDone(
                "argsort",
                path("k"),
                "-o",
                path("p"),
                "--layout",
                layout,
                "--by",
                "a desc",
                "--report",
                "--device",
                "cpu");
        assertThat(out()).contains("elements        30,000");
        byte[] records = read("k");
        assertThat(longs("p", 0))
                .isEqualTo(LongStream.range(0, COUNT)
                        .boxed()
                        .sorted(Comparator.comparing(i -> -(records[3 * i.intValue()] & 0xff)))
                        .mapToLong(i -> i)
                        .toArray());
    }

    @Test
    void aFileLargerThanTheMemoryIsSortedInParts() throws IOException {
        assertDone("generate", path("k.npy"), "--type", "f32", "--count", "100000", "--distribution", "zipf");
        String[] argsort = {"argsort", path("k.npy"), "--device", "cpu", "--json"};
        assertDone(append(argsort, "-o", path("whole.npy")));
        assertThat(JSON.std.mapFrom(out()).get("phaseSeconds").toString()).doesNotContain("buckets=");
        assertDone(append(argsort, "-o", path("parts.npy"), "--memory", "200K", "--temp", path("")));
        assertThat(JSON.std.mapFrom(out()).get("phaseSeconds").toString()).contains("runs=", "buckets=");
        assertThat(read("parts.npy")).isEqualTo(read("whole.npy"));
        assertFails(
                1,
                "memory of 500 bytes is too little to sort 100000",
                append(argsort, "-o", path("p"), "--memory", "500"));
        assertNoLitter(3);
    }

    @Test
    void nothingHasAnEmptyPermutation() throws IOException {
        assertDone("generate", path("k"), "--type", "i16", "--count", "0");
        assertDone("argsort", path("k"), "-o", path("p"), "--type", "i16");
        assertThat(read("p")).isEmpty();
    }

    @Test
    void mistakesAreToldAndNothingIsChanged() throws IOException {
        assertDone("generate", path("k"), "--type", "u8", "--count", "10");
        byte[] before = read("k");
        assertFails(2, "missing required option: '--output=OUT'", "argsort", path("k"), "--type", "u8");
        assertFails(2, "name another OUT", "argsort", path("k"), "-o", path("k"), "--type", "u8");
        String[] command = {"argsort", path("k"), "-o", path("p"), "--type", "u8", "--index-type", "u16"};
        assertFails(2, "index type 'u16': use i32 or i64", command);
        assertFails(1, "multiple of 4, the size of an i32", "argsort", path("k"), "-o", path("p"), "--type", "i32");
        assertFails(1, "is not there", "argsort", path("k"), "-o", path("no/p"), "--type", "u8");
        assertFails(2, "name the fields with --by", "argsort", path("k"), "-o", path("p"), "--layout", "a:u8,b:u8");
        assertFails(1, "is not there", "argsort", path("none"), "-o", path("p"), "--type", "u8");
        assertThat(read("k")).isEqualTo(before);
        assertNoLitter(1);
    }

    @Test
    void tooManyForSmallIndexesIsToldBeforeTheyAreRead() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(path("k"), "rw")) {
            sparse.setLength(1L << 31);
        }
        assertFails(
                1,
                "has 2147483648 u8 keys, too many for indexes of type i32: leave --index-type out",
                "argsort",
                path("k"),
                "-o",
                path("p"),
                "--type",
                "u8",
                "--index-type",
                "i32");
        assertNoLitter(1);
    }

    private String dictionary(String file) throws IOException {
        return new String(read(file), StandardCharsets.ISO_8859_1);
    }

    private long[] longs(String file, int from) throws IOException {
        LongBuffer longs = littleEndian(read(file))
                .position(from)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer();
        long[] array = new long[longs.remaining()];
        longs.get(array);
        return array;
    }

    private int[] ints(String file, int from) throws IOException {
        IntBuffer ints = littleEndian(read(file))
                .position(from)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer();
        int[] array = new int[ints.remaining()];
        ints.get(array);
        return array;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
