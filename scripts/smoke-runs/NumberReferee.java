import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/// Says whether elements were sorted rightly, knowing nothing of how samplesort compares or verifies them.
final class NumberReferee {
    private static final long FACTOR = 0x9e3779b97f4a7c15L;

    private NumberReferee() {}

    /// Compares a sorted file with the unsorted one: its size, its header, its order, and the sum of a hash of each
    /// element. Returns what is wrong, or null.
    static String check(Numbers kind, Path input, Path result) throws IOException {
        if (!Files.exists(result)) {
            return "there is no result";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = map(input, arena);
            MemorySegment after = map(result, arena);
            if (before.byteSize() != after.byteSize()) {
                return "the result has " + after.byteSize() + " bytes instead of " + before.byteSize();
            }
            if (before.asSlice(0, kind.header()).mismatch(after.asSlice(0, kind.header())) >= 0) {
                return "the result has another header";
            }
            int width = kind.width();
            for (long at = kind.header() + width; at < after.byteSize(); at += width) {
                if (kind.compare(after, at - width, at) > 0) {
                    return "element " + (at - kind.header()) / width + " comes before the one before it";
                }
            }
            return sum(before, kind) == sum(after, kind) ? null : "the result has other elements";
        }
    }

    /// Checks the first or last elements of a file in order; returns what is wrong, or null.
    static String checkCut(Numbers kind, Path input, Path result, int wanted, boolean isLast) throws IOException {
        if (!Files.exists(result)) {
            return "there is no result";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = map(input, arena).asSlice(kind.header());
            MemorySegment part = map(result, arena).asSlice(kind.header());
            int width = kind.width();
            if (part.byteSize() != (long) wanted * width) {
                return "the result has " + part.byteSize() / width + " elements";
            }
            // Both in one segment can be compared with each other.
            MemorySegment both = arena.allocate(part.byteSize() + all.byteSize(), Long.BYTES);
            both.asSlice(0, part.byteSize()).copyFrom(part);
            both.asSlice(part.byteSize()).copyFrom(all);
            for (long at = width; at < part.byteSize(); at += width) {
                if (kind.compare(both, at - width, at) > 0) {
                    return "element " + at / width + " comes before the one before it";
                }
            }
            long bound = isLast ? 0 : part.byteSize() - width;
            long better = 0;
            long equal = 0;
            long sum = 0;
            for (long at = 0; at < both.byteSize(); at += width) {
                int order = isLast ? kind.compare(both, bound, at) : kind.compare(both, at, bound);
                boolean isInPart = at < part.byteSize();
                sum += order < 0 ? (isInPart ? -hash(both, at, width) : hash(both, at, width)) : 0;
                better += order < 0 && !isInPart ? 1 : 0;
                equal += order == 0 && !isInPart ? 1 : 0;
            }
            boolean isRight = better < wanted && wanted <= better + equal && sum == 0;
            return isRight ? null : "the result has other elements";
        }
    }

    /// Checks a permutation of 64-bit indexes; returns what is wrong, or null.
    static String checkPermutation(Numbers kind, Path input, Path permutation) throws IOException {
        if (!Files.exists(permutation)) {
            return "there is no permutation";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment elements = map(input, arena);
            MemorySegment indexes = map(permutation, arena);
            long count = (elements.byteSize() - kind.header()) / kind.width();
            if (indexes.byteSize() != count * Long.BYTES) {
                return "the permutation has " + indexes.byteSize() + " bytes for " + count + " elements";
            }
            BitSet isSeen = new BitSet((int) count);
            long previous = -1;
            for (long i = 0; i < count; i++) {
                long index = indexes.get(Numbers.LONG, i * Long.BYTES);
                if (index < 0 || index >= count || isSeen.get((int) index)) {
                    return "index " + index + " stands at " + i + ", out of range or once more";
                }
                isSeen.set((int) index);
                if (i > 0) {
                    int order = kind.compare(elements, place(kind, previous), place(kind, index));
                    if (order > 0 || order == 0 && previous > index) {
                        return "entry " + i + " of the permutation is out of order";
                    }
                }
                previous = index;
            }
            return null;
        }
    }

    /// Checks payloads that moved along with u64 keys: each is the key times a number. Returns what is wrong, or null.
    static String checkPayloads(Path keys, Path payloads) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = map(keys, arena);
            MemorySegment payload = map(payloads, arena);
            if (key.byteSize() != payload.byteSize()) {
                return "there are " + payload.byteSize() + " bytes of payloads for " + key.byteSize() + " of keys";
            }
            for (long at = 0; at < key.byteSize(); at += Long.BYTES) {
                if (payload.get(Numbers.LONG, at) != key.get(Numbers.LONG, at) * FACTOR) {
                    return "payload " + at / Long.BYTES + " is not that of its key";
                }
            }
            return null;
        }
    }

    /// Writes the payloads that [#checkPayloads] expects of keys.
    static void writePayloads(Path keys, Path payloads) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(Files.readAllBytes(keys));
        for (long at = 0; at < bytes.byteSize(); at += Long.BYTES) {
            bytes.set(Numbers.LONG, at, bytes.get(Numbers.LONG, at) * FACTOR);
        }
        Files.write(payloads, bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    private static long place(Numbers kind, long index) {
        return kind.header() + index * kind.width();
    }

    private static long sum(MemorySegment elements, Numbers kind) {
        long sum = 0;
        for (long at = kind.header(); at < elements.byteSize(); at += kind.width()) {
            sum += hash(elements, at, kind.width());
        }
        return sum;
    }

    private static long hash(MemorySegment elements, long at, int width) {
        long hash = 0;
        for (int i = 0; i < width; i += Short.BYTES) {
            hash = (hash ^ elements.get(Numbers.SHORT, at + i) & 0xffff) * FACTOR;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }
}
