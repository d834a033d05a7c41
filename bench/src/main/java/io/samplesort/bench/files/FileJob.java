package io.samplesort.bench.files;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/// A kind of file to sort, and another program that sorts such a file to the same bytes.
enum FileJob {
    /// Uniform 64-bit unsigned numbers, which NumPy reads, sorts and writes as an array.
    U64(Long.BYTES) {
        @Override
        SorterBuilder order(SorterBuilder builder) {
            return builder.order(Order.unsigned());
        }

        @Override
        ElementType type() {
            return ElementType.LONG;
        }

        @Override
        void fill(MemorySegment elements, long seed) {
            InputDistribution.UNIFORM.fill(elements, KeyType.U64, seed);
        }

        @Override
        String rival() {
            return "numpy";
        }

        @Override
        List<String> rivalCommand(Path in, Path out, long memoryBytes) {
            return List.of(
                    "python3",
                    "-c",
                    "import numpy, sys; a = numpy.fromfile(sys.argv[1], dtype='<u8'); a.sort(); a.tofile(sys.argv[2])",
                    in.toString(),
                    out.toString());
        }

        @Override
        List<String> versionCommand() {
            return List.of("python3", "-c", "import numpy; print('NumPy', numpy.__version__)");
        }
    },
    /// Lines of 99 printable characters, which are sorted by the first ten. Equal ones keep their order. GNU sort can
    /// do this.
    LINES(100) {
        private static final int KEY_BYTES = 10;

        @Override
        SorterBuilder order(SorterBuilder builder) {
            return builder.order(Order.by("key")).stable();
        }

        @Override
        ElementType type() {
            return ElementType.of(MemoryLayout.structLayout(
                    MemoryLayout.sequenceLayout(KEY_BYTES, ValueLayout.JAVA_BYTE)
                            .withName("key"),
                    MemoryLayout.sequenceLayout(byteSize() - KEY_BYTES, ValueLayout.JAVA_BYTE)
                            .withName("rest")));
        }

        @Override
        void fill(MemorySegment elements, long seed) {
            long pieces = (elements.byteSize() + PIECE_BYTES - 1) / PIECE_BYTES;
            LongStream.range(0, pieces).parallel().forEach(piece -> {
                SplittableRandom random = new SplittableRandom(seed + piece);
                long end = Math.min(elements.byteSize(), (piece + 1) * PIECE_BYTES);
                for (long i = piece * PIECE_BYTES; i < end; i++) {
                    boolean isEnd = i % byteSize() == byteSize() - 1;
                    elements.set(ValueLayout.JAVA_BYTE, i, (byte) (isEnd ? '\n' : random.nextInt(' ', '~' + 1)));
                }
            });
        }

        @Override
        String rival() {
            return "gnu-sort";
        }

        @Override
        List<String> rivalCommand(Path in, Path out, long memoryBytes) {
            return List.of(
                    "sort",
                    "--stable",
                    "--key=1.1,1." + KEY_BYTES,
                    // Without this, GNU sort does not count the spaces at the start of a line.
                    "--field-separator=\n",
                    "--parallel=" + Runtime.getRuntime().availableProcessors(),
                    "--buffer-size=" + memoryBytes + "b",
                    "--temporary-directory=" + out.getParent(),
                    "--output=" + out,
                    in.toString());
        }

        @Override
        List<String> versionCommand() {
            return List.of("sort", "--version");
        }
    };

    private static final long PIECE_BYTES = 1_000_000;

    private final int byteSize;

    FileJob(int byteSize) {
        this.byteSize = byteSize;
    }

    /// Returns the bytes of an element.
    int byteSize() {
        return byteSize;
    }

    abstract SorterBuilder order(SorterBuilder builder);

    abstract ElementType type();

    abstract void fill(MemorySegment elements, long seed);

    /// Returns the name that the other program has in results.
    abstract String rival();

    /// Returns the command by which the other program sorts file `in` to file `out`.
    abstract List<String> rivalCommand(Path in, Path out, long memoryBytes);

    /// Returns a command that prints the version of the other program in its first line, and fails if there is none.
    abstract List<String> versionCommand();

    /// Builds our sorter for files of this kind.
    Sorter sorter(Device device) {
        return order(SampleSort.on(device).gpuThreshold(0)).build(type());
    }

    /// Writes a file of `count` elements.
    void write(Path file, long count, long seed) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, count * byteSize, arena);
            fill(mapped, seed);
            mapped.force();
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
