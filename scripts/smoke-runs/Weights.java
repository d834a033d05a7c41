import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// A file of u32 keys, `ids.bin`, and one with an f64 payload for each, `weights.bin`. A payload is half of its key, so
/// it can be seen whether it moved along.
final class Weights {
    private static final int COUNT = (int) (Place.SMALL / Integer.BYTES);

    private Weights() {}

    static void write(Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        MemorySegment ids = MemorySegment.ofArray(new byte[COUNT * Integer.BYTES]);
        MemorySegment weights = MemorySegment.ofArray(new byte[COUNT * Double.BYTES]);
        for (int i = 0; i < COUNT; i++) {
            int id = random.nextInt();
            ids.set(Numbers.INT, (long) i * Integer.BYTES, id);
            weights.set(Numbers.DOUBLE, (long) i * Double.BYTES, Integer.toUnsignedLong(id) / 2.0);
        }
        Files.write(folder.resolve("ids.bin"), ids.toArray(ValueLayout.JAVA_BYTE));
        Files.write(folder.resolve("weights.bin"), weights.toArray(ValueLayout.JAVA_BYTE));
    }

    /// Checks that the keys are those that were written, in order, with their payloads; returns what is wrong, or null.
    static String check(Path folder) throws IOException {
        MemorySegment ids = MemorySegment.ofArray(Files.readAllBytes(folder.resolve("ids.bin")));
        MemorySegment weights = MemorySegment.ofArray(Files.readAllBytes(folder.resolve("weights.bin")));
        long[] right = new long[COUNT];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < COUNT; i++) {
            right[i] = Integer.toUnsignedLong(random.nextInt());
        }
        java.util.Arrays.sort(right);
        for (int i = 0; i < COUNT; i++) {
            long id = Integer.toUnsignedLong(ids.get(Numbers.INT, (long) i * Integer.BYTES));
            if (id != right[i]) {
                return "key " + i + " is " + id + " instead of " + right[i];
            }
            if (weights.get(Numbers.DOUBLE, (long) i * Double.BYTES) != id / 2.0) {
                return "payload " + i + " is not that of its key";
            }
        }
        return null;
    }
}
