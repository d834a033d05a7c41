package io.samplesort.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs main classes in processes of their own. A bare one has a fontconfig that knows no font, and a display that is
/// not there.
public final class BareProcess {
    private final Path folder;

    /// @param folder for the files that a process needs and for its output
    public BareProcess(Path folder) {
        this.folder = folder;
    }

    /// Runs the class with the fonts of this host.
    ///
    /// @return the exit code
    public int runWithFonts(Class<?> main, String... arguments) throws IOException, InterruptedException {
        return builder(main, arguments).start().waitFor();
    }

    /// Runs the class where there are no fonts.
    ///
    /// @return the exit code
    public int runBare(Class<?> main, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = builder(main, arguments);
        Path nothing = Files.writeString(folder.resolve("fonts.conf"), "<fontconfig/>");
        builder.environment().put("FONTCONFIG_FILE", nothing.toString());
        builder.environment().put("DISPLAY", ":99");
        return builder.start().waitFor();
    }

    /// Runs the main class of a module on the module path, where no class reaches what another module does not export.
    ///
    /// @param module the name of the module
    /// @return the exit code
    public int runAsModule(String module, Class<?> main, String... arguments) throws IOException, InterruptedException {
        String path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"))
                .collect(Collectors.joining(File.pathSeparator));
        return builder(List.of("-p", path, "-m", module + "/" + main.getName()), arguments)
                .start()
                .waitFor();
    }

    private ProcessBuilder builder(Class<?> main, String... arguments) {
        return builder(List.of("-cp", System.getProperty("java.class.path"), main.getName()), arguments);
    }

    private ProcessBuilder builder(List<String> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                // The JDK keeps what fontconfig has told it in the home folder.
                "-Duser.home=" + folder));
        command.addAll(program);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
    }

    /// What the last process has written.
    public String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
