package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The command, end to end on temporary folders.
class CommandTest extends CommandCase {
    @ParameterizedTest
    @EnumSource
    void sortsFilesOfEveryTypeBothWays(KeyType type) throws IOException {
        for (String extension : new String[] {".raw", ".npy"}) {
            for (String direction : new String[] {"", "--descending"}) {
                String file = path("keys" + extension);
                String original = path("original" + extension);
                assertThat(run("generate", file, "--type", type.toString(), "--count", "20000", "--seed", "3"))
                        .isZero();
                Files.copy(Path.of(file), Path.of(original), StandardCopyOption.REPLACE_EXISTING);
                String[] types = extension.equals(".raw") ? new String[] {"--type", type.toString()} : new String[0];
                assertThat(run(join(new String[] {"sort", file, "--device", "cpu"}, types, direction)))
                        .as(err())
                        .isZero();
                assertThat(run(join(new String[] {"verify", file, "--against", original}, types, direction)))
                        .as(out())
                        .isZero();
                assertThat(run(join(new String[] {"verify", original}, types, direction)))
                        .isEqualTo(1);
            }
        }
        assertNoLitter(4);
    }

    @Test
    void payloadsMoveAlong() throws IOException {
        generate("k.u32", "u32", "30000", "root-duplicates");
        generate("p.npy", "f64", "30000", "uniform");
        assertThat(run(
                        "sort",
                        path("k.u32"),
                        "--type",
                        "u32",
                        "-o",
                        path("k2.u32"),
                        "--payload-file",
                        path("p.npy"),
                        "--payload-output",
                        path("p2.npy")))
                .as(err())
                .isZero();
        assertThat(run(
                        "verify",
                        path("k2.u32"),
                        "--type",
                        "u32",
                        "--against",
                        path("k.u32"),
                        "--payload-file",
                        path("p2.npy"),
                        "--payload-against",
                        path("p.npy")))
                .as(out())
                .isZero();
        // Keys with payloads that stayed where they were are the wrong pairs.
        assertThat(run(
                        "verify",
                        path("k2.u32"),
                        "--type",
                        "u32",
                        "--against",
                        path("k.u32"),
                        "--payload-file",
                        path("p.npy"),
                        "--payload-against",
                        path("p.npy")))
                .isEqualTo(1);
        assertThat(run("sort", path("k.u32"), "--type", "u32", "--payload", "f64", "--payload-file", path("k.u32")))
                .isNotZero();
    }

    @Test
    void reportsForPeopleAndMachines() throws IOException {
        generate("a.i64", "i64", "100000", "gaussian");
        assertThat(run("sort", path("a.i64"), "--type", "i64", "--device", "cpu", "--json"))
                .isZero();
        Map<String, Object> report = JSON.std.mapFrom(out());
        assertThat(report)
                .containsEntry("elementCount", 100000)
                .containsEntry("passes", 1)
                .containsKey("seconds");
        assertThat(run("sort", path("a.i64"), "--type", "i64", "--device", "cpu", "--report"))
                .isZero();
        assertThat(out()).contains("cpu, ").contains("100,000");
        assertThat(run("sort", path("a.i64"), "--type", "i64", "--device", "cpu", "--threads", "1", "--json"))
                .isZero();
        assertThat(JSON.std.mapFrom(out())).containsEntry("device", "cpu, 1 thread");
        assertThat(run("info", "--json")).isZero();
        assertThat(JSON.std.mapFrom(out())).containsKeys("gpuUsable", "kernelCache");
        assertThat(run("demo", "--count", "100000", "--device", "cpu")).isZero();
        assertThat(out().lines().filter(line -> line.endsWith("yes"))).hasSize(3);
    }

