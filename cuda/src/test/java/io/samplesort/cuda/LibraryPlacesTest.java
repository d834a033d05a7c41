package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where libraries are looked for on systems that this test does not run on.
class LibraryPlacesTest {
    @TempDir
    private Path root;

    @Test
    void thisSystemIsAPlaceToo() {
        assertThat(LibraryPlaces.ofThisSystem().driver()).isNotEmpty();
    }

    @Test
    void linuxNamesTheDriverAndTriesOtherFoldersThatExist() throws IOException {
        assertThat(linux("amd64").driver()).containsExactly("libcuda.so.1");
        String nix = file("run/opengl-driver/lib/libcuda.so.1");
        String wsl = file("usr/lib/wsl/lib/libcuda.so.1");
        String jetson = file("usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1");
        assertThat(linux("amd64").driver()).containsExactly("libcuda.so.1", nix, wsl);
        assertThat(linux("aarch64").driver()).containsExactly("libcuda.so.1", nix, jetson);
    }

    @Test
    void linuxSurelyLacksADriverThatNoPlaceHas() throws IOException {
        // Without the list of known libraries, only the C library can tell.
        assertThat(linux("amd64").surelyLacksDriver()).isFalse();
        Path known = Path.of(file("etc/ld.so.cache"));
        Files.writeString(known, "glibc-ld.so.cache1.1 libcudart.so.13 libc.so.6");
        assertThat(linux("amd64").surelyLacksDriver()).isTrue();
        assertThat(LibraryPlaces.of("Windows 11", "amd64", root.toFile(), Map.of())
                        .surelyLacksDriver())
                .isFalse();
        Files.writeString(known, "glibc-ld.so.cache1.1 libc.so.6\0libcuda.so.1\0/usr/lib/libcuda.so.1");
        assertThat(linux("amd64").surelyLacksDriver()).isFalse();
        Files.writeString(known, "glibc-ld.so.cache1.1 libc.so.6");
        for (String place :
                List.of("lib64", "usr/lib", "usr/lib/x86_64-linux-gnu", "run/opengl-driver/lib", "usr/lib/wsl/lib")) {
            Path library = Path.of(file(place + "/libcuda.so.1"));
            assertThat(linux("amd64").surelyLacksDriver()).as(place).isFalse();
            Files.delete(library);
            assertThat(linux("amd64").surelyLacksDriver()).as(place).isTrue();
        }
    }

    @Test
    void linuxIsNotSureOfADriverWhereTheEnvironmentNamesPlaces() throws IOException {
        Files.writeString(Path.of(file("etc/ld.so.cache")), "libc.so.6");
        Path empty = Files.createDirectories(root.resolve("opt/empty"));
        assertThat(surelyLacks("LD_LIBRARY_PATH", "/opt/empty")).isTrue();
        assertThat(surelyLacks("LD_LIBRARY_PATH", "/opt/empty:/opt/none:" + empty))
                .isTrue();
        assertThat(surelyLacks("LD_LIBRARY_PATH", "/opt/empty:")).isFalse();
        assertThat(surelyLacks("LD_LIBRARY_PATH", ":/opt/empty")).isFalse();
        assertThat(surelyLacks("LD_LIBRARY_PATH", "$ORIGIN/lib")).isFalse();
        assertThat(surelyLacks("LD_LIBRARY_PATH", "/opt/empty;/opt/other")).isFalse();
        assertThat(surelyLacks("LD_PRELOAD", "/opt/hook.so")).isFalse();
        file("opt/driver/libcuda.so.1");
        assertThat(surelyLacks("LD_LIBRARY_PATH", "/opt/empty:/opt/driver")).isFalse();
        Files.createDirectories(empty.resolve("glibc-hwcaps"));
        assertThat(surelyLacks("LD_LIBRARY_PATH", "/opt/empty")).isFalse();
    }

    @Test
    void twoVariablesAreReadFromAnEnvironmentAsLinuxHasIt() {
        assertThat(LibraryPlaces.loaderVariables("")).isEmpty();
        assertThat(LibraryPlaces.loaderVariables("HOME=/me\0XLD_PRELOAD=/a\0")).isEmpty();
        assertThat(LibraryPlaces.loaderVariables("LD_PRELOAD=\0A=\u00e9\0LD_LIBRARY_PATH=/a:/b\0"))
                .containsOnly(Map.entry("LD_PRELOAD", ""), Map.entry("LD_LIBRARY_PATH", "/a:/b"));
        // A folder whose name is not in ASCII would be looked for under another name.
        assertThat(LibraryPlaces.loaderVariables("LD_LIBRARY_PATH=/opt/\u00c3\u00a9\0"))
                .isNull();
        assertThat(LibraryPlaces.forDriver().surelyLacksDriver())
                .isEqualTo(LibraryPlaces.ofThisSystem().surelyLacksDriver());
    }

