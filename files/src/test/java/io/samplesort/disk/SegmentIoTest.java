package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reading and writing on devices that move less than they are asked for, and on devices that fail.
class SegmentIoTest {
    private static final int BYTES = 5000;
    private static final int BEFORE = 11;

    private final byte[] content = new byte[BYTES];
    private final AtomicLong moved = new AtomicLong();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void fill() throws IOException {
        new Random(3).nextBytes(content);
        file = Files.createFile(folder.resolve("file"));
    }

    private FaultyChannel open(int mostBytes, int calls) throws IOException {
        return new FaultyChannel(
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE), mostBytes, calls);
    }

    @Test
    void shortReadsAreContinued() throws IOException {
        Files.write(file, content);
        for (int most : new int[] {1, 7, 4096, BYTES}) {
            moved.set(0);
            try (FaultyChannel channel = open(most, BYTES);
                    Arena arena = Arena.ofConfined()) {
                MemorySegment target = arena.allocate(BYTES - BEFORE);
                SegmentIo.read(channel, BEFORE, target, moved::addAndGet);
                assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Arrays.copyOfRange(content, BEFORE, BYTES));
                assertThat(moved).hasValue(BYTES - BEFORE);
            }
        }
    }

    @Test
    void shortWritesAreContinued() throws IOException {
        for (int most : new int[] {1, 7, 4096, BYTES}) {
            Files.write(file, new byte[BEFORE]);
            moved.set(0);
            try (FaultyChannel channel = open(most, 2 * BYTES)) {
                SegmentIo.write(channel, BEFORE, MemorySegment.ofArray(content), moved::addAndGet);
                channel.position(BEFORE + BYTES);
                SegmentIo.append(channel, MemorySegment.ofArray(content), moved::addAndGet);
            }
            assertThat(moved).hasValue(2 * BYTES);
            byte[] written = Files.readAllBytes(file);
            assertThat(written).hasSize(BEFORE + 2 * BYTES);
            assertThat(Arrays.copyOfRange(written, BEFORE, BEFORE + BYTES)).isEqualTo(content);
            assertThat(Arrays.copyOfRange(written, BEFORE + BYTES, written.length))
                    .isEqualTo(content);
        }
    }

    @Test
    void aFileThatEndsEarlyIsTold() throws IOException {
        Files.write(file, Arrays.copyOf(content, 100));
        try (FaultyChannel channel = open(64, BYTES)) {
            assertThatThrownBy(() -> SegmentIo.read(channel, 0, MemorySegment.ofArray(content), moved::addAndGet))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("ended after 100 bytes");
        }
        assertThat(moved).hasValue(100);
    }

    @Test
    void aDeviceThatFailsHalfWayIsTold() throws IOException {
        Files.write(file, content);
        try (FaultyChannel channel = open(1000, 3)) {
            assertThatThrownBy(
                            () -> SegmentIo.read(channel, 0, MemorySegment.ofArray(new byte[BYTES]), moved::addAndGet))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Input/output error");
        }
        assertThat(moved).hasValue(3000);
        try (FaultyChannel channel = open(1000, 2)) {
            assertThatThrownBy(() -> SegmentIo.append(channel, MemorySegment.ofArray(content), moved::addAndGet))
                    .hasMessage("Input/output error");
        }
        assertThat(moved).hasValue(5000);
    }
}
