package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Arrays;

/// Closes several things, all of them even if closing one fails, and throws what has failed.
public final class Closing {
    private Closing() {}

    /// Closes everything, in order.
    ///
    /// @param open may have nulls, which are skipped
    /// @throws IOException the first failure; further ones are added to it as suppressed. A [RuntimeException] is
    ///     thrown in the same way
    public static void all(Iterable<? extends Closeable> open) throws IOException {
        Exception failure = null;
        for (Closeable one : open) {
            try {
                if (one != null) {
                    one.close();
                }
            } catch (IOException | RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else if (!failure.equals(e)) {
                    failure.addSuppressed(e);
                }
            }
        }
        rethrow(failure);
    }

    /// Throws what other code has thrown, if anything. This has no switch over types, which would take some
    /// milliseconds to link when it first runs.
    ///
    /// @param failure an [IOException] or unchecked; may be null
    public static void rethrow(Throwable failure) throws IOException {
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    /// Does the same as [#all(Iterable)].
    static void all(Closeable... open) throws IOException {
        all(Arrays.asList(open));
    }

    /// Closes an arena unless it is closed already: an arena itself refuses to be closed twice.
    static void end(Arena arena) {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
