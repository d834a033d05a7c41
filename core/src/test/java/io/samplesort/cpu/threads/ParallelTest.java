package io.samplesort.cpu.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ParallelTest {
    private static final int DEPTH = 15;

    /// A thread that waits runs other parts, and inside these it waits again.
    @Test
    void waitingDoesNotDeepenTheStackWithoutLimit() {
        Helpers helpers = new Helpers(5);
        try {
            AtomicInteger leaves = new AtomicInteger();
            AtomicInteger deepest = new AtomicInteger();
            divide(new Parallel(6, helpers), DEPTH, () -> {
                leaves.incrementAndGet();
                long frames = StackWalker.getInstance()
                        .walk(stack -> stack.filter(
                                        frame -> frame.getMethodName().equals("divide"))
                                .count());
                deepest.accumulateAndGet((int) frames, Math::max);
            });
            assertThat(leaves).hasValue(1 << DEPTH);
            assertThat(deepest.get()).isLessThanOrEqualTo(2 * (DEPTH + 1));
        } finally {
            helpers.shutdown();
        }
    }

    private static void divide(Parallel parallel, int depth, Runnable leaf) {
        if (depth == 0) {
            leaf.run();
        } else {
            parallel.both(() -> divide(parallel, depth - 1, leaf), () -> divide(parallel, depth - 1, leaf));
        }
    }

    @Test
    void theCallingThreadDoesEverythingIfNoHelperIsFree() throws InterruptedException {
        Helpers helpers = new Helpers(1);
        CountDownLatch isFree = new CountDownLatch(1);
        try {
            helpers.execute(() -> {
                try {
                    isFree.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            Thread caller = Thread.currentThread();
            AtomicLong sum = new AtomicLong();
            // More requests than helpers keep.
            for (int i = 0; i < 3000; i++) {
                new Parallel(2, helpers).forRanges(10, 1, (from, to) -> {
                    assertThat(Thread.currentThread()).isSameAs(caller);
                    sum.addAndGet(from);
                });
            }
            assertThat(sum).hasValue(3000 * 45);
        } finally {
            isFree.countDown();
            helpers.shutdown();
        }
    }

    @Test
    void noPartRunsAnyMoreWhenOneHasFailed() {
        Helpers helpers = new Helpers(3);
        try {
            for (int i = 0; i < 200; i++) {
                AtomicInteger running = new AtomicInteger();
                AtomicInteger begun = new AtomicInteger();
                IllegalStateException failure = new IllegalStateException("planted");
                Parallel parallel = new Parallel(4, helpers);
                assertThatThrownBy(() -> parallel.run(Collections.nCopies(20, () -> {
                            running.incrementAndGet();
                            try {
                                if (begun.incrementAndGet() == 3) {
                                    throw failure;
                                }
                                Thread.onSpinWait();
                            } finally {
                                running.decrementAndGet();
                            }
                        })))
                        .isSameAs(failure);
                assertThat(running).hasValue(0);
            }
        } finally {
            helpers.shutdown();
        }
    }
}
