package io.samplesort.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.errors.SortCancelledException;
import io.samplesort.types.SortListener;
import java.util.function.Consumer;

/// Cancels a sort at many of the places where it may stop, each of which asks the listener.
public final class CancelledSort {
    private CancelledSort() {}

    /// Cancels the listener's sort when it is asked for a certain time.
    private static final class CancelAt implements SortListener {
        private final int last;
        private final long count;
        private int asked;
        private long latest;

        CancelAt(int last, long count) {
            this.last = last;
            this.count = count;
        }

        @Override
        public void progressed(long done, long total) {
            assertThat(total).isEqualTo(count);
            assertThat(done).isBetween(latest, count);
            latest = done;
        }

        @Override
        public boolean isCancelled() {
            return ++asked == last;
        }
    }

    /// Cancels a sort at its first place, its second and some later ones, until it has no more of them. After each, the
    /// sort has to succeed.
    ///
    /// @param prepare       makes a fresh copy of the input
    /// @param sort          sorts that copy
    /// @param whenCancelled is told whether that copy is said to be unchanged
    /// @param whenSorted    checks that copy
    /// @return how often the sort was cancelled
    public static int atManyPlaces(
            long count, Runnable prepare, Runnable sort, Consumer<Boolean> whenCancelled, Runnable whenSorted) {
        int cancelled = 0;
        for (int at = 1; ; at += 1 + at / 2) {
            CancelAt listener = new CancelAt(at, count);
            prepare.run();
            try {
                SortWatch.watch(listener, "sort of", count, 0, () -> {
                    sort.run();
                    return true;
                });
                whenSorted.run();
                assertThat(listener.asked).isLessThan(at);
                return cancelled;
            } catch (SortCancelledException e) {
                assertThat(e).hasMessageContaining(e.isInputUnchanged() ? "is as it was" : "holds all its elements");
                whenCancelled.accept(e.isInputUnchanged());
                cancelled++;
            }
            prepare.run();
            sort.run();
            whenSorted.run();
        }
    }
}
