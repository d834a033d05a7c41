package io.samplesort.emulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
/// folder, in a folder named by the hash of the sources and the compiler, so that any change makes a new one.
final class EmulatorLibrary {
    /// Where emulators lie in a cache folder.
    static final String FOLDER = "emulator";

    private static final String LIBRARY = "libemulator.so";
    private static final List<String> SOURCES = List.of(
            "access.cpp",
            "block.cpp",
            "control.cpp",
            "device_memory.cpp",
            "driver_device.cpp",
            "driver_memory.cpp",
            "driver_module.cpp",
            "driver_stream.cpp",
            "fault.cpp",
            "fiber.cpp",
            "home.cpp",
            "launch.cpp",
            "module.cpp",
            "nvrtc.cpp",
            "warp.cpp");
    /// Not part of the emulator, but of every library of kernels that it compiles.
    private static final String HOOKS = "access_hooks.cpp";

    private static final List<String> HEADERS = List.of(
            "access.h",
            "block.h",
            "cuda_builtins.h",
            "device_memory.h",
            "driver.h",
            "engine.h",
            "fault.h",
            "fiber.h",
            "home.h",
            "kernel_library.h",
            "launch.h",
            "module.h",
            "race_tag.h",
            "random.h",
            "warp.h");

    private EmulatorLibrary() {}

    /// The library in `cache`, built now if it is not there.
    ///
    /// @param compiler the command of g++
    /// @throws IllegalStateException if the compiler fails; the message is the compiler's own
    static Path build(Path cache, String compiler, String compilerVersion) {
        Map<String, String> sources = new LinkedHashMap<>();
        Stream.of(HEADERS, SOURCES, List.of(HOOKS))
                .flatMap(List::stream)
                .forEach(name -> sources.put(name, resource(name)));
        byte[] hash = hash(sources, compiler + compilerVersion);
        Path home =
                cache.toAbsolutePath().resolve(FOLDER).resolve(HexFormat.of().formatHex(hash, 0, 8));
        Path library = home.resolve(LIBRARY);
        if (!Files.exists(library)) {
            try {
                Files.createDirectories(home);
                for (Map.Entry<String, String> source : sources.entrySet()) {
                    Files.writeString(home.resolve(source.getKey()), source.getValue());
                }
                // Processes that build at the same time write the same; the last one's library stays.
                Path work = Files.createTempDirectory(home, "build");
                Path linked = compile(home, work, compiler, version(hash));
                Files.move(linked, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                delete(work);
            } catch (IOException e) {
                throw new UncheckedIOException("the emulator cannot be built in " + home, e);
            }
        }
        return library;
    }

    private static Path compile(Path home, Path work, String compiler, int version) throws IOException {
        List<Process> running = new ArrayList<>();
        List<String> objects = new ArrayList<>();
        int atOnce = Runtime.getRuntime().availableProcessors();
        List<String> sources = new ArrayList<>(SOURCES);
        sources.add(HOOKS);
        for (String source : sources) {
            if (running.size() >= atOnce) {
                await(running.removeFirst());
            }
            Path object = work.resolve(source.replace(".cpp", ".o"));
            if (!source.equals(HOOKS)) {
                objects.add(object.toString());
            }
            running.add(start(
                    work.resolve(source + ".log"),
                    List.of(
                            compiler,
                            "-std=c++17",
                            "-O2",
                            "-g",
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
        Path hooks = Path.of(HOOKS.replace(".cpp", ".o"));
        Files.move(
                work.resolve(hooks),
                home.resolve(hooks),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        Path linked = work.resolve(LIBRARY);
        List<String> link = new ArrayList<>(List.of(compiler, "-shared", "-o", linked.toString()));
        link.addAll(objects);
        link.add("-ldl");
        await(start(work.resolve("link.log"), link));
        return linked;
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
                throw new IllegalStateException("the emulator does not compile; its log lies beside the objects of "
                        + command + " in the cache folder");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the emulator was compiled", e);
        }
    }

    /// The minor version of the emulated NVRTC: a multiple of four, as what is compiled in another way counts up from
    /// it.
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
            throw new UncheckedIOException("cannot read the emulator's source " + name, e);
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
