package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that stays the same one and gets another content, also where that fails.
class OverwrittenFileTest {
    private static final int OLD_BYTES = 10_000;

    @TempDir
    private Path folder;

    private Path target;
    private Path temporary;
    private byte[] old;

    @BeforeEach
    void writeOld() throws IOException {
        old = bytes(OLD_BYTES, 1);
        target = Files.write(folder.resolve("target"), old);
        temporary = Files.createDirectory(folder.resolve("temporary"));
    }

    private static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private OverwrittenFile create(OverwrittenFile.Opener opener) throws IOException {
        return OverwrittenFile.create(target, target, temporary, opener);
    }

    private static void publish(OutputFile file, byte[] content) throws IOException {
        file.append(MemorySegment.ofArray(content), moved -> {});
        assertThat(file.complete()).isEmpty();
        file.publish();
        file.settle();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, OLD_BYTES - 1, OLD_BYTES, OLD_BYTES + 1, 3_000_000})
    void theFileStaysTheSameOneAndGetsTheWholeResult(int count) throws IOException {
        Path otherName = Files.createLink(folder.resolve("other"), target);
        byte[] content = bytes(count, 2);
        try (OutputFile file = OutputPlace.of(target, true).open(temporary)) {
            publish(file, content);
        }
        assertThat(target).hasBinaryContent(content);
        assertThat(Files.isSameFile(target, otherName)).isTrue();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void whatIsNotPublishedChangesNothing() throws IOException {
        try (OutputFile file = OutputPlace.of(target, true).open(temporary)) {
            file.append(MemorySegment.ofArray(bytes(100, 3)), moved -> {});
            assertThatThrownBy(file::publish).isInstanceOf(IllegalStateException.class);
            file.complete();
        }
        assertThat(target).hasBinaryContent(old);
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void anInterruptDoesNotEndItHalfWay() throws IOException {
        byte[] content = bytes(3_000_000, 4);
        try (OutputFile file = OutputPlace.of(target, true).open(temporary)) {
            file.append(MemorySegment.ofArray(content), moved -> {});
            file.complete();
            Thread.currentThread().interrupt();
            file.publish();
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(target).hasBinaryContent(content);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void aFileThatCannotBecomeLongerIsAsItWas(int callsLeft) throws IOException {
        byte[] content = bytes(OLD_BYTES + 5000, 5);
        assertThatThrownBy(() -> publishFaultily(content, callsLeft))
                .isInstanceOf(FileFailure.class)
                .hasMessageStartingWith(
                        "cannot make " + target + " longer, which is as it was; the complete result lies" + " in "
                                + kept() + ", to be copied there: Input/output error");
        assertThat(target).hasBinaryContent(old);
        assertThat(kept()).hasBinaryContent(content);
    }

    @Test
    void theResultStaysWhereOverwritingFails() throws IOException {
        byte[] content = bytes(OLD_BYTES, 6);
        assertThatThrownBy(() -> publishFaultily(content, 4))
                .isInstanceOf(FileFailure.class)
                .hasMessageStartingWith(
                        "cannot overwrite all of " + target + ", which has partly its old and partly its"
                                + " new content; the complete result lies in " + kept());
        assertThat(Files.readAllBytes(target)).startsWith(Arrays.copyOf(content, 4000));
        // Neither closing nor a later sort to the same file takes it for a temporary one.
        assertThat(Leftovers.clean(temporary)).isEmpty();
        assertThat(kept()).hasBinaryContent(content);
    }

    private void publishFaultily(byte[] content, int callsLeft) throws IOException {
        try (OutputFile file =
                create(() -> new FaultyChannel(FileChannel.open(target, StandardOpenOption.WRITE), 1000, callsLeft))) {
            publish(file, content);
        }
    }

    private Path kept() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            Path kept = files.toList().getFirst();
            assertThat(kept.getFileName().toString()).matches("target\\.[0-9a-f]+\\.result");
            return kept;
        }
    }
}
