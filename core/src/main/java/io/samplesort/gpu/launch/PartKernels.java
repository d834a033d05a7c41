package io.samplesort.gpu.launch;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SharedMemory;
import java.util.List;

/// The kernels that cut sorted parts of one array which lie on several GPUs (cut_parts.cuh), and merge them
/// (merge_parts.cuh).
public final class PartKernels {
    /// Blocks take sections one by one. So many for each block make up for those that take longer than others.
    private static final int SECTIONS_A_BLOCK = 3;

    /// A section has so many tiles at least, as it is sampled before it is merged.
    private static final int LEAST_TILES_A_SECTION = 2;

    private final KernelTable table;
    private final int mergeTile;

    PartKernels(KernelTable table, SharedMemory sharedMemory) {
        this.table = table;
        mergeTile = sharedMemory.mergeRunsTile();
    }

    /// A sorted part of the array.
    ///
    /// @param elements in the user's form, or sort keys
    public record Part(DeviceElements elements, long count) {}

    private int sections(long count) {
        long most = count / ((long) LEAST_TILES_A_SECTION * mergeTile);
        return (int) Math.clamp(
                most, 1, (long) SECTIONS_A_BLOCK * table.of("merge_parts").residentBlocks());
    }

    /// Returns the bytes of memory that merging so many elements takes.
    public long byteSize(long count) {
        return KernelStructs.RUN_SEARCH_BYTES + cutLongs(sections(count)) * Long.BYTES;
    }

    private static long cutLongs(int sections) {
        return (sections + 1L) * KernelConstants.MOST_RUNS;
    }

    /// Returns how far behind the begin of that memory there are longs that tell, when the merge has ended, where it
    /// has begun in each part, as indexes with the number of the part above them.
    public static long begins() {
        return KernelStructs.RUN_SEARCH_BYTES;
    }

    /// Returns the same for where it has ended in each part.
    public long ends(long count) {
        return begins() + (long) sections(count) * KernelConstants.MOST_RUNS * Long.BYTES;
    }

    /// Returns the index of a cut in its part.
    public static long index(long cut) {
        return cut & (1L << KernelConstants.PART_SHIFT) - 1;
    }

    /// Returns the bytes of memory that [#cut] takes.
    public long cutBytes() {
        return begins() + cutLongs(1) * Long.BYTES;
    }

    /// Finds which elements of each part are before a place of the whole array in order, and leaves how many these are
    /// where a merge would say where it has begun ([#begins]).
    ///
    /// @param parts  of all GPUs, not all of them without elements
    /// @param memory device address of room for [#cutBytes]
    public void cut(Stream stream, List<Part> parts, long place, long memory) {
        table.of("cut_parts")
                .with(fields(parts))
                .values(place, 0, memory, memory + begins(), 1)
                .launch(stream, 1);
    }

    /// Merges some of the places of the whole array in order.
    ///
    /// @param parts  of all GPUs, not all of them without elements
    /// @param first  the first of `count` places, at least one
    /// @param output where they go
    /// @param memory device address of room for [#byteSize]
    public void merge(Stream stream, List<Part> parts, long first, long count, DeviceElements output, long memory) {
        long[] fields = fields(parts);
        int sections = sections(count);
        table.of("cut_parts")
                .with(fields)
                .values(first, count, memory, memory + begins(), sections)
                .launch(stream, sections + 1);
        table.of("merge_parts")
                .with(fields, output.fields())
                .values(memory, memory + begins(), sections)
                .launchFor(stream, sections);
    }

    /// Returns the fields of a `GpuParts` (gpu_parts.cuh).
    private static long[] fields(List<Part> parts) {
        long[] fields = new long[KernelStructs.GPU_PARTS_LONGS];
        fields[0] = parts.size();
        DeviceElements any = null;
        for (Part part : parts) {
            any = part.count > 0 ? part.elements : any;
        }
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            fields[1 + i] = part.count;
            // Lanes of a merge that have nothing to do read the first element of the first part.
            long[] elements = (part.count > 0 ? part.elements : any).fields();
            System.arraycopy(elements, 0, fields, 1 + KernelConstants.MAX_GPUS + 2 * i, elements.length);
        }
        return fields;
    }
}
