package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each piece of work is done once, by whichever thread, and is done when the call returns.
@Timeout(60)
class TeamThreadsTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 2000;

    /// Pauses are from none to longer than threads wait without sleeping.
    private static final int MOST_PAUSE_NANOS = 600_000;

    @Test
    void eachPieceOfWorkIsDoneOnce() {
        Random random = new Random(1);
        AtomicIntegerArray done = new AtomicIntegerArray(THREADS);
        try (TeamThreads threads = new TeamThreads(THREADS)) {
            for (int round = 1; round <= ROUNDS; round++) {
                int pause = random.nextInt(MOST_PAUSE_NANOS);
                if (random.nextInt(4) == 0) {
                    LockSupport.parkNanos(pause);
                }
                threads.wake();
                Throwable[] thrown = threads.run(number -> {
                    done.incrementAndGet(number);
                    if (pause % 3 == number) {
                        LockSupport.parkNanos(pause / 10);
                    }
                });
                assertThat(thrown).containsOnlyNulls();
                for (int number = 0; number < THREADS; number++) {
                    assertThat(done.get(number)).as("thread %d", number).isEqualTo(round);
                }
            }
        }
    }

    @Test
    void aFailureIsThatOfItsNumber() {
        try (TeamThreads threads = new TeamThreads(THREADS)) {
            for (int round = 0; round < ROUNDS / 10; round++) {
                int failing = round % THREADS;
                Throwable[] thrown = threads.run(number -> {
                    if (number == failing) {
                        throw new IllegalStateException("number " + number);
                    }
                });
                for (int number = 0; number < THREADS; number++) {
                    if (number == failing) {
                        assertThat(thrown[number]).hasMessage("number " + number);
                    } else {
                        assertThat(thrown[number]).isNull();
                    }
                }
            }
        }
    }

    @Test
    void anInterruptIsKept() {
        try (TeamThreads threads = new TeamThreads(2)) {
            Thread.currentThread().interrupt();
            Throwable[] thrown = threads.run(number -> LockSupport.parkNanos(number * 2_000_000L));
            assertThat(thrown).containsOnlyNulls();
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
