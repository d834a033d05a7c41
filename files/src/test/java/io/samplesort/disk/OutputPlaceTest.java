package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where the paths of outputs lead.
class OutputPlaceTest {
    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void resolve() throws IOException {
        folder = temporary.toRealPath();
    }

    private Path link(String name, String target) throws IOException {
        return Files.createSymbolicLink(folder.resolve(name), Path.of(target));
    }

    private static void write(Path path) throws IOException {
        try (OutputFile file = OutputPlace.of(path).open()) {
            file.append(MemorySegment.ofArray("new".getBytes(StandardCharsets.UTF_8)), bytes -> {});
            file.complete();
            file.publish();
        }
    }

    @Test
    void linksLeadToTheirTargetWhetherItExistsOrNot() throws IOException {
        Files.createDirectory(folder.resolve("inner"));
        link("inner/third", "../target");
        link("second", folder + "/inner/third");
        Path first = link("first", "second");
        assertThat(OutputPlace.of(first).file()).isEqualTo(folder.resolve("target"));
        for (int i = 0; i < 2; i++) {
            write(first);
            assertThat(folder.resolve("target")).hasContent("new").isRegularFile();
            assertThat(first).isSymbolicLink();
            assertThat(folder.resolve("second")).isSymbolicLink();
            Files.writeString(folder.resolve("target"), "old");
        }
    }

    @Test
    void linksThatLeadNowhereAreRefused() throws IOException {
        link("loop", "pool");
        Path loop = link("pool", "loop");
        refused(loop, "cannot write " + loop + ": it is a link that leads back to itself");
        refused(link("self", "self"), "it is a link that leads back to itself");
        refused(link("lost", "no/such/folder"), "no/such is not there: make it first");
        refused(link("up", "."), "is a folder: name a file");
    }

    private void refused(Path path, String message) throws IOException {
        assertThatThrownBy(() -> OutputPlace.of(path))
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining(message);
    }

    @Test
    void placesThatCannotBeWrittenAreRefused() throws IOException {
        refused(folder, "is a folder: name a file");
        refused(Path.of("/"), "is a folder: name a file");
        refused(folder.resolve(".."), "is a folder: name a file");
        refused(folder.resolve("no/a"), "is not there: make it first");
        Path file = Files.createFile(folder.resolve("file"));
        refused(file.resolve("a"), "is not");
        refused(folder.resolve("a".repeat(256)), "cannot write ");
        Path socket = folder.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            refused(socket, "it is a socket; name a file, a pipe or a device");
        }
        if (Files.exists(Path.of("/dev/stdin"))) {
            refused(Path.of("/dev/stdin"), "is the standard input");
        }
    }

    @Test
    void whatIsNoRegularFileIsAStream() throws IOException {
        assertThat(OutputPlace.of(folder.resolve("a")).isStream()).isFalse();
        assertThat(OutputPlace.of(OutputPlace.STANDARD_OUTPUT).isStandardOutput())
                .isTrue();
        Path device = Path.of("/dev/null");
        if (Files.exists(device)) {
            assertThat(OutputPlace.of(device).isStream()).isTrue();
            assertThat(OutputPlace.of(link("null", "/dev/null")).file()).isEqualTo(device);
        }
        if (Files.exists(Path.of("/proc/self/fd/1"))) {
            assertThat(OutputPlace.of(Path.of("/proc/self/fd/1")).file()).isEqualTo(OutputPlace.STANDARD_OUTPUT);
            assertThat(OutputPlace.of(link("out", "/dev/stdout")).isStandardOutput())
                    .isTrue();
        }
    }
}
