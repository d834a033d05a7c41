package io.samplesort.kernels.making;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.cubins.ReadyProgram;
import io.samplesort.gpu.cubins.ReadyTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// Compiles the ready-made kernels and writes their archives. It needs NVRTC and no GPU.
///
/// Each program is compiled in one piece, which gives the same code in each process. Compiled code is kept in a working
/// folder and not compiled again.
public final class MakeKernels {
    private final Path work;

    private MakeKernels(Path work) {
        this.work = work;
    }

    /// @param arguments the version of NVRTC to use, such as `13.1`; the folder for the archives; the working folder;
    ///                  the names of the targets, separated by commas, or `all`
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 4) {
            throw new IllegalArgumentException("arguments: NVRTC-VERSION FOLDER WORKING-FOLDER TARGETS");
        }
        String version = Nvrtc.versionText();
        if (!version.equals(arguments[0])) {
            throw new IllegalStateException("NVRTC " + arguments[0] + " shall make the kernels, and this is NVRTC "
                    + version + " from " + Nvrtc.libraryPath());
        }
        Path folder = Path.of(arguments[1]);
        List<ReadyTarget> targets = arguments[3].equals("all")
                ? List.of(ReadyTarget.values())
                : Arrays.stream(arguments[3].split(","))
                        .map(name -> ReadyTarget.valueOf(name.toUpperCase(Locale.ROOT)))
                        .toList();
        for (ReadyTarget target : targets) {
            long start = System.nanoTime();
            Path work = Path.of(arguments[2], version, target.architecture());
            KernelArchive archive = new MakeKernels(work).make(target, List.copyOf(ReadyProgram.all(target)), version);
            long bytes = archive.write(folder.resolve(target.architecture()));
            System.out.printf(
                    Locale.ROOT,
                    "%s: %d bytes, %.0f s%n",
                    target.architecture(),
                    bytes,
                    (System.nanoTime() - start) * 1e-9);
        }
    }

    private KernelArchive make(ReadyTarget target, List<ReadyProgram> programs, String version) throws IOException {
        Files.createDirectories(work);
        AtomicInteger next = new AtomicInteger();
        List<Background<Void>> workers = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            workers.add(Background.start("compiler", () -> {
                for (int p = next.getAndIncrement(); p < programs.size(); p = next.getAndIncrement()) {
                    compile(target, programs.get(p));
                }
                return null;
            }));
        }
        workers.forEach(Background::result);
        KernelArchive archive = new KernelArchive(version);
        for (ReadyProgram program : programs) {
            archive.add(program, Files.readAllBytes(file(program)));
        }
        return archive;
    }

    private void compile(ReadyTarget target, ReadyProgram program) {
        Path file = file(program);
        if (Files.exists(file)) {
            return;
        }
        try {
            Path temporary = Files.createTempFile(work, "code", ".tmp");
            Files.write(temporary, program.compile(target));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the working folder " + work + " cannot be written", e);
        }
    }

    private Path file(ReadyProgram program) {
        return work.resolve(HexFormat.of().toHexDigits(program.key()));
    }
}
