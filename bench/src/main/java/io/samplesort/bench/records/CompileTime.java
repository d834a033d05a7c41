package io.samplesort.bench.records;

import io.samplesort.cuda.CacheFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// How long the first use of a sorter takes, in milliseconds.
///
/// @param cold if its kernels have to be compiled
/// @param warm if they come from the cache
record CompileTime(double cold, double warm) {
    /// Times `build` twice, with a kernel cache that is empty at first and is deleted afterwards.
    static CompileTime of(Runnable build) {
        String before = System.getProperty(CacheFolder.PROPERTY);
        Path folder = null;
        try {
            folder = Files.createTempDirectory("samplesort-bench");
            System.setProperty(CacheFolder.PROPERTY, folder.toString());
            return new CompileTime(millis(build), millis(build));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for an empty kernel cache", e);
        } finally {
            if (before == null) {
                System.clearProperty(CacheFolder.PROPERTY);
            } else {
                System.setProperty(CacheFolder.PROPERTY, before);
            }
            if (folder != null) {
                delete(folder);
            }
        }
    }

    private static double millis(Runnable build) {
        long start = System.nanoTime();
        build.run();
        return (System.nanoTime() - start) * 1e-6;
    }

    private static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + folder, e);
        }
    }
}
