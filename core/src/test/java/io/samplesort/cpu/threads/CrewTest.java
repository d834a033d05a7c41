package io.samplesort.cpu.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CrewTest {
    private final Helpers helpers = new Helpers(7);

    @AfterEach
    void endHelpers() {
        helpers.shutdown();
    }

    /// Short loops that follow at once, and after pauses in which helpers leave.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void eachElementBelongsToOneCall(int size) throws InterruptedException {
        for (int pause : new int[] {0, 1}) {
            try (Crew crew = new Crew(size, helpers)) {
                for (int count = 0; count < 300; count++) {
                    AtomicIntegerArray calls = new AtomicIntegerArray(count);
                    crew.forRanges(count, 1 + count % 7, (from, to) -> {
                        for (int i = (int) from; i < to; i++) {
                            calls.incrementAndGet(i);
                        }
                    });
                    for (int i = 0; i < count; i++) {
                        assertThat(calls.get(i)).isOne();
                    }
                    Thread.sleep(count % 10 == 0 ? pause : 0);
                }
            }
        }
    }

    /// Each call waits until all threads are there, also if helpers are just about to leave.
    @Test
    void allThreadsTakePart() {
        try (Crew crew = new Crew(8, helpers)) {
            for (int i = 0; i < 1000; i++) {
                LockSupport.parkNanos(1000L * (i % 200));
                CountDownLatch areAllHere = new CountDownLatch(8);
                Set<Thread> threads = ConcurrentHashMap.newKeySet();
                crew.forRanges(8, 1, (from, to) -> {
                    threads.add(Thread.currentThread());
                    areAllHere.countDown();
                    try {
                        assertThat(areAllHere.await(60, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
                assertThat(threads).hasSize(8);
            }
        }
    }

    @Test
    void helpersComeBeforeALoop() {
        AtomicLong told = new AtomicLong();
        try (Crew crew = new Crew(8, task -> {
            told.incrementAndGet();
            helpers.execute(task);
        })) {
            crew.gather();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (told.get() < 7) {
                assertThat(System.nanoTime()).isLessThan(end);
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void theCallingThreadDoesEverythingIfNoHelperIsFree() {
        CountDownLatch isFree = new CountDownLatch(1);
        for (int i = 0; i < 7; i++) {
            helpers.execute(() -> {
                try {
                    isFree.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        AtomicLong sum = new AtomicLong();
        try (Crew crew = new Crew(8, helpers)) {
            crew.forRanges(1000, 10, (from, to) -> sum.addAndGet(to - from));
        }
        isFree.countDown();
        assertThat(sum).hasValue(1000);
    }

    /// No call runs any more when the exception comes, and the crew goes on.
    @Test
    void throwsWhatACallThrows() {
        try (Crew crew = new Crew(4, helpers)) {
            for (int failing = 0; failing < 200; failing++) {
                int at = failing;
                AtomicLong running = new AtomicLong();
                IllegalStateException thrown = new IllegalStateException();
                assertThatThrownBy(() -> crew.forRanges(200, 1, (from, to) -> {
                            running.incrementAndGet();
                            try {
                                if (from == at) {
                                    throw thrown;
                                }
                            } finally {
                                running.decrementAndGet();
                            }
                        }))
                        .isSameAs(thrown);
                assertThat(running).hasValue(0);
            }
            AtomicLong sum = new AtomicLong();
            crew.forRanges(1000, 10, (from, to) -> sum.addAndGet(to - from));
            assertThat(sum).hasValue(1000);
        }
    }

    @Test
    void throwsWhatComesOfAskingForHelpers() {
        helpers.shutdown();
        Crew crew = new Crew(4, task -> {
            throw new IllegalStateException("no threads");
        });
        AtomicLong calls = new AtomicLong();
        assertThatThrownBy(() -> crew.forRanges(4, 1, (from, to) -> calls.incrementAndGet()))
                .hasMessage("no threads");
        assertThat(calls).hasValue(0);
    }

    @Test
    void aLoopInALoopRunsOnItsThread() {
        AtomicLong sum = new AtomicLong();
        try (Crew crew = new Crew(8, helpers)) {
            crew.forRanges(20, 1, (from, to) -> {
                Thread thread = Thread.currentThread();
                crew.forRanges(100, 3, (start, end) -> {
                    assertThat(Thread.currentThread()).isSameAs(thread);
                    sum.addAndGet(end - start);
                });
            });
        }
        assertThat(sum).hasValue(2000);
    }

    @Test
    void keepsAnInterruptForLater() {
        try (Crew crew = new Crew(2, helpers)) {
            Thread.currentThread().interrupt();
            CountDownLatch isHelping = new CountDownLatch(1);
            Thread caller = Thread.currentThread();
            crew.forRanges(2, 1, (from, to) -> {
                if (Thread.currentThread() == caller) {
                    while (isHelping.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                } else {
                    isHelping.countDown();
                    // Longer than the caller waits without sleeping.
                    long end = System.nanoTime() + 5_000_000;
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                }
            });
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void helpersLeaveAClosedCrew() {
        try (Crew crew = new Crew(8, helpers)) {
            crew.forRanges(1000, 1, (from, to) -> {});
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (helpers.busyCount() > 0) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
