package io.samplesort.cpu;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads that help callers with their sorts. All sorters share them, so that many sorters make no more threads
/// than one. They are started when they are first needed and end when there is nothing to do.
final class Helpers {
    private static final int IDLE_SECONDS = 10;

    /// Each sort asks for as many helpers as it can use and never takes such a request back. When so many requests
    /// wait, all helpers are busy, and it does not matter that more are dropped: callers do their work without help.
    private static final int MOST_REQUESTS = 1024;

    private static final ThreadFactory THREADS = Thread.ofPlatform()
            .daemon()
            .name("samplesort-", 1)
            .inheritInheritableThreadLocals(false)
            .factory();

    private Helpers() {}

    private static final class Shared {
        static final Executor HELPERS = threads(Math.max(1, Parallel.commonParallelism() - 1));
    }

    /// Returns the helpers that all sorters share.
    static Executor shared() {
        return Shared.HELPERS;
    }

    /// Returns helpers of one's own. Whoever asks for them shuts them down.
    static ThreadPoolExecutor threads(int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_REQUESTS),
                THREADS,
                new ThreadPoolExecutor.DiscardPolicy());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
