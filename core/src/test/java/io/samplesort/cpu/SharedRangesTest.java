package io.samplesort.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SharedRangesTest {
    private record Span(int from, int to) {
        int count() {
            return to - from;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void everyPartIsDoneOnce(int threads) {
        Helpers helpers = new Helpers(6);
        try (Crew crew = new Crew(threads, helpers)) {
            for (int count = 0; count < 500; count += 7) {
                AtomicIntegerArray done = new AtomicIntegerArray(count);
                List<Span> spans = count == 0 ? List.of() : List.of(new Span(0, count / 3), new Span(count / 3, count));
                SharedRanges<Span> shared = new SharedRanges<>(
                        spans, Comparator.comparingInt(Span::count).reversed());
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
        List<Integer> taken = new ArrayList<>();
        SharedRanges<Integer> shared = new SharedRanges<>(List.of(5, 3, 8), Comparator.naturalOrder());
        shared.work(range -> {
            taken.add(range);
            return range == 3 ? List.of(4, 9) : List.of();
        });
        assertThat(taken).containsExactly(3, 4, 5, 8, 9);
    }

    /// Nobody waits for what has failed.
    @Test
    void throwsWhatTheWorkThrows() {
        Helpers helpers = new Helpers(3);
        try (Crew crew = new Crew(4, helpers)) {
            for (int i = 0; i < 100; i++) {
                IllegalStateException thrown = new IllegalStateException();
                SharedRanges<Integer> shared = new SharedRanges<>(List.of(1, 2, 3, 4, 5, 6), Comparator.naturalOrder());
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
