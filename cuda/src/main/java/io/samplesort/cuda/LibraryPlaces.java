package io.samplesort.cuda;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The names of NVIDIA's libraries on each system, and the places where its installers put them.
///
/// @param isWindows   whether the system is Windows; every other one counts as Linux
/// @param isArm       whether the processor is a 64-bit ARM; every other one counts as x86-64
/// @param root        the folder at which paths begin, such as `/` on Linux. It is no `Path`, as the first one in a
///     process takes 2 ms.
/// @param environment the variables of the environment
record LibraryPlaces(boolean isWindows, boolean isArm, File root, Map<String, String> environment) {
    /// The library of the driver on Linux.
    private static final String DRIVER = "libcuda.so.1";

    /// Returns the places of this machine.
    static LibraryPlaces ofThisSystem() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"), new File("/"), System.getenv());
    }

    /// Returns the places of this machine for libraries that the C library finds by itself. The C library uses the
    /// environment with which the process began. Two of its variables are read from the system, since Java would take a
    /// millisecond to make a map of all.
    static LibraryPlaces forDriver() {
        try (FileInputStream in = new FileInputStream("/proc/self/environ")) {
            Map<String, String> variables = loaderVariables(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            if (variables != null) {
                return of(System.getProperty("os.name"), System.getProperty("os.arch"), new File("/"), variables);
            }
        } catch (IOException e) {
            // This is not Linux, or the environment cannot be read.
        }
        return ofThisSystem();
    }

    /// Returns the variables that tell the C library of Linux what to load; null if one is not in ASCII.
    ///
    /// @param environment all variables, each with a zero byte at its end
    static Map<String, String> loaderVariables(String environment) {
        String all = "\0" + environment;
        Map<String, String> variables = new HashMap<>();
        for (String name : List.of("LD_PRELOAD", "LD_LIBRARY_PATH")) {
            String beginning = "\0" + name + "=";
            int at = all.indexOf(beginning);
            if (at >= 0) {
                int from = at + beginning.length();
                int end = all.indexOf('\0', from);
                variables.put(name, all.substring(from, end < 0 ? all.length() : end));
            }
        }
        for (String value : variables.values()) {
            for (int i = 0; i < value.length(); i++) {
                if (value.charAt(i) > 127) {
                    return null;
                }
            }
        }
        return variables;
    }

    /// Returns the places of a system, by Java's names of the system and of its processor.
    static LibraryPlaces of(String os, String processor, File root, Map<String, String> environment) {
        return new LibraryPlaces(os.startsWith("Windows"), processor.equals("aarch64"), root, environment);
    }

    /// Returns the names and paths of the driver's library, to be tried in this order.
    List<String> driver() {
        if (isWindows) {
            return List.of("nvcuda.dll");
        }
        // Usually the system finds the library by its name. The folders of NixOS, of Linux within Windows, and of
        // NVIDIA's Jetson boards are for processes whose system does not.
        List<String> names = new ArrayList<>(List.of(DRIVER));
        List<String> folders = isArm
                ? List.of(
                        "run/opengl-driver/lib", "usr/lib/aarch64-linux-gnu/nvidia", "usr/lib/aarch64-linux-gnu/tegra")
                : List.of("run/opengl-driver/lib", "usr/lib/wsl/lib");
        for (String folder : folders) {
            File library = new File(new File(root, folder), DRIVER);
            if (library.exists()) {
                names.add(library.getPath());
            }
        }
        return List.copyOf(names);
    }

    /// Returns whether the system surely has no library of the driver, judged by its files only. That takes a
    /// millisecond, while the first search by name in a process takes Java ten. The answer is false if not all places
    /// are known where the C library looks: on systems other than Linux with the GNU C library, and if the environment
    /// has more than names of folders.
    boolean surelyLacksDriver() {
        File known = new File(root, "etc/ld.so.cache");
        if (isWindows || !environment.getOrDefault("LD_PRELOAD", "").isEmpty() || !known.isFile()) {
            return false;
        }
        String named = environment.getOrDefault("LD_LIBRARY_PATH", "");
        if (named.indexOf('$') >= 0 || named.indexOf(';') >= 0) {
            return false;
        }
        for (String folder : named.isEmpty() ? new String[0] : named.split(":", -1)) {
            File path = folder.startsWith("/") ? new File(root, folder) : new File(folder);
            if (folder.isEmpty() || new File(path, DRIVER).exists() || new File(path, "glibc-hwcaps").exists()) {
                return false;
            }
        }
        String processor = isArm ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
        for (String folder :
                List.of("lib", "usr/lib", "lib64", "usr/lib64", "lib/" + processor, "usr/lib/" + processor)) {
            if (new File(new File(root, folder), DRIVER).exists()) {
                return false;
            }
        }
        return driver().size() == 1 && lacks(known, DRIVER);
    }

    /// Returns whether a file can be read and does not contain this name.
    private static boolean lacks(File file, String name) {
        try (FileInputStream in = new FileInputStream(file)) {
            return !contains(in.readAllBytes(), name.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return false;
        }
    }

    /// Searches for a name by R. N. Horspool's method, which examines only about one byte in ten. That matters, since
    /// the search ends before Java compiles this code.
    private static boolean contains(byte[] text, byte[] name) {
        int last = name.length - 1;
        // How far the name can be moved on, by the byte at its end.
        int[] steps = new int[1 << Byte.SIZE];
        Arrays.fill(steps, name.length);
        for (int i = 0; i < last; i++) {
            steps[Byte.toUnsignedInt(name[i])] = last - i;
        }
        for (int end = last; end < text.length; end += steps[text[end] & 0xff]) {
            if (text[end] == name[last] && Arrays.equals(text, end - last, end + 1, name, 0, name.length)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the names of NVRTC of the toolkits 13 and 12, to be tried in this order. All versions in between have
    /// the same names.
    List<String> compiler() {
        return isWindows
                ? List.of("nvrtc64_130_0.dll", "nvrtc64_120_0.dll")
                : List.of("libnvrtc.so.13", "libnvrtc.so.12");
    }

    /// Returns whether a file is the library that NVRTC itself loads by its bare name. The `.alt` files belong to a
    /// compiler that is not used here.
    boolean isCompilerBuiltins(String fileName) {
        return fileName.startsWith(isWindows ? "nvrtc-builtins64_" : "libnvrtc-builtins.so")
                && !fileName.contains(".alt.");
    }

    /// Returns the folders of installed toolkits in which libraries may lie, to be searched in this order. They need
    /// not exist.
    List<Path> toolkitFolders() {
        List<Path> folders = new ArrayList<>();
        for (Path toolkit : toolkits()) {
            for (String folder : foldersOfAToolkit()) {
                folders.add(toolkit.resolve(folder));
            }
        }
        return folders;
    }

    private List<String> foldersOfAToolkit() {
        if (isWindows) {
            // Since CUDA 13 the libraries lie in a folder for the processor.
            return List.of(isArm ? "bin/arm64" : "bin/x64", "bin");
        }
        // The folder is sbsa-linux in the toolkit for ARM servers, and aarch64-linux in that for Jetson boards.
        return isArm
                ? List.of("lib64", "targets/sbsa-linux/lib", "targets/aarch64-linux/lib", "lib")
                : List.of("lib64", "targets/x86_64-linux/lib", "lib");
    }

    private List<Path> toolkits() {
        List<Path> toolkits = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String value = environment.get(variable);
            if (value != null && !value.isBlank()) {
                toolkits.add(Path.of(value));
            }
        }
        if (!isWindows) {
            toolkits.addAll(newestFirst(root.toPath().resolve("usr/local"), "cuda"));
            return toolkits;
        }
        String programs = environment.get("ProgramFiles");
        if (programs != null && !programs.isBlank()) {
            toolkits.addAll(newestFirst(Path.of(programs).resolve("NVIDIA GPU Computing Toolkit/CUDA"), "v"));
        }
        return toolkits;
    }

    /// Returns the folders whose names begin with `prefix`: first the one without a version, which is the user's
    /// choice, then the others, newest first.
    private static List<Path> newestFirst(Path parent, String prefix) {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(parent)) {
            return children.filter(child -> child.getFileName().toString().startsWith(prefix))
                    .sorted(Comparator.comparing((Path child) -> !child.endsWith(prefix))
                            .thenComparing(Comparator.reverseOrder()))
                    .toList();
        } catch (IOException e) {
            // A folder that cannot be read has no usable toolkit.
            return List.of();
        }
    }

    /// Returns the classifier of Maven artifacts for this system.
    String classifier() {
        return isWindows ? "windows-x86_64" : isArm ? "linux-arm64" : "linux-x86_64";
    }

    /// Returns the folder in which the jar of `org.bytedeco:cuda-redist` has the compiler and its built-ins library.
    String folderInJar() {
        return "org/bytedeco/cuda/" + classifier() + "/";
    }

    /// Returns a description for users of where the compiler is looked for.
    String compilerInWords() {
        return String.join(" or ", compiler())
                + (isWindows
                        ? " in the PATH, in CUDA_PATH or in the folder of NVIDIA's installer"
                        : " in the library path, in CUDA_HOME or in /usr/local/cuda");
    }
}
