package io.samplesort.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies of host memory without a sort, in blocks of 4096 bytes, by more threads than the machine may have processors.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuHostTransferTest {
    private static final int BLOCK = 4096;
    private static final int DEVICE_BYTES = 1 << 20;

    private final Owned owned = new Owned();
    private Context context;
    private Context.Scope scope;
    private Stream up;
    private Stream down;
    private HostTransfer transfer;
    private long device;

    @BeforeEach
    void open() {
        context = owned.add(Context.retainPrimary(0));
        scope = context.enter();
        up = owned.add(Stream.create(context));
        down = owned.add(Stream.create(context));
        transfer = owned.add(new HostTransfer(context, Tuning.defaultFor(ElementType.LONG, null)));
        device = owned.add(DeviceAllocation.allocate(context, DEVICE_BYTES)).address();
    }

    @AfterEach
    void close() {
        owned.close();
        scope.close();
    }

    private UploadFlow uploads(TransferPlan plan) {
        return new UploadFlow(transfer, up, plan, StageClock.none());
    }

    private DownloadFlow downloads(TransferPlan plan) {
        return new DownloadFlow(transfer, down, plan, StageClock.none());
    }

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest(name = "{0} helpers, groups of {1} blocks, {2} buffers")
    @CsvSource({
        "0, 1, 2",
        "0, 4, 1",
        "0, 4, 3",
        "1, 1, 2",
        "1, 2, 3",
        "1, 4, 3",
        "3, 4, 1",
        "5, 1, 1",
        "5, 1, 12",
        "5, 2, 6",
        "5, 4, 3",
        "7, 64, 3"
    })
    void copiesEverySizeAroundBlocksAndGroups(int helpers, int groupBlocks, int buffers) {
        TransferPlan plan = new TransferPlan(0, helpers, BLOCK, groupBlocks, buffers, 100_000);
        int group = groupBlocks * BLOCK;
        for (int bytes : new int[] {
            0,
            1,
            8,
            BLOCK - 1,
            BLOCK,
            BLOCK + 1,
            group - 1,
            group,
            group + 1,
            2 * group + BLOCK + 9,
            3 * group - BLOCK - 1
        }) {
            byte[] source = randomBytes(bytes);
            byte[] target = new byte[bytes + 16];
            try (UploadFlow uploads = uploads(plan);
                    DownloadFlow downloads = downloads(plan)) {
                TransferBatch uploaded =
                        uploads.submit(List.of(new TransferBatch.Part(MemorySegment.ofArray(source), device)), null);
                MemorySegment middle = MemorySegment.ofArray(target).asSlice(8, bytes);
                downloads.submit(List.of(new TransferBatch.Part(middle, device)), uploaded.completion());
                downloads.finish();
                uploads.finish();
                assertThat(downloads.writtenBytes()).isEqualTo(bytes);
            }
            byte[] expected = new byte[bytes + 16];
            System.arraycopy(source, 0, expected, 8, bytes);
            assertThat(target).as("%d bytes", bytes).isEqualTo(expected);
        }
    }

    /// On a machine that is busy a thread may get a processor when all is done. No thread waits for it, and it does
    /// nothing.
    @Test
    void nobodyWaitsForAThreadThatHasNotBegun() {
        Deque<Runnable> late = new ArrayDeque<>();
        TransferPlan plan = new TransferPlan(0, 5, BLOCK, 2, 6, 100_000);
        byte[] source = randomBytes(20 * BLOCK + 9);
        byte[] target = new byte[source.length];
        try (HostTransfer alone = new HostTransfer(context, Tuning.defaultFor(ElementType.LONG, null), late::add)) {
            try (UploadFlow uploads = new UploadFlow(alone, up, plan, StageClock.none());
                    DownloadFlow downloads = new DownloadFlow(alone, down, plan, StageClock.none())) {
                TransferBatch uploaded =
                        uploads.submit(List.of(new TransferBatch.Part(MemorySegment.ofArray(source), device)), null);
                downloads.submit(
                        List.of(new TransferBatch.Part(MemorySegment.ofArray(target), device)), uploaded.completion());
                downloads.finish();
                uploads.finish();
            }
            assertThat(target).isEqualTo(source);
            assertThat(late).hasSize(2);
            Arrays.fill(target, (byte) 0);
            late.forEach(Runnable::run);
            assertThat(late).as("helpers that others would have started").hasSize(2);
            assertThat(target).containsOnly(0);
        }
    }

    /// Batches are on their way down while later ones are on their way up. Some of their columns are pinned.
    @ParameterizedTest(name = "{0} helpers, groups of {1} blocks, {2} buffers")
    @CsvSource({"0, 1, 2", "1, 1, 3", "1, 4, 3", "5, 2, 6", "5, 4, 3", "11, 4, 6", "3, 4, 1"})
    void columnsGoBothWaysAtOnce(int helpers, int groupBlocks, int buffers) {
        TransferPlan plan = new TransferPlan(0, helpers, BLOCK, groupBlocks, buffers, 100_000);
        int[] columnBytes = {60_001, 4096, 0, 37_000, 20};
        int rowBytes = Arrays.stream(columnBytes).sum();
        int rows = 8;
        byte[] source = randomBytes(rowBytes * rows);
        byte[] target = new byte[source.length];
        try (PinnedMemory pinnedSource = PinnedMemory.allocate(context, source.length);
                PinnedMemory pinnedTarget = PinnedMemory.allocate(context, source.length)) {
            pinnedSource.segment().copyFrom(MemorySegment.ofArray(source));
            for (int repetition = 0; repetition < 5; repetition++) {
                Arrays.fill(target, (byte) 0);
                pinnedTarget.segment().fill((byte) 0);
                try (UploadFlow uploads = uploads(plan);
                        DownloadFlow downloads = downloads(plan)) {
                    List<TransferBatch> batches = new ArrayList<>();
                    for (int row = 0; row < rows; row++) {
                        batches.add(uploads.submit(
                                parts(columnBytes, row, MemorySegment.ofArray(source), pinnedSource.segment()), null));
                    }
                    for (int row = 0; row < rows; row++) {
                        downloads.submit(
                                parts(columnBytes, row, MemorySegment.ofArray(target), pinnedTarget.segment()),
                                batches.get(row).completion());
                    }
                    uploads.finish();
                    downloads.finish();
                    assertThat(downloads.writtenBytes()).isEqualTo(source.length);
                }
                MemorySegment merged = MemorySegment.ofArray(target);
                for (int row = 0; row < rows; row++) {
                    long pinnedColumn = (long) row * rowBytes + 64_097;
                    MemorySegment.copy(pinnedTarget.segment(), pinnedColumn, merged, pinnedColumn, 37_000);
                }
                assertThat(target).isEqualTo(source);
            }
        }
    }

    /// Returns the columns of one row; the fourth is in pinned memory.
    private List<TransferBatch.Part> parts(int[] columnBytes, int row, MemorySegment heap, MemorySegment pinned) {
        List<TransferBatch.Part> parts = new ArrayList<>();
        long begin = (long) row * Arrays.stream(columnBytes).sum();
        for (int column = 0; column < columnBytes.length; column++) {
            MemorySegment host = column == 3 ? pinned : heap;
            parts.add(new TransferBatch.Part(host.asSlice(begin, columnBytes[column]), device + begin));
            begin += columnBytes[column];
        }
        return parts;
    }

    @Test
    void pinnedMemoryNeedsNoBuffer() {
        TransferPlan plan = new TransferPlan(0, 2, BLOCK, 4, 0, 100_000);
        byte[] source = randomBytes(100_000);
        try (PinnedMemory pinned = PinnedMemory.allocate(context, source.length);
                UploadFlow uploads = uploads(plan);
                DownloadFlow downloads = downloads(plan)) {
            List<TransferBatch.Part> parts = List.of(new TransferBatch.Part(pinned.segment(), device));
            pinned.segment().copyFrom(MemorySegment.ofArray(source));
            uploads.submit(parts, null);
            uploads.finish();
            pinned.segment().fill((byte) 0);
            downloads.submit(parts, null);
            downloads.finish();
            assertThat(pinned.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(source);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 2", "3, 4, 3"})
    void everyCopyOfABatchWaitsForItsGate(int helpers, int groupBlocks, int buffers) {
        TransferPlan plan = new TransferPlan(0, helpers, BLOCK, groupBlocks, buffers, 100_000);
        byte[] target = new byte[10 * BLOCK];
        for (byte repetition = 1; repetition < 50; repetition++) {
            try (DownloadFlow downloads = downloads(plan);
                    Event gate = Event.create(context, false)) {
                up.fill(device, repetition, target.length);
                gate.record(up);
                downloads.submit(List.of(new TransferBatch.Part(MemorySegment.ofArray(target), device)), gate);
                downloads.finish();
            }
            byte[] expected = new byte[target.length];
            Arrays.fill(expected, repetition);
            assertThat(target).isEqualTo(expected);
        }
    }

    @Test
    void anInterruptIsKeptForLater() {
        TransferPlan plan = new TransferPlan(0, 3, BLOCK, 4, 1, 100_000);
        byte[] source = randomBytes(30 * BLOCK + 5);
        byte[] target = new byte[source.length];
        Thread.currentThread().interrupt();
        try (UploadFlow uploads = uploads(plan);
                DownloadFlow downloads = downloads(plan)) {
            TransferBatch uploaded =
                    uploads.submit(List.of(new TransferBatch.Part(MemorySegment.ofArray(source), device)), null);
            downloads.submit(
                    List.of(new TransferBatch.Part(MemorySegment.ofArray(target), device)), uploaded.completion());
            downloads.finish();
            uploads.finish();
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(target).isEqualTo(source);
    }

    @Test
    void whatIsGivenUpLeavesHostMemoryAlone() {
        byte[] source = randomBytes(100 * BLOCK);
        transfer.upload(up, MemorySegment.ofArray(source), device);
        for (int repetition = 0; repetition < 20; repetition++) {
            byte[] target = new byte[source.length];
            DownloadFlow downloads = downloads(new TransferPlan(0, 3, BLOCK, 4, 3, 100_000));
            downloads.submit(List.of(new TransferBatch.Part(MemorySegment.ofArray(target), device)), null);
            downloads.close();
            byte[] left = target.clone();
            assertThatThrownBy(downloads::finish).hasMessageContaining("given up");
            byte[] again = new byte[source.length];
            transfer.download(down, device, MemorySegment.ofArray(again));
            assertThat(again).isEqualTo(source);
            assertThat(target).isEqualTo(left);
            assertThat(downloads.writtenBytes()).isLessThanOrEqualTo(source.length);
        }
    }
}
