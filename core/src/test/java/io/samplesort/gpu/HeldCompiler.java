package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// An empty cache of kernels, and a compiler of the emulated GPU that works only when a test lets it. The emulator
/// takes a lock before it writes the files of a program, and this takes the same lock.
final class HeldCompiler implements AutoCloseable {
    private static final String CACHE = "samplesort.cache";

    private final List<Process> holders = new ArrayList<>();
    private final String cache = System.getProperty(CACHE);

    /// @param programs one of those that a sort waits for is enough
    HeldCompiler(Path emptyCache, List<Nvrtc.Program> programs) throws IOException {
        System.setProperty(CACHE, emptyCache.toString());
        Path kernels = Path.of(System.getProperty("samplesort.nvrtc.library")).resolveSibling("kernels");
        for (Nvrtc.Program program : programs) {
            Path folder = Files.createDirectories(kernels.resolve(folder(program)));
            Process holder = new ProcessBuilder(
                            "flock", folder.resolve("turn").toString(), "sh", "-c", "echo held; cat")
                    .start();
            holders.add(holder);
            assertThat(holder.inputReader().readLine()).isEqualTo("held");
        }
    }

    /// Returns the name that the emulator gives to the folder of a program: a hash of its files (nvrtc.cpp).
    private static String folder(Nvrtc.Program program) {
        long hash = add(add(0xcbf29ce484222325L, program.name()), program.source());
        for (var header : program.headers().entrySet()) {
            hash = add(add(hash, header.getKey()), header.getValue());
        }
        return String.format("%016x", hash);
    }

    private static long add(long hash, String text) {
        long next = hash;
        for (byte each : (text + '\0').getBytes(StandardCharsets.UTF_8)) {
            next = (next ^ (each & 0xff)) * 0x100000001b3L;
        }
        return next;
    }

    /// Returns the threads that are compiling.
    static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("samplesort-compiler"))
                .toList();
    }

    /// Lets the compiler go on, and waits until all that it was asked for is there.
    void finish() throws InterruptedException {
        letGo();
        for (Thread thread : threads()) {
            thread.join();
        }
    }

    private void letGo() {
        holders.forEach(holder -> {
            try {
                holder.outputWriter().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        holders.clear();
    }

    @Override
    public void close() throws InterruptedException {
        finish();
        if (cache == null) {
            System.clearProperty(CACHE);
        } else {
            System.setProperty(CACHE, cache);
        }
    }
}
