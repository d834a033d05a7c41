package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Helpers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SharedRangesTest {
    private record Span(int from, int to) {
        int count() {
            return to - from;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "7, false", "2, true", "7, true"})
    void everyPartIsDoneOnce(int threads, boolean isInOrder) {
        Helpers helpers = new Helpers(6);
        try (Crew crew = new Crew(threads, helpers)) {
            for (int count = 0; count < 500; count += 7) {
                AtomicIntegerArray done = new AtomicIntegerArray(count);
                List<Span> spans = count == 0 ? List.of() : List.of(new Span(0, count / 3), new Span(count / 3, count));
                SharedRanges<Span> shared = new SharedRanges<>(
                        spans, Comparator.comparingInt(Span::count).reversed(), isInOrder);
                crew.forRanges(
                        threads,
                        1,
                        (from, to) -> shared.work(span -> {
                            if (span.count() > 3) {
                                int middle = span.from + span.count() / 3;
                                return List.of(new Span(span.from, middle), new Span(middle, span.to));
                            }
                            for (int i = span.from; i < span.to; i++) {
                                done.incrementAndGet(i);
                            }
                            return List.of();
                        }));
                for (int i = 0; i < count; i++) {
                    assertThat(done.get(i)).isOne();
                }
            }
        } finally {
            helpers.shutdown();
        }
    }

    @Test
    void rangesAreTakenInOrder() {
        assertThat(taken(true)).containsExactly(3, 4, 5, 8, 9);
    }

    /// What a thread has divided may lie in its caches.
    @Test
    void aThreadGoesOnWithWhatItHasDivided() {
        assertThat(taken(false)).containsExactly(3, 9, 4, 5, 8);
    }

    /// Returns what one thread takes of 5, 3 and 8; it divides the 3.
    private static List<Integer> taken(boolean isInOrder) {
        List<Integer> taken = new ArrayList<>();
        SharedRanges<Integer> shared = new SharedRanges<>(List.of(5, 3, 8), Comparator.naturalOrder(), isInOrder);
        shared.work(range -> {
            taken.add(range);
            return range == 3 ? List.of(4, 9) : List.of();
        });
        return taken;
    }

    /// A thread that has nothing of its own takes what another one has divided, the first of it.
    @Test
    void takesTheFirstPartsOfOthers() {
        SharedRanges<Integer> shared = new SharedRanges<>(List.of(1), Comparator.naturalOrder(), false);
        List<Integer> others = new ArrayList<>();
        CountDownLatch areTaken = new CountDownLatch(2);
        shared.work(range -> {
            if (range == 1) {
                return List.of(10, 20, 30);
            }
            if (range == 30) {
                new Thread(() -> shared.work(part -> {
                            others.add(part);
                            areTaken.countDown();
                            return List.of();
                        }))
                        .start();
                await(areTaken);
            }
            return List.of();
        });
        assertThat(others).containsExactly(10, 20);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while another thread works", e);
        }
    }

    /// No thread waits for what has failed.
    @Test
    void throwsWhatTheWorkThrows() {
        Helpers helpers = new Helpers(3);
        try (Crew crew = new Crew(4, helpers)) {
            for (int i = 0; i < 100; i++) {
                IllegalStateException thrown = new IllegalStateException();
                SharedRanges<Integer> shared =
                        new SharedRanges<>(List.of(1, 2, 3, 4, 5, 6), Comparator.naturalOrder(), false);
                assertThatThrownBy(() -> crew.forRanges(
                                4,
                                1,
                                (from, to) -> shared.work(range -> {
                                    if (range == 3) {
                                        throw thrown;
                                    }
                                    return range > 100 ? List.of() : List.of(range + 10, range + 20);
                                })))
                        .isSameAs(thrown);
            }
        } finally {
            helpers.shutdown();
        }
    }
}
