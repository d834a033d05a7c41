package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// `samplesort sort --first` and `--last`: a part of what `sort` writes.
class SortCutTest extends CommandCase {
    private static final int COUNT = 50_000;

    @Test
    void aPartOfTheResultIsWritten() throws IOException {
        assertDone("generate", path("k"), "--type", "f64", "--count", "" + COUNT);
        byte[] before = read("k");
        String[] what = {"--type", "f64", "--descending", "--device", "cpu"};
        assertDone(append(new String[] {"sort", path("k"), "-o", path("all")}, what));
        byte[] all = read("all");
        for (int wanted : new int[] {0, 1, 100, COUNT, COUNT + 1}) {
            int bytes = Math.min(wanted, COUNT) * Double.BYTES;
            String[] sort = {"sort", path("k"), "-o", path("part"), "--memory", "16M", "--json"};
            assertDone(append(append(sort, what), "--first", "" + wanted));
            assertThat(JSON.std.mapFrom(out())).containsEntry("elementCount", COUNT);
            assertThat(read("part")).isEqualTo(Arrays.copyOf(all, bytes));
            assertDone(append(append(sort, what), "--last=" + wanted));
            assertThat(read("part")).isEqualTo(Arrays.copyOfRange(all, all.length - bytes, all.length));
        }
        assertThat(read("k")).isEqualTo(before);
        assertNoLitter(3);
    }

    /// A sort of all elements takes temporary files where the memory does not hold them, and so do these.
    @Test
    void allElementsNeedNoMoreMemoryThanASort() throws IOException {
        for (String name : new String[] {"k", "k.npy"}) {
            assertDone("generate", path(name), "--type", "u32", "--count", "" + COUNT);
            String[] type = name.equals("k") ? new String[] {"--type", "u32"} : new String[0];
            String[] sort = append(new String[] {"sort", path(name), "--memory", "64K", "--device", "cpu"}, type);
            String all = path("all-" + name);
            String part = path("part-" + name);
            assertDone(append(sort, "-o", all));
            for (String option : new String[] {"--first", "--last"}) {
                assertFails(1, "is too little to hold", append(sort, "-o", part, option, "" + (COUNT - 1)));
                for (int wanted : new int[] {COUNT, 2 * COUNT}) {
                    assertDone(append(sort, "-o", part, option, "" + wanted));
                    assertThat(Path.of(part)).hasSameBinaryContentAs(Path.of(all));
                }
            }
        }
    }

    @Test
    void aPartOfAnArrayIsAnArray() throws IOException {
        assertDone("generate", path("k.npy"), "--type", "u16", "--count", "" + COUNT);
        assertDone("sort", path("k.npy"), "-o", path("part.npy"), "--first", "12");
        assertThat(new String(read("part.npy"), StandardCharsets.ISO_8859_1)).contains("'shape': (12,)");
        assertDone("verify", path("part.npy"));
    }

    @Test
    void mistakesAreToldAndNothingIsChanged() throws IOException {
        Files.write(Path.of(path("k")), new byte[] {3, 1, 2});
        String[] sort = {"sort", path("k"), "--type", "u8", "--first", "1"};
        assertFails(2, "which would replace " + path("k") + ": name another file with -o", sort);
        assertFails(2, "--first and --last contradict each other", append(sort, "--last", "1", "-o", path("o")));
        String[] payloads = {"--payload", "u8", "--payload-file", path("k"), "--payload-output", path("p")};
        assertFails(2, "--first is for elements without payloads", append(append(sort, payloads), "-o", path("o")));
        assertFails(
                2, "count '-1' must not be negative", "sort", path("k"), "--type", "u8", "-o", path("o"), "--last=-1");
        assertFails(1, "is too little to hold 1 elements", append(sort, "-o", path("o"), "--memory", "1"));
        assertThat(read("k")).isEqualTo(new byte[] {3, 1, 2});
        assertNoLitter(1);
    }
}
