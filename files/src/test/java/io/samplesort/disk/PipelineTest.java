package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.disk.Pipeline.Stage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Order, overlap and the end of a pipeline, whatever ends it.
@Timeout(600)
class PipelineTest {
    private static final int PIECES = 50;
    private static final long COUNT = 10;

    @Test
    void everyPieceGoesThroughAllStagesInItsBuffer() throws IOException {
        int[] buffers = new int[3];
        AtomicInteger written = new AtomicInteger();
        Pipeline pipeline = new Pipeline(3);
        pipeline.run(
                PIECES,
                (piece, buffer) -> buffers[buffer] = piece,
                (piece, buffer) -> {
                    assertThat(buffers[buffer]).isEqualTo(piece);
                    buffers[buffer] = -piece;
                },
                (piece, buffer) -> {
                    assertThat(buffers[buffer]).isEqualTo(-piece);
                    assertThat(written.getAndIncrement()).isEqualTo(piece);
                });
        assertThat(written).hasValue(PIECES);
        for (Stage stage : Stage.values()) {
            assertThat(pipeline.busy(stage)).isPositive();
        }
    }

    @Test
    void stagesWorkAtTheSameTime() throws IOException {
        CountDownLatch all = new CountDownLatch(3);
        Pipeline pipeline = new Pipeline(3);
        Pipeline.Work meet = (piece, buffer) -> {
            all.countDown();
            try {
                if (!all.await(300, TimeUnit.SECONDS)) {
                    throw new IOException("the others did not come");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        // The first piece is written while the second is sorted and the third is read.
        pipeline.run(
                3,
                (piece, buffer) -> on(piece == 2, meet),
                (piece, buffer) -> on(piece == 1, meet),
                (piece, buffer) -> on(piece == 0, meet));
        assertThat(all.getCount()).isZero();
    }

    private static void on(boolean isMeeting, Pipeline.Work meet) throws IOException, InterruptedException {
        if (isMeeting) {
            meet.on(0, 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailureEndsAllStages(Stage failing) throws IOException {
        for (int at : new int[] {0, 1, PIECES - 1}) {
            Pipeline pipeline = new Pipeline(3);
            AtomicInteger working = new AtomicInteger();
            Pipeline.Work[] works = new Pipeline.Work[3];
            for (Stage stage : Stage.values()) {
                works[stage.ordinal()] = (piece, buffer) -> {
                    working.incrementAndGet();
                    if (stage == failing && piece == at) {
                        working.decrementAndGet();
                        throw new IOException("disk on fire");
                    }
                    working.decrementAndGet();
                };
            }
            assertThatThrownBy(() -> pipeline.run(PIECES, works[0], works[1], works[2]))
                    .isInstanceOf(IOException.class)
                    .hasMessage("disk on fire");
            assertThat(working).hasValue(0);
            // It can be used again.
            AtomicInteger written = new AtomicInteger();
            pipeline.run(
                    PIECES, (piece, buffer) -> {}, (piece, buffer) -> {}, (piece, buffer) -> written.incrementAndGet());
            assertThat(written).hasValue(PIECES);
        }
    }

    @Test
    void longWorkIsToldOfFailuresElsewhere() {
        Pipeline pipeline = new Pipeline(3);
        CountDownLatch reading = new CountDownLatch(1);
        assertThatThrownBy(() -> pipeline.run(
                        2,
                        (piece, buffer) -> {
                            while (piece == 1) {
                                reading.countDown();
                                pipeline.checkGoing();
                            }
                        },
                        (piece, buffer) -> {
                            try {
                                reading.await();
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                            throw new IllegalStateException("no such order");
                        },
                        (piece, buffer) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such order");
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsAllStages(Stage stage) {
        Pipeline pipeline = new Pipeline(3);
        Thread caller = Thread.currentThread();
        Pipeline.Work[] works = {(piece, buffer) -> {}, (piece, buffer) -> {}, (piece, buffer) -> {}};
        works[stage.ordinal()] = (piece, buffer) -> {
            if (piece == PIECES / 2) {
                caller.interrupt();
            }
        };
        assertThatThrownBy(() -> pipeline.run(PIECES, works[0], works[1], works[2]))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    /// A sort of one piece that has told that half of it is final, and waits before it goes on.
    private static Pipeline.Work halfSorted(Pipeline pipeline, CountDownLatch isWriting) {
        return (piece, buffer) -> {
            pipeline.sortedUpTo(COUNT / 2);
            if (!isWriting.await(300, TimeUnit.SECONDS)) {
                throw new IOException("nobody writes");
            }
            pipeline.sortedUpTo(COUNT);
        };
    }

    @Test
    void thePartOfAPieceThatIsFinalIsWrittenWhileTheRestIsSorted() throws IOException {
        Pipeline pipeline = new Pipeline(2);
        for (int pieces : new int[] {1, 3}) {
            CountDownLatch isWriting = new CountDownLatch(1);
            List<Long> ends = new ArrayList<>();
            pipeline.run(pieces, (piece, buffer) -> {}, halfSorted(pipeline, isWriting), (piece, buffer) -> {
                long half = pipeline.awaitSorted(piece, 1, COUNT);
                isWriting.countDown();
                ends.add(half);
                ends.add(pipeline.awaitSorted(piece, half + 1, COUNT));
            });
            assertThat(ends).hasSize(2 * pieces).startsWith(COUNT / 2, COUNT).endsWith(COUNT);
            assertThat(pipeline.busy(Stage.WRITE)).isPositive();
        }
    }

    @Test
    void aSortThatTellsNothingIsWrittenWhenItEnds() throws IOException {
        Pipeline pipeline = new Pipeline(1);
        AtomicInteger sorted = new AtomicInteger();
        pipeline.run(PIECES, (piece, buffer) -> {}, (piece, buffer) -> sorted.incrementAndGet(), (piece, buffer) -> {
            assertThat(pipeline.awaitSorted(piece, 1, COUNT)).isEqualTo(COUNT);
            assertThat(sorted).hasValue(piece + 1);
        });
    }

    @Test
    void aSortEndsWhenItsBeginningCannotBeWritten() {
        Pipeline pipeline = new Pipeline(1);
        assertThatThrownBy(() -> pipeline.run(
                        1,
                        (piece, buffer) -> {},
                        (piece, buffer) -> {
                            while (true) {
                                pipeline.sortedUpTo(1);
                            }
                        },
                        (piece, buffer) -> {
                            pipeline.awaitSorted(piece, 1, COUNT);
                            throw new IOException("disk full");
                        }))
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
    }

    @Test
    void theWriterDoesNotWaitForASortThatHasFailed() {
        Pipeline pipeline = new Pipeline(1);
        CountDownLatch isWriting = new CountDownLatch(1);
        assertThatThrownBy(() -> pipeline.run(
                        1,
                        (piece, buffer) -> {},
                        (piece, buffer) -> {
                            pipeline.sortedUpTo(1);
                            isWriting.await();
                            throw new IllegalStateException("no such order");
                        },
                        (piece, buffer) -> {
                            isWriting.countDown();
                            pipeline.awaitSorted(piece, 2, COUNT);
                        }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such order");
    }
}
