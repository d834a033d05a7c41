package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A result that is written in every way: appended, to room that was taken, past the cache and through it, mapped.
class OutputFileTest {
    /// So little is written past the cache here, so that small files go through all that large ones do.
    private static final long LEAST_DIRECT_BYTES = 5000;

    private static final int ROUNDS = 150;

    @TempDir
    Path folder;

    @Test
    void holdsWhatWasWrittenOnADisk() throws IOException {
        writeAtRandom(folder);
    }

    @Test
    void holdsWhatWasWrittenInMemory() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), "this system has no file system in memory");
        Path own = Files.createTempDirectory(memory, "samplesort-test");
        try {
            writeAtRandom(own);
        } finally {
            Files.deleteIfExists(own.resolve("result"));
            Files.delete(own);
        }
    }

    private static void writeAtRandom(Path folder) throws IOException {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Path target = folder.resolve("result");
        for (int round = 0; round < ROUNDS; round++) {
            byte[] expected = new byte[random.nextInt(200_000)];
            random.nextBytes(expected);
            AtomicLong moved = new AtomicLong();
            try (AtomicFile output = AtomicFile.create(target, LEAST_DIRECT_BYTES, 0)) {
                write(expected, output, moved, random);
                assertThat(output.byteSize()).isEqualTo(expected.length);
                output.complete();
                output.publish();
            }
            assertThat(moved.get()).isEqualTo(expected.length);
            assertThat(Files.readAllBytes(target))
                    .as("round %d; replay with -Dtests.seed=%d", round, seed)
                    .isEqualTo(expected);
        }
    }

    private static void write(byte[] all, OutputFile output, AtomicLong moved, SplittableRandom random)
            throws IOException {
        List<Runnable> later = new ArrayList<>();
        if (random.nextBoolean()) {
            output.expect(0, 2 * LEAST_DIRECT_BYTES);
        }
        for (int at = 0; at < all.length; ) {
            int wanted = random.nextInt(4) == 0 ? 4096 * (1 + random.nextInt(8)) : 1 + random.nextInt(40_000);
            int bytes = Math.min(wanted, all.length - at);
            MemorySegment part = MemorySegment.ofArray(all).asSlice(at, bytes);
            switch (random.nextInt(8)) {
                case 0 -> {
                    int most = random.nextInt(2 * all.length);
                    output.expect(random.nextInt(most + 1), most);
                }
                case 1, 2, 3 -> {
                    OutputFile.Room room = output.claim(bytes);
                    later.add(() -> fill(room, part, moved));
                    at += bytes;
                }
                default -> {
                    output.append(part, moved::addAndGet);
                    at += bytes;
                }
            }
            if (random.nextInt(3) == 0) {
                fillAll(later, random);
            }
        }
        fillAll(later, random);
    }

    private static void fillAll(List<Runnable> rooms, SplittableRandom random) {
        Collections.shuffle(rooms, new Random(random.nextLong()));
        rooms.forEach(Runnable::run);
        rooms.clear();
    }

    private static void fill(OutputFile.Room room, MemorySegment part, AtomicLong moved) {
        try {
            room.write(part, moved::addAndGet);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void isNotPublishedWithRoomThatNobodyHasWrittenTo() throws IOException {
        Path target = Files.writeString(folder.resolve("result"), "as it was");
        try (OutputFile output = OutputPlace.of(target).open()) {
            output.claim(3);
            output.append(MemorySegment.ofArray(new byte[5]), bytes -> {});
            assertThatThrownBy(output::complete)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("a result of 8 bytes, of which 5 were written to a file of 8 bytes, is not put in its"
                            + " place: this is a fault of the program");
            assertThatThrownBy(output::publish).isInstanceOf(IllegalStateException.class);
        }
        assertThat(target).hasContent("as it was");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(target);
        }
    }

    @Test
    void roomIsFilledOnceAndAsAWhole() throws IOException {
        try (OutputFile output = OutputPlace.of(folder.resolve("result")).open()) {
            OutputFile.Room room = output.claim(3);
            MemorySegment three = MemorySegment.ofArray(new byte[3]);
            assertThatThrownBy(() -> room.write(three.asSlice(1), bytes -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("2 bytes for room of 3");
            room.write(three, bytes -> {});
            assertThatThrownBy(() -> room.write(three, bytes -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the room at byte 0 was written to before");
        }
    }

    @Test
    void whatIsAppendedPastTheCacheFollowsWhatWasAppended() throws IOException {
        try (TemporaryFile file = TemporaryFile.create(folder, "f", true);
                DirectAppend direct = DirectAppend.open(file.path(), file.channel())) {
            assumeTrue(direct != null, "this file system writes through its cache alone");
            MemorySegment five = MemorySegment.ofArray(new byte[5]);
            direct.append(7, five, bytes -> {});
            assertThatThrownBy(() -> direct.append(13, five, bytes -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("what was appended ends at byte 12, not at 13");
        }
    }
}
