package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.sort.Kernels;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Few sorts on two GPUs that run every kernel of the exchange, in every way, for compute-sanitizer; and the kernel
/// that copies pieces, on one.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEveryExchangeKernelTest {
    private static final int COUNT = 9_000;

    private static SortReport sort(String tuning, boolean isStable, long[] keys) {
        long[] payloads = IntStream.range(0, keys.length).asLongStream().toArray();
        long[] input = keys.clone();
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        new int[] {0, 1},
                        ElementType.LONG,
                        List.of(ElementType.LONG),
                        Order.natural(),
                        isStable,
                        Long.MAX_VALUE,
                        ExchangeBed.IN_BUCKETS.with(tuning))) {
            SortReport report =
                    bed.sort(new long[] {4000, 5000}, MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
            long[] expected = input.clone();
            Arrays.sort(expected);
            assertThat(keys).isEqualTo(expected);
            for (int i = 0; i < keys.length; i++) {
                assertThat(input[(int) payloads[i]]).isEqualTo(keys[i]);
            }
            return report;
        }
    }

    @Test
    void inBucketsByTheCopyEngines() {
        assertThat(sort("exchangeBlocks=0", false, new Random(1).longs(COUNT).toArray())
                        .passes())
                .isPositive();
    }

    @Test
    void inBucketsByAKernel() {
        for (boolean isStable : new boolean[] {false, true}) {
            long[] keys = new Random(2).longs(COUNT, 0, 5000).toArray();
            SortReport.Exchange exchange =
                    sort("exchangeBlocks=16", isStable, keys).exchange().orElseThrow();
            assertThat(exchange.storedElements()).isGreaterThan(COUNT / 3);
        }
    }

    @Test
    void inClasses() {
        sort(
                "bucketExchangeSize=" + Integer.MAX_VALUE,
                false,
                new Random(3).longs(COUNT).toArray());
    }

    @Test
    void onOneGpu() {
        sort(
                "oneGpuBytes=" + Integer.MAX_VALUE,
                false,
                new Random(4).longs(COUNT).toArray());
    }

    @Test
    void inOrderAlready() {
        long[] ascending = IntStream.range(0, COUNT).asLongStream().toArray();
        long[] descending = IntStream.range(0, COUNT).mapToLong(i -> -i).toArray();
        for (long[] keys : List.of(ascending, descending)) {
            assertThat(sort("orderCheckSize=1", false, keys).passes()).isZero();
        }
    }

    /// Pieces of all lengths at all places, which fill a target but for some bytes between them.
    @Test
    void pieces() {
        int bytes = 3 * KernelStructs.PIECE_CHUNK_BYTES;
        Random random = new Random(5);
        try (Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter()) {
            KernelElement element = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
            KernelCubins cubins =
                    KernelCubins.forDevice(context.device(), element, given -> GpuContractTest.TINY, ReadyMade.NONE);
            try (Kernels kernels = new Kernels(context, element, cubins);
                    Stream stream = Stream.createFirst(context);
                    DeviceAllocation source = DeviceAllocation.allocate(context, bytes);
                    DeviceAllocation target = DeviceAllocation.allocate(context, bytes);
                    PinnedMemory pinned = PinnedMemory.allocate(context, bytes)) {
                byte[] from = new byte[bytes];
                random.nextBytes(from);
                byte[] expected = new byte[bytes];
                List<long[]> pieces = new ArrayList<>();
                long chunks = 0;
                // Few pieces have the offset of the source that the target has.
                int[] lengths = {1, 15, 16, 17, 40, 4096, 5001, KernelStructs.PIECE_CHUNK_BYTES + 33, 1, 8, 31, 60};
                int at = 3;
                for (int i = 0; i < lengths.length; i++) {
                    int begin = i % 4 == 0 ? at : random.nextInt(bytes - lengths[i]);
                    BucketCopies.Piece piece =
                            new BucketCopies.Piece(null, target.address() + at, source.address() + begin, lengths[i]);
                    pieces.add(new long[] {chunks, piece.source(), piece.target(), piece.bytes()});
                    chunks += piece.chunkCount();
                    System.arraycopy(from, begin, expected, at, lengths[i]);
                    at += lengths[i] + random.nextInt(20);
                }
                MemorySegment host = pinned.segment();
                host.copyFrom(MemorySegment.ofArray(from));
                stream.copyToDevice(source.address(), host, bytes);
                stream.fill(target.address(), (byte) 0, bytes);
                stream.synchronize();
                long[] list = pieces.stream().flatMapToLong(Arrays::stream).toArray();
                MemorySegment.copy(list, 0, host, ValueLayout.JAVA_LONG, 0, list.length);
                try (DeviceAllocation listed = DeviceAllocation.allocate(context, list.length * (long) Long.BYTES)) {
                    stream.copyToDevice(listed.address(), host, listed.byteSize());
                    kernels.exchange().copyPieces(stream, listed.address(), pieces.size(), chunks, 5);
                    stream.synchronize();
                }
                stream.copyToHost(host, target.address(), bytes);
                stream.synchronize();
                assertThat(host.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            }
        }
    }
}