    @Test
    void mistakesAreToldAndNothingIsChanged() throws IOException {
        Files.write(Path.of(path("odd")), new byte[13]);
        assertFails(1, "13 bytes, which is not a multiple of 8", "sort", path("odd"), "--type", "u64");
        assertFails(1, "is not there", "sort", path("none"), "--type", "u64");
        assertFails(1, "is a folder", "sort", path(""), "--type", "u8");
        assertFails(2, "say what it holds", "sort", path("odd"));
        assertFails(2, "u99", "sort", path("odd"), "--type", "u99");
        assertFails(2, "gpu:x", "sort", path("odd"), "--type", "u8", "--device", "gpu:x");
        assertFails(1, "tuning", "sort", path("odd"), "--type", "u8", "--tuning", "nonsense=1");
        assertFails(1, "is not there", "sort", path("odd"), "--type", "u8", "-o", path("no/such/folder"));
        assertFails(2, "--payload-file", "sort", path("odd"), "--type", "u8", "--payload", "u8");
        assertFails(
                2, "same file", "sort", path("odd"), "--type", "u8", "--payload", "u8", "--payload-file", path("odd"));
        generate("short.u8", "u8", "12", "uniform");
        assertFails(
                1,
                "13 keys, but",
                "sort",
                path("odd"),
                "--type",
                "u8",
                "--payload",
                "u8",
                "--payload-file",
                path("short.u8"));
        assertFails(2, "too large", "generate", path("x"), "--type", "u8", "--count", "2^99");
        assertFails(2, "uniform", "generate", path("x"), "--type", "u8", "--count", "1", "--distribution", "odd");
        assertThat(Files.readAllBytes(Path.of(path("odd")))).isEqualTo(new byte[13]);
        assertNoLitter(2);
    }

    @Test
    void aFolderIsNoResult() throws IOException {
        generate("a.u8", "u8", "10", "uniform");
        for (String folder : new String[] {"/", path("")}) {
            assertFails(1, "is a folder", "sort", path("a.u8"), "--type", "u8", "-o", folder);
            assertFails(1, "is a folder", "argsort", path("a.u8"), "--type", "u8", "-o", folder);
            assertFails(1, "is a folder", "generate", folder, "--type", "u8", "--count", "1");
            assertFails(3, "is a folder", "verify", folder, "--type", "u8");
        }
        assertNoLitter(1);
    }

    @Test
    void verifyTellsNotSortedFromCannotBeRead() throws IOException {
        Files.write(Path.of(path("sorted")), new byte[] {1, 2});
        Files.write(Path.of(path("unsorted")), new byte[] {2, 1});
        assertThat(run("verify", path("sorted"), "--type", "u8")).isZero();
        assertThat(run("verify", path("unsorted"), "--type", "u8")).isEqualTo(1);
        assertThat(run("verify", path("sorted"), "--type", "u8", "--against", path("unsorted")))
                .isZero();
        assertFails(2, "say what it holds", "verify", path("sorted"));
        assertFails(3, "none is not there", "verify", path("none"), "--type", "u8");
        assertFails(3, "none is not there", "verify", path("sorted"), "--type", "u8", "--against", path("none"));
        assertFails(3, "sorted/none is not there", "verify", path("sorted/none"), "--type", "u8");
        assertFails(3, "2 bytes, which is not a multiple of 4", "verify", path("sorted"), "--type", "f32");
    }

    @Test
    void filesThatMayNotBeReadAreToldInWords() throws IOException, InterruptedException {
        generate("a.u8", "u8", "10", "uniform");
        Path file = Path.of(path("a.u8"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assertThat(runProcess(withoutPrivileges(process("sort", path("a.u8"), "--type", "u8"))))
                .isEqualTo("1\nsamplesort: cannot read " + file + ": permission denied for " + file + "\n");
    }

    @Test
    void aNameMayBeginWithAnAtSign() throws IOException {
        Path file = Path.of("@samplesort-test.u8");
        Path arguments = Path.of("samplesort-test.u8");
        try {
            Files.write(file, new byte[] {2, 1});
            Files.writeString(arguments, "--help");
            assertDone("sort", file.toString(), "--type", "u8");
            assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(arguments);
        }
    }

    @Test
    void permissionsAndLinksAreKept() throws IOException {
        generate("a.u16", "u16", "1000", "uniform");
        Path file = Path.of(path("a.u16"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(Path.of(path("link")), file);
        assertThat(run("sort", link.toString(), "--type", "u16")).isZero();
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(run("verify", file.toString(), "--type", "u16")).isZero();
    }

    private void generate(String name, String type, String count, String distribution) {
        assertThat(run("generate", path(name), "--type", type, "--count", count, "--distribution", distribution))
                .isZero();
    }

    private static String[] join(String[] first, String[] second, String last) {
        Stream<String> all = Stream.concat(Stream.of(first), Stream.of(second));
        return (last.isEmpty() ? all : Stream.concat(all, Stream.of(last))).toArray(String[]::new);
    }
}
