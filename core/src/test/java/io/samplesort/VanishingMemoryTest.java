package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Memory that is closed or cut off in the middle of a sort on the CPU gives an error, and does not crash Java. Each
/// scenario runs in a Java of its own.
class VanishingMemoryTest {
    private static final int COUNT = 300_000;
    private static final String[] CALLS = {"sort", "argsort", "pairs"};

    @Test
    void aComparatorThatClosesTheArenaGetsAnError() throws Exception {
        assertThat(run("comparator").lines()).hasSize(8).allMatch(line -> line.contains("IllegalStateException"));
    }

    @Test
    void anArenaThatAnotherThreadClosesGivesAnError() throws Exception {
        assertThat(run("thread")).contains("IllegalStateException").endsWith("alive\n");
    }

    @Test
    void aMappedFileThatIsCutOffGivesAnError() throws Exception {
        assertThat(run("truncation")).contains("InternalError");
    }

    private static String run(String... arguments) throws Exception {
        return ChildJvm.run(List.of("--enable-native-access=ALL-UNNAMED"), VanishingMemoryTest.class, arguments);
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "comparator" -> {
                for (String call : new String[] {"sort", "argsort", "isSorted", "sort few"}) {
                    closeInComparator(Arena.ofConfined(), call);
                    closeInComparator(Arena.ofShared(), call);
                }
            }
            case "thread" -> closeInAnotherThread();
            default -> truncate();
        }
    }

    private static void closeInComparator(Arena arena, String call) {
        int count = call.endsWith("few") ? 1000 : COUNT;
        MemorySegment keys = random(arena, count);
        AtomicLong calls = new AtomicLong();
        Comparator<MemorySegment> ascending = Order.natural().toComparator(ElementType.LONG);
        Order order = Order.custom("a < b", (a, b) -> {
            int compared = ascending.compare(a, b);
            if (calls.incrementAndGet() == count / 2) {
                arena.close();
            }
            return call.equals("isSorted") ? Math.abs(compared) : compared;
        });
        try (Sorter sorter = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            if (call.equals("isSorted")) {
                report(() -> sorter.isSorted(keys));
            } else if (call.equals("argsort")) {
                report(() -> sorter.argsort(keys));
            } else {
                report(() -> sorter.sort(keys));
            }
        }
    }

    private static void closeInAnotherThread() throws InterruptedException {
        try (Sorter keysAlone = SampleSort.onCpu().build(ElementType.LONG);
                Sorter pairs = SampleSort.onCpu().payload(ElementType.LONG).build(ElementType.LONG)) {
            for (String call : CALLS) {
                Moments moments = new Moments();
                while (moments.failures < 2) {
                    Arena arena = Arena.ofShared();
                    MemorySegment keys = random(arena, 5 * COUNT);
                    moments.sort(() -> sort(call, keysAlone, pairs, keys), arena::close);
                }
            }
            // The sorters can be used again.
            long[] few = {3, 1, 2};
            keysAlone.sort(few);
            pairs.sort(MemorySegment.ofArray(few), MemorySegment.ofArray(new long[3]));
            System.out.println(few[0] == 1 ? "alive" : "broken");
        }
    }

    private static void truncate() throws IOException, InterruptedException {
        Path file = Files.createTempFile("samplesort", ".bin");
        try (Sorter keysAlone = SampleSort.onCpu().build(ElementType.LONG);
                Sorter pairs = SampleSort.onCpu().payload(ElementType.LONG).build(ElementType.LONG)) {
            for (String call : CALLS) {
                Moments moments = new Moments();
                while (moments.failures < 2) {
                    try (FileChannel channel =
                                    FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                            Arena arena = Arena.ofShared()) {
                        MemorySegment keys = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * 5 * COUNT, arena);
                        fill(keys, 5 * COUNT);
                        moments.sort(() -> sort(call, keysAlone, pairs, keys), () -> cut(channel));
                    }
                }
            }
        } finally {
            Files.delete(file);
        }
    }

    /// Takes memory away at random moments within the time that a sort takes on this machine, however fast it is, and
    /// counts the sorts that have failed.
    private static final class Moments {
        private final SplittableRandom random = new SplittableRandom();
        private long sortNanos = 1_000_000;
        private int failures;

        void sort(Runnable sort, Runnable taking) throws InterruptedException {
            long wait = random.nextLong(sortNanos);
            long begin = System.nanoTime();
            Thread thread = Thread.ofPlatform().start(() -> {
                while (System.nanoTime() - begin < wait) {
                    Thread.onSpinWait();
                }
                taking.run();
            });
            if (report(sort)) {
                sortNanos = System.nanoTime() - begin;
            } else {
                failures++;
            }
            // Java interrupts a thread from whose hands it takes the memory.
            Thread.interrupted();
            thread.join();
        }
    }

    private static void sort(String call, Sorter keysAlone, Sorter pairs, MemorySegment keys) {
        switch (call) {
            case "argsort" -> keysAlone.argsort(keys);
            case "pairs" ->
                pairs.sort(
                        keys.asSlice(0, keys.byteSize() / 2), keys.asSlice(keys.byteSize() / 2, keys.byteSize() / 2));
            default -> keysAlone.sort(keys);
        }
    }

    /// Tells how a sort ended.
    ///
    /// @return whether it is done
    private static boolean report(Runnable sort) {
        try {
            sort.run();
            System.out.println("sorted before");
            return true;
        } catch (IllegalStateException | InternalError e) {
            System.out.println(e);
            return false;
        }
    }

    private static void cut(FileChannel channel) {
        try {
            channel.truncate(4096);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static MemorySegment random(Arena arena, int count) {
        MemorySegment keys = arena.allocate(8L * count, 8);
        fill(keys, count);
        return keys;
    }

    private static void fill(MemorySegment keys, int count) {
        SplittableRandom random = new SplittableRandom(count);
        for (int i = 0; i < count; i++) {
            keys.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
        }
    }
}
