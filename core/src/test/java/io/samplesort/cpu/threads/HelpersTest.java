package io.samplesort.cpu.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HelpersTest {
    private final Helpers helpers = new Helpers(3);

    @AfterEach
    void endHelpers() {
        helpers.shutdown();
    }

    /// Several threads ask at once, with pauses in which helpers become idle.
    @Test
    void eachRequestIsServed() throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int round = 0; round < 500; round++) {
            CountDownLatch served = new CountDownLatch(40);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(Thread.ofPlatform().start(() -> {
                    for (int request = 0; request < 10; request++) {
                        helpers.execute(() -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            running.decrementAndGet();
                            served.countDown();
                        });
                    }
                }));
            }
            assertThat(served.await(60, TimeUnit.SECONDS)).as("round %s", round).isTrue();
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(helpers.threadCount()).isLessThanOrEqualTo(3);
    }

    @Test
    void aThreadOutlivesWhatItsWorkThrows() throws InterruptedException {
        IllegalStateException failure = new IllegalStateException("planted");
        AtomicReference<Throwable> told = new AtomicReference<>();
        CountDownLatch served = new CountDownLatch(1);
        helpers.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> told.set(thrown));
            throw failure;
        });
        awaitIdle();
        helpers.execute(served::countDown);
        assertThat(served.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(told).hasValue(failure);
        assertThat(helpers.threadCount()).isOne();
    }

    /// A thread that stayed interrupted would fail to read and write files for all later sorts.
    @Test
    void aThreadDoesNotStayInterruptedByItsWork() throws InterruptedException {
        AtomicReference<Thread> interrupted = new AtomicReference<>();
        helpers.execute(() -> {
            interrupted.set(Thread.currentThread());
            Thread.currentThread().interrupt();
        });
        awaitIdle();
        AtomicReference<Thread> next = new AtomicReference<>();
        AtomicReference<Boolean> isInterrupted = new AtomicReference<>();
        CountDownLatch served = new CountDownLatch(1);
        helpers.execute(() -> {
            next.set(Thread.currentThread());
            isInterrupted.set(Thread.currentThread().isInterrupted());
            served.countDown();
        });
        assertThat(served.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(next).hasValue(interrupted.get());
        assertThat(isInterrupted).hasValue(false);
    }

    @Test
    void threadsEndWhenTheyAreNotNeededAnyMore() {
        for (int i = 0; i < 3; i++) {
            helpers.execute(() -> {});
        }
        awaitIdle();
        helpers.shutdown();
        awaitThreads(0);
        helpers.execute(() -> {
            throw new AssertionError("runs after the end");
        });
        assertThat(helpers.threadCount()).isZero();
    }

    private void awaitIdle() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (helpers.busyCount() > 0) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private void awaitThreads(int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (helpers.threadCount() > count) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
