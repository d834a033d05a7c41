package io.samplesort.bench.cpu;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// NumPy in a process of its own, on one thread as always. Both processes map a file, from which NumPy copies each
/// input to arrays of its own and to which it copies the result. It measures only the sort: `sort` of numbers, and
/// `argsort` of the keys with a `take` of everything by it for records and pairs.
final class NumPySort extends CpuContender {
    static final String NAME = "numpy";

    /// What to do if [#installedVersion] is empty.
    static final String MISSING =
            "python3 with NumPy is not installed: install it (on Debian the package python3-numpy), or leave numpy out";

    private final Arena arena;
    private final Path file;
    private final Process process;
    private final BufferedReader answers;
    private final String version;
    private long nanos = -1;

    /// Starts NumPy for inputs of this type.
    ///
    /// @param version what [#installedVersion] returned
    /// @throws IOException if the file cannot be made or the program not be started
    static NumPySort start(CpuInput input, int count, String version) throws IOException {
        Arena arena = Arena.ofShared();
        Path file = Files.createTempFile("samplesort-numpy", ".bin");
        try {
            return new NumPySort(input, count, version, arena, file);
        } catch (IOException | RuntimeException e) {
            arena.close();
            Files.delete(file);
            throw e;
        }
    }

    private NumPySort(CpuInput input, int count, String version, Arena arena, Path file) throws IOException {
        this(input, count, version, arena, file, map(input, count, arena, file));
    }

    private NumPySort(CpuInput input, int count, String version, Arena arena, Path file, MemorySegment mapped)
            throws IOException {
        super(
                NAME,
                mapped.asSlice(0, (long) count * input.elementBytes()),
                input.payloadBytes() == 0 ? MemorySegment.NULL : mapped.asSlice((long) count * input.elementBytes()));
        this.version = version;
        this.arena = arena;
        this.file = file;
        process = new ProcessBuilder(
                        "python3",
                        "-c",
                        program(),
                        file.toString(),
                        input.numPyKey(),
                        Integer.toString(count),
                        Integer.toString(input.elementBytes()),
                        Integer.toString(input.payloadBytes()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.US_ASCII);
    }

    private static MemorySegment map(CpuInput input, int count, Arena arena, Path file) throws IOException {
        long bytes = (long) count * (input.elementBytes() + input.payloadBytes());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }

    private static String program() throws IOException {
        try (InputStream in = NumPySort.class.getResourceAsStream("numpy_sort.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// Returns which version of NumPy is installed; empty if none is.
    static Optional<String> installedVersion() {
        try {
            Process python = new ProcessBuilder(List.of("python3", "-c", "import numpy; print(numpy.__version__)"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(python.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return python.waitFor() == 0 ? Optional.of(printed.strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while NumPy was looked for", e);
        }
    }

    @Override
    boolean sort() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            String seconds = answers.readLine();
            if (seconds == null) {
                throw new IllegalStateException("NumPy failed; what it printed stands above");
            }
            nanos = Math.round(Double.parseDouble(seconds) * 1e9);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("NumPy does not answer", e);
        }
    }

    @Override
    long nanos() {
        return nanos;
    }

    @Override
    String version() {
        return version;
    }

    @Override
    public void close() {
        try {
            // The end of its input is the end of the program.
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            arena.close();
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
