package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several threads fill one segment; whatever goes wrong, none uses it any more when the call ends.
@Timeout(600)
class ParallelReadTest {
    private static final int MIB = 1 << 20;
    /// Several turns of every thread, the last of them not whole.
    private static final int BYTES = 100 * MIB + 13;
    private static final int HEADER = 5;

    private final AtomicLong moved = new AtomicLong();
    private final AtomicInteger inside = new AtomicInteger();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("file");
        byte[] content = new byte[BYTES + HEADER];
        new Random(4).nextBytes(content);
        Files.write(file, content);
    }

    @AfterEach
    void nobodyReadsAnyMore() {
        assertThat(inside).hasValue(0);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("samplesort-read-"));
    }

    private void count(long bytes) {
        inside.incrementAndGet();
        moved.addAndGet(bytes);
        inside.decrementAndGet();
    }

    private void read(int count) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment target = arena.allocate(count);
            ParallelRead.read(channel, null, HEADER, target, this::count);
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, HEADER, count, arena);
            assertThat(target.mismatch(mapped)).isEqualTo(-1);
        }
        assertThat(moved).hasValue(count);
    }

    @Test
    void readsEverything() throws IOException {
        read(BYTES);
    }

    @Test
    void readsLittleWithOneThread() throws IOException {
        read(0);
        read(1000);
    }

    @Test
    void aFileThatEnds() throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(BYTES / 2);
        }
        assertThatThrownBy(() -> read(BYTES)).isInstanceOf(EOFException.class).hasMessageContaining("truncated");
    }

    @Test
    void aListenerThatThrows() {
        assertThatThrownBy(() -> {
                    try (Arena arena = Arena.ofShared();
                            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                        ParallelRead.read(channel, null, HEADER, arena.allocate(BYTES), bytes -> {
                            count(bytes);
                            if (moved.get() >= 48 * MIB) {
                                throw new IllegalStateException("enough");
                            }
                        });
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("enough");
        assertThat(moved.get()).isLessThan(BYTES);
    }

    @Test
    void aDeviceThatFails() throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel channel = new FaultyChannel(FileChannel.open(file, StandardOpenOption.READ), MIB, 40)) {
            MemorySegment target = arena.allocate(BYTES);
            assertThatThrownBy(() -> ParallelRead.read(channel, null, HEADER, target, this::count))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Input/output error");
        }
        assertThat(moved).hasValueLessThan(BYTES);
    }
}
