package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.data.RawText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Command lines of `samplesort lines` that GNU's sort takes or refuses: both do the same, with the same exit code.
class GnuCommandLinesTest extends CommandCase {
    /// Words are divided by blanks; in the place of a blank or an empty word stand `_` and `@`.
    private static final List<String> LINES = List.of(
            "-c -C in",
            "-c --check=quiet in",
            "-cc in",
            "-CC in",
            "--check=q in",
            "--check=diag in",
            "--check -m in",
            "-c -o out in",
            "-C -o out in",
            "-c in in",
            "-o out -o other in",
            "-o out -o out in",
            "-t, -t: in",
            "-t, -t, -k2 in",
            "-t_ -k2 in",
            "-t _ -k2 in",
            "-t__ in",
            "-t @ in",
            "-t= -k2 in",
            "-t \\0 -k2 in",
            "-t \\n in",
            "-tab in",
            "-té in",
            "--field-separator=_ -k2 in",
            "--field=: -k2 in",
            "--uniq in",
            "--unique=x in",
            "--p=2 in",
            "--sort=n in",
            "--sort=hum in",
            "--sort m in",
            "--rev in",
            "--m in",
            "--s=n in",
            "--random in",
            "--xyz in",
            "-nd in",
            "-n -d -k1,1r in",
            "-n -d -k1,1 in",
            "-ng in",
            "-hM in",
            "-Vn in",
            "-Vd in",
            "-k1ng in",
            "-k1,2dn in",
            "-k in",
            "--key",
            "-k0 in",
            "-k _2 in",
            "-k 1,_+1 -k+2.+2 in",
            "-k -2 in",
            "--batch-size=1 in",
            "--batch-size=2 in",
            "--parallel=0 in",
            "--parallel=x in",
            "--compress-program",
            "-S 5Q in",
            "-S 0 in",
            "-S 0% in",
            "-S _+5M in",
            "-S -5M in",
            "-o",
            "@",
            "-o @ in",
            "-ru -- in",
            "--files0-from=list",
            "--files0-from=unended",
            "--files0-from=list in",
            "--files0-from=middle",
            "--files0-from=only",
            "--files0-from=empty",
            "--files0-from=missing",
            "--files0-from=.",
            "--files0-from=list --files0-from=empty");

    private static String[] words(String line) {
        return List.of(line.split(" ")).stream()
                .map(word -> word.replace("@", "").replace('_', ' '))
                .toArray(String[]::new);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(Path.of(path(name)), text);
    }

    @Test
    void areTakenAndRefusedAlike() throws Exception {
        Programs.require("sort");
        write("in", "b 2:x=9\na 10:y=1\nC 1:x\nb 2:x=9\n");
        String in = path("in");
        write("list", in + "\0" + in + "\0");
        write("unended", in + "\0" + in);
        write("middle", in + "\0\0" + in + "\0");
        write("only", "\0");
        write("empty", "");
        StringBuilder script = new StringBuilder("export LC_ALL=C\n");
        for (int i = 0; i < LINES.size(); i++) {
            script.append("sort");
            for (String word : words(LINES.get(i))) {
                script.append(" '" + word + "'");
            }
            script.append(" > expected" + i + " 2> /dev/null; echo $?;");
            script.append(" [ ! -e out ] || mv out expected" + i + "\n");
        }
        String codes = runProcess("bash", "-c", "cd '" + path("") + "'\n" + script);
        for (int i = 0; i < LINES.size(); i++) {
            int expected =
                    Integer.parseInt(codes.lines().skip(i + 1L).findFirst().orElseThrow());
            assertThat(run(inFolder(LINES.get(i))))
                    .as("%s%n%s", LINES.get(i), err())
                    .isEqualTo(expected);
            if (expected == 2) {
                assertThat(err()).as(LINES.get(i)).startsWith("samplesort: ").doesNotContain("\tat ");
            }
            boolean hasResult = expected == 0 && !LINES.get(i).matches("(-c|-C|--check).*");
            assertThat(Files.exists(Path.of(path("out")))).as(LINES.get(i)).isEqualTo(hasResult);
            if (hasResult) {
                assertThat(read("out")).as(LINES.get(i)).isEqualTo(read("expected" + i));
                Files.delete(Path.of(path("out")));
            }
        }
    }

    /// Returns the words with the files in the folder of the test, and an output there.
    private String[] inFolder(String line) {
        List<String> words = new ArrayList<>(List.of("lines"));
        for (String word : words(line)) {
            words.add(
                    word.matches("in|out|other")
                            ? path(word)
                            : word.startsWith("--files0-from=") ? "--files0-from=" + path(word.substring(14)) : word);
        }
        if (!line.contains("-o") && !line.matches("(-c|-C|--check).*")) {
            words.addAll(1, List.of("-o", path("out")));
        }
        return words.toArray(String[]::new);
    }

    @Test
    void filesOfAListMayHaveAnyName() throws Exception {
        Path file = RawText.path(path("caf") + RawText.decode((byte) 0xE9));
        Files.writeString(file, "b\na\n");
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        list.writeBytes((path("caf")).getBytes(StandardCharsets.UTF_8));
        list.write(0xE9);
        Files.write(Path.of(path("list")), list.toByteArray());
        assertDone("lines", "--files0-from=" + path("list"), "-o", path("out"));
        assertThat(read("out")).asString().isEqualTo("a\nb\n");
    }

    @Test
    void listsAreToldWhatIsWrong() throws Exception {
        write("empty", "");
        write("middle", "in\0\0in\0");
        assertFails(2, "/empty is empty: it has to name a file", "lines", "--files0-from=" + path("empty"));
        assertFails(2, "name 2 in " + path("middle") + " is empty", "lines", "--files0-from=" + path("middle"));
    }

    /// Names and separators are bytes, which need be no text.
    @Test
    void separatorsAndNamesMayHaveAnyBytes() throws Exception {
        for (int letter : new int[] {1, 9, 11, 13, 27, 31, 32, 61, 127, 128, 0xC3, 0xE9, 255}) {
            String separator = RawText.decode((byte) letter);
            Path in = RawText.path(path("in") + separator);
            Files.write(in, RawText.encode("b" + separator + "10\na" + separator + "2\nc" + separator + "9\n"));
            String out = path("out") + separator;
            for (List<String> option : List.of(
                    List.of("-t" + separator), List.of("-t", separator), List.of("--field-separator=" + separator))) {
                List<String> words = new ArrayList<>(List.of("lines", "-k2n"));
                words.addAll(option);
                words.addAll(List.of(path("in") + separator, "-o", out));
                assertDone(words.toArray(String[]::new));
                assertThat(Files.readAllBytes(RawText.path(out)))
                        .isEqualTo(RawText.encode("a" + separator + "2\nc" + separator + "9\nb" + separator + "10\n"));
                Files.delete(RawText.path(out));
            }
            Files.delete(in);
        }
        assertNoLitter(0);
    }
}
