package io.samplesort.gpu.launch;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.SharedMemory;
import java.util.List;

/// The kernels that cut (cut_parts.cuh) and merge (merge_parts.cuh) sorted parts of one array that lie on several GPUs.
public final class PartKernels {
    /// Blocks take sections one by one. With this many sections for each block, slow sections delay the end little.
    private static final int SECTIONS_A_BLOCK = 3;

    /// A section has at least this many tiles, as it is sampled before it is merged.
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

    /// Returns the bytes of memory that merging this many elements takes.
    public long byteSize(long count) {
        return KernelStructs.RUN_SEARCH_BYTES + cutLongs(sections(count)) * Long.BYTES;
    }

    private static long cutLongs(int sections) {
        return (sections + 1L) * KernelConstants.MOST_RUNS;
    }

    /// Returns the offset in that memory of one long for each part. After the merge, these tell where it began in each
    /// part: an index, with the number of the part in the upper bits.
    public static long begins() {
        return KernelStructs.RUN_SEARCH_BYTES;
    }

    /// Returns the offset of the longs that tell where the merge ended in each part.
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

    /// Finds how many elements of each part come before a place of the sorted whole array, and writes these numbers
    /// where a merge would say where it began ([#begins]).
    ///
    /// @param parts  the parts of all GPUs, at least one of them not empty
    /// @param memory device address of room for [#cutBytes]
    public void cut(Stream stream, List<Part> parts, long place, long memory) {
        table.of("cut_parts")
                .with(fields(parts))
                .values(place, 0, memory, memory + begins(), 1)
                .launch(stream, 1);
    }

    /// Merges the elements that belong to some consecutive places of the sorted whole array.
    ///
    /// @param parts  the parts of all GPUs, at least one of them not empty
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
            // Idle lanes of a merge read the first element of the first part, so this must exist.
            long[] elements = (part.count > 0 ? part.elements : any).fields();
            System.arraycopy(elements, 0, fields, 1 + KernelConstants.MAX_GPUS + 2 * i, elements.length);
        }
        return fields;
    }
}
