package io.samplesort.emulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The emulator's shared library, compiled by g++ from the C++ sources of this package. It is kept in the user's cache
/// folder, in a folder named by the hash of the sources and the compiler, so that any change leads to a new library.
final class EmulatorLibrary {
    /// The folder of emulators in a cache folder.
    static final String FOLDER = "emulator";

    private static final String LIBRARY = "libemulator.so";
    /// This file is not part of the emulator, but of every library of kernels that it compiles.
    private static final String HOOKS = "kernel/access_hooks.cpp";

    /// The files of four folders: `kernel` is compiled with the kernels, `engine` runs and checks them, and `driver`
    /// and `compiler` have the functions of the CUDA driver and of NVRTC.
    private static final List<String> FILES = List.of(
            HOOKS,
            "kernel/cuda_builtins.h",
            "kernel/interface.h",
            "kernel/kernel_library.h",
            "engine/access.cpp",
            "engine/access.h",
            "engine/block.cpp",
            "engine/block.h",
            "engine/callbacks.cpp",
            "engine/callbacks.h",
            "engine/device_memory.cpp",
            "engine/device_memory.h",
            "engine/devices.cpp",
            "engine/devices.h",
            "engine/export.h",
            "engine/fault.cpp",
            "engine/fault.h",
            "engine/fiber.cpp",
            "engine/fiber.h",
            "engine/launch.cpp",
            "engine/launch.h",
            "engine/module.cpp",
            "engine/module.h",
            "engine/pinned_memory.cpp",
            "engine/pinned_memory.h",
            "engine/race_tag.h",
            "engine/random.h",
            "engine/settings.cpp",
            "engine/settings.h",
            "engine/thread.h",
            "engine/warp.cpp",
            "engine/warp.h",
            "engine/work_order.cpp",
            "engine/work_order.h",
            "driver/control.cpp",
            "driver/copies.cpp",
            "driver/device.cpp",
            "driver/driver.cpp",
            "driver/driver.h",
            "driver/memory.cpp",
            "driver/module.cpp",
            "driver/stream.cpp",
            "driver/stream.h",
            "compiler/library_source.cpp",
            "compiler/library_source.h",
            "compiler/nvrtc.cpp");

    private EmulatorLibrary() {}

    /// Returns the library in `cache`, which is built now if it does not exist.
    ///
    /// @param compiler the command of g++
    /// @throws IllegalStateException if the compiler fails; the message says where its log is
    static Path build(Path cache, String compiler, String compilerVersion) {
        Map<String, String> sources = new LinkedHashMap<>();
        FILES.forEach(name -> sources.put(name, resource(name)));
        byte[] hash = hash(sources, compiler + compilerVersion);
        Path home =
                cache.toAbsolutePath().resolve(FOLDER).resolve(HexFormat.of().formatHex(hash, 0, 8));
        Path library = home.resolve(LIBRARY);
        if (Files.exists(library)) {
            return library;
        }
        try {
            Files.createDirectories(home);
            // If several processes need the library at the same time, one builds it and the others wait.
            try (FileChannel turn = FileChannel.open(
                            home.resolve("turn"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = turn.lock()) {
                if (lock.isValid() && !Files.exists(library)) {
                    for (Map.Entry<String, String> source : sources.entrySet()) {
                        write(home.resolve(source.getKey()), source.getValue());
                    }
                    Path work = Files.createTempDirectory(home, "build");
                    Path linked = compile(home, work, compiler, version(hash));
                    Files.move(linked, library, StandardCopyOption.ATOMIC_MOVE);
                    delete(work);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the emulator cannot be built in " + home, e);
        }
        return library;
    }

    private static Path compile(Path home, Path work, String compiler, int version) throws IOException {
        List<Process> running = new ArrayList<>();
        List<String> objects = new ArrayList<>();
        int atOnce = Runtime.getRuntime().availableProcessors();
        for (String source : FILES) {
            if (!source.endsWith(".cpp")) {
                continue;
            }
            if (running.size() >= atOnce) {
                await(running.removeFirst());
            }
            Path object = work.resolve(objectName(source));
            if (!source.equals(HOOKS)) {
                objects.add(object.toString());
            }
            running.add(start(
                    work.resolve(objectName(source) + ".log"),
                    List.of(
                            compiler,
                            "-std=c++17",
                            "-O2",
                            // Debuggers of kernels need variables of the hooks, and only lines of the rest.
                            source.equals(HOOKS) ? "-g" : "-g1",
                            "-Wall",
                            "-Wextra",
                            "-Werror",
                            "-fPIC",
                            "-fvisibility=hidden",
                            "-DEMULATOR_HOME=\"" + home + "\"",
                            "-DEMULATOR_CXX=\"" + compiler + "\"",
                            "-DEMULATOR_VERSION=" + version,
                            "-I" + home,
                            "-c",
                            home.resolve(source).toString(),
                            "-o",
                            object.toString())));
        }
        for (Process process : running) {
            await(process);
        }
        Files.move(
                work.resolve(objectName(HOOKS)),
                home.resolve("access_hooks.o"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        Path linked = work.resolve(LIBRARY);
        List<String> link = new ArrayList<>(List.of(compiler, "-shared", "-o", linked.toString()));
        link.addAll(objects);
        link.add("-ldl");
        await(start(work.resolve("link.log"), link));
        return linked;
    }

    private static String objectName(String source) {
        return source.replace('/', '-').replace(".cpp", ".o");
    }

    /// Writes a file, which appears complete, since another process may be compiling it.
    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Process start(Path log, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static void await(Process process) throws IOException {
        try {
            if (process.waitFor() != 0) {
                String command = process.info().commandLine().orElse("g++");
                throw new IllegalStateException("the emulator does not compile: " + command
                        + " failed, and its log lies with the objects in the cache folder");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the emulator was compiled", e);
        }
    }

    /// Returns the minor version of the emulated NVRTC. It is a multiple of four, since NVRTC adds up to three to it
    /// for kernels that are compiled in another way.
    private static int version(byte[] hash) {
        return ((hash[0] & 0xff) << 16 | (hash[1] & 0xff) << 8 | (hash[2] & 0xff)) & ~3;
    }

    private static byte[] hash(Map<String, String> sources, String compiler) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(compiler.getBytes(StandardCharsets.UTF_8));
            String all = sources.entrySet().stream()
                    .map(e -> e.getKey() + "\0" + e.getValue())
                    .collect(Collectors.joining("\0"));
            return digest.digest(all.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = EmulatorLibrary.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the emulator's source " + name + " is missing from its jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the emulator's source " + name + " cannot be read", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
