package io.samplesort.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.util.Utils;

/// Kills an executor in mid-sort: as soon as a sort there has written some of its rows to a temporary file, which is
/// long before it has all of them. A test asks for it by a file `kill` in a folder that all processes see. One executor
/// dies for each such file, which is called `killed` from then on.
public final class MidSortTrouble implements SparkPlugin {
    /// Names the folder.
    static final String FOLDER = "spark.samplesort.test.folder";

    @Override
    public DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext context, Map<String, String> settings) {
                Path folder = Path.of(context.conf().get(FOLDER));
                Thread.ofPlatform().daemon().start(() -> watch(folder));
            }
        };
    }

    private static void watch(Path folder) {
        try {
            while (true) {
                if (Files.exists(folder.resolve("kill")) && hasFiles() && isFirst(folder)) {
                    Runtime.getRuntime().halt(137);
                }
                Thread.sleep(1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// One executor alone can give a file its new name.
    private static boolean isFirst(Path folder) {
        return folder.resolve("kill").toFile().renameTo(folder.resolve("killed").toFile());
    }

    private static boolean hasFiles() throws IOException {
        return !files().isEmpty();
    }

    /// Returns the folders of temporary files that sorts of this executor have.
    static List<String> files() throws IOException {
        Path local = Path.of(Utils.getLocalDir(SparkEnv.get().conf()));
        try (Stream<Path> folders = Files.list(local)) {
            return folders.map(Path::toString)
                    .filter(folder -> folder.contains("/samplesort-"))
                    .toList();
        }
    }

    /// Returns whether this is the first call with this marker, of all processes.
    static boolean isFirst(Path folder, String marker) throws IOException {
        try {
            Files.writeString(folder.resolve(marker), "", StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }
}
