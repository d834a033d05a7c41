package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.exchange.ExchangePlan.Range;
import io.samplesort.gpu.exchange.ExchangePlan.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The places of an exchange, on random sizes and counts: every place is sent to one GPU, sorted where it must be, and
/// ends where it belongs.
class ExchangePlanTest {
    @Test
    void everyPlaceIsSentOnceAndEndsAtHome() {
        SplittableRandom random = new SplittableRandom(29);
        for (int trial = 0; trial < 3000; trial++) {
            int gpus = 1 + random.nextInt(5);
            int classes = 1 + 2 * random.nextInt(2 * gpus);
            long[][] counts = new long[gpus][classes];
            for (int element = random.nextInt(60); element > 0; element--) {
                counts[random.nextInt(gpus)][random.nextInt(classes)]++;
            }
            check(counts, "trial " + trial);
        }
    }

    private static void check(long[][] counts, String trial) {
        int gpus = counts.length;
        long[] sizes = new long[gpus];
        for (int gpu = 0; gpu < gpus; gpu++) {
            sizes[gpu] = LongStream.of(counts[gpu]).sum();
        }
        long total = LongStream.of(sizes).sum();
        ExchangePlan plan = new ExchangePlan(sizes, counts);
        int[] holders = new int[(int) total];
        int[] ends = new int[(int) total];
        List<Range> sent = new ArrayList<>();
        for (int gpu = 0; gpu < gpus; gpu++) {
            long local = 0;
            for (Send send : plan.sends(gpu)) {
                sent.add(send.places());
                local += send.places().count();
                for (long place = send.places().begin(); place < send.places().end(); place++) {
                    holders[(int) place] += 1 + 100 * send.to();
                    assertThat(place)
                            .as(trial)
                            .isBetween(
                                    plan.received(send.to()).begin(),
                                    plan.received(send.to()).end() - 1);
                }
            }
            assertThat(local).as(trial).isEqualTo(sizes[gpu]);
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (Range sorted : plan.sorts(gpu)) {
                for (long place = sorted.begin(); place < sorted.end(); place++) {
                    assertThat(holders[(int) place]).as(trial).isEqualTo(1 + 100 * gpu);
                    if (plan.isAtHome(gpu, sorted)) {
                        ends[(int) place]++;
                    }
                }
            }
        }
        for (Move move : plan.moves()) {
            for (long place = move.places().begin(); place < move.places().end(); place++) {
                assertThat(holders[(int) place]).as(trial).isEqualTo(1 + 100 * move.from());
                assertThat(place)
                        .as(trial)
                        .isBetween(
                                plan.home(move.to()).begin(),
                                plan.home(move.to()).end() - 1);
                ends[(int) place]++;
            }
        }
        assertThat(ends).as(trial).containsOnly(total == 0 ? new int[0] : new int[] {1});
    }

    @Test
    void whatIsEqualStaysWhereItIs() {
        ExchangePlan plan = new ExchangePlan(new long[] {10, 20}, new long[][] {{0, 10, 0}, {0, 20, 0}});
        assertThat(plan.sends(0)).containsExactly(new Send(0, new Range(0, 10), 0));
        assertThat(plan.sends(1)).containsExactly(new Send(1, new Range(10, 30), 0));
        assertThat(plan.sorts(0)).isEmpty();
    }

    @Test
    void classesThatDoNotAddUpAreADefect() {
        assertThatThrownBy(() -> new ExchangePlan(new long[] {3, 3}, new long[][] {{1, 1, 1}, {1, 1, 0}}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the classes have 5 elements, and there are 6");
    }
}
