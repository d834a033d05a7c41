package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Pieces of columns of every element size, at any address, and of sizes around those of tiles.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuMovePiecesTest {
    private static final int[][] COLUMNS = {
        {1}, {2}, {4}, {8}, {12}, {16}, {24}, {32}, {4, 8}, {8, 1}, {16, 2}, {8, 8},
    };

    @Test
    void everySizeAndAlignment() {
        Random random = new Random(4);
        try (Owned owned = new Owned()) {
            Context context = owned.add(Context.retainPrimary(0));
            owned.add(context.enter());
            KernelElement element = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
            KernelCubins cubins =
                    KernelCubins.forDevice(context.device(), element, tuning -> GpuContractTest.TINY, ReadyMade.NONE);
            MoveKernels kernels = new MoveKernels(owned.add(new KernelModules(context, cubins)), 1);
            Stream stream = owned.add(Stream.create(context));
            for (int[] columns : COLUMNS) {
                move(context, kernels, stream, columns, random);
            }
        }
    }

    /// Moves every other piece of an array to another array, in another order.
    private static void move(Context context, MoveKernels kernels, Stream stream, int[] columnBytes, Random random) {
        long tile = MoveKernels.tileSize(columnBytes);
        long[] sizes = {1, 2, 3, tile - 1, 5, tile, 1, tile + 1, 7, 2 * tile + 3};
        List<Integer> order = new ArrayList<>();
        long count = 0;
        for (int piece = 0; piece < sizes.length; piece++) {
            order.add(piece);
            count += sizes[piece];
        }
        Collections.shuffle(order, random);
        long[] table = new long[4 * sizes.length / 2];
        long[][] moves = new long[sizes.length / 2][];
        long tiles = 0;
        long target = 0;
        for (int i = 0; i < moves.length; i++) {
            long source = 0;
            for (int piece = 0; piece < order.get(i); piece++) {
                source += sizes[piece];
            }
            long size = sizes[order.get(i)];
            moves[i] = new long[] {source, target, size};
            System.arraycopy(new long[] {source, target, size, tiles}, 0, table, 4 * i, 4);
            tiles += Math.ceilDiv(size, tile);
            target += size + 1;
        }
        try (Owned owned = new Owned()) {
            MemorySegment host =
                    owned.add(PinnedMemory.allocate(context, table.length * 8L)).segment();
            host.copyFrom(MemorySegment.ofArray(table));
            long device = owned.add(DeviceAllocation.allocate(context, table.length * 8L))
                    .address();
            stream.copyToDevice(device, host, table.length * 8L);
            List<Column> columns = new ArrayList<>();
            for (int bytes : columnBytes) {
                columns.add(owned.add(new Column(context, stream, bytes, count + sizes.length, random)));
            }
            kernels.movePieces(
                    stream,
                    device,
                    moves.length,
                    tiles,
                    columns.stream().mapToLong(column -> column.from.address()).toArray(),
                    columns.stream().mapToLong(column -> column.to.address()).toArray(),
                    columnBytes);
            for (Column column : columns) {
                column.check(stream, moves);
            }
        }
    }

    /// A column on the device, and another one for the target, which is filled with one byte.
    private static final class Column implements AutoCloseable {
        private static final byte FILLED = 0x5a;

        private final Owned owned = new Owned();
        private final int elementBytes;
        private final byte[] source;
        private final MemorySegment host;
        private final DeviceAllocation from;
        private final DeviceAllocation to;

        Column(Context context, Stream stream, int elementBytes, long count, Random random) {
            this.elementBytes = elementBytes;
            source = new byte[Math.toIntExact(count * elementBytes)];
            random.nextBytes(source);
            host = owned.add(PinnedMemory.allocate(context, source.length)).segment();
            from = owned.add(DeviceAllocation.allocate(context, source.length));
            to = owned.add(DeviceAllocation.allocate(context, source.length));
            host.copyFrom(MemorySegment.ofArray(source));
            stream.copyToDevice(from.address(), host, source.length);
            stream.fill(to.address(), FILLED, source.length);
            stream.synchronize();
        }

        void check(Stream stream, long[][] moves) {
            byte[] expected = new byte[source.length];
            Arrays.fill(expected, FILLED);
            for (long[] move : moves) {
                System.arraycopy(
                        source,
                        (int) move[0] * elementBytes,
                        expected,
                        (int) move[1] * elementBytes,
                        (int) move[2] * elementBytes);
            }
            stream.copyToHost(host, to.address(), source.length);
            stream.synchronize();
            assertThat(host.toArray(ValueLayout.JAVA_BYTE))
                    .as("%d bytes an element", elementBytes)
                    .isEqualTo(expected);
        }

        @Override
        public void close() {
            owned.close();
        }
    }
}