    private boolean surelyLacks(String variable, String value) {
        return LibraryPlaces.of("Linux", "amd64", root.toFile(), Map.of(variable, value))
                .surelyLacksDriver();
    }

    @Test
    void linuxPrefersTheToolkitsThatUsersName() throws IOException {
        for (String folder : List.of("cuda-12.8", "cuda-13.0", "cuda", "other")) {
            Files.createDirectories(root.resolve("usr/local").resolve(folder));
        }
        LibraryPlaces places = LibraryPlaces.of(
                "Linux",
                "amd64",
                root.toFile(),
                Map.of("CUDA_HOME", "/opt/mine", "CUDA_PATH", " ", "ProgramFiles", "/programs"));
        assertThat(places.toolkitFolders())
                .startsWith(
                        Path.of("/opt/mine/lib64"),
                        Path.of("/opt/mine/targets/x86_64-linux/lib"),
                        Path.of("/opt/mine/lib"),
                        root.resolve("usr/local/cuda/lib64"))
                .containsSubsequence(
                        root.resolve("usr/local/cuda/lib"),
                        root.resolve("usr/local/cuda-13.0/lib64"),
                        root.resolve("usr/local/cuda-12.8/lib64"))
                .hasSize(4 * 3);
        assertThat(places.compiler()).containsExactly("libnvrtc.so.13", "libnvrtc.so.12");
        assertThat(places.compilerInWords()).contains("libnvrtc.so.13", "/usr/local/cuda");
    }

    @Test
    void armHasFoldersOfItsOwn() throws IOException {
        Files.createDirectories(root.resolve("usr/local/cuda"));
        assertThat(linux("aarch64").toolkitFolders())
                .containsExactly(
                        root.resolve("usr/local/cuda/lib64"),
                        root.resolve("usr/local/cuda/targets/sbsa-linux/lib"),
                        root.resolve("usr/local/cuda/targets/aarch64-linux/lib"),
                        root.resolve("usr/local/cuda/lib"));
    }

    @Test
    void windowsHasNamesAndFoldersOfItsOwn() throws IOException {
        Path toolkits = root.resolve("Program Files/NVIDIA GPU Computing Toolkit/CUDA");
        Files.createDirectories(toolkits.resolve("v12.9"));
        Files.createDirectories(toolkits.resolve("v13.0"));
        Files.createDirectories(root.resolve("usr/local/cuda"));
        Map<String, String> environment = Map.of(
                "ProgramFiles", root.resolve("Program Files").toString(),
                "CUDA_PATH", root.resolve("chosen").toString());
        LibraryPlaces places = LibraryPlaces.of("Windows 11", "amd64", root.toFile(), environment);
        assertThat(places.driver()).containsExactly("nvcuda.dll");
        assertThat(places.compiler()).containsExactly("nvrtc64_130_0.dll", "nvrtc64_120_0.dll");
        assertThat(places.toolkitFolders())
                .containsExactly(
                        root.resolve("chosen/bin/x64"),
                        root.resolve("chosen/bin"),
                        toolkits.resolve("v13.0/bin/x64"),
                        toolkits.resolve("v13.0/bin"),
                        toolkits.resolve("v12.9/bin/x64"),
                        toolkits.resolve("v12.9/bin"));
        assertThat(places.compilerInWords()).contains("nvrtc64_130_0.dll", "CUDA_PATH");
        assertThat(LibraryPlaces.of("Windows Server 2025", "amd64", root.toFile(), Map.of())
                        .toolkitFolders())
                .isEmpty();
    }

    @Test
    void theBuiltinsAreKnownByTheirNames() {
        LibraryPlaces linux = linux("amd64");
        LibraryPlaces windows = LibraryPlaces.of("Windows 11", "amd64", root.toFile(), Map.of());
        assertThat(linux.isCompilerBuiltins("libnvrtc-builtins.so.13.0")).isTrue();
        assertThat(linux.isCompilerBuiltins("libnvrtc-builtins.alt.so.13.0")).isFalse();
        assertThat(linux.isCompilerBuiltins("libnvrtc.so.13")).isFalse();
        assertThat(windows.isCompilerBuiltins("nvrtc-builtins64_130.dll")).isTrue();
        assertThat(windows.isCompilerBuiltins("nvrtc-builtins64_129.alt.dll")).isFalse();
        assertThat(windows.isCompilerBuiltins("nvrtc64_130_0.dll")).isFalse();
    }

    private LibraryPlaces linux(String processor) {
        return LibraryPlaces.of("Linux", processor, root.toFile(), Map.of());
    }

    /// Makes an empty file and returns its path.
    private String file(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.createFile(file).toString();
    }
}
