package io.samplesort.types;

import java.util.List;
import java.util.Objects;
import java.util.StringTokenizer;

/// The default tuning parameters. They were measured on an NVIDIA H200.
final class TuningDefaults {
    /// The architecture of the GPU that the defaults were measured on, as NVRTC names it.
    static final String MEASURED_ARCHITECTURE = "sm_90";

    /// The parameters that depend on what a sort moves. Each column is for one kind of elements:
    /// - `k3` to `k64`: keys alone, of at most this many bytes and more than the column before; `k*`: of more.
    /// - `4+4`, `8+8`: a key and a payload of equally many bytes, 4 or more than 4. Such pairs are moved as whole
    ///   elements (primitives.cuh).
    /// - `p8`, `p*`: other pairs, of at most 8 bytes together or of more. Their keys and payloads go to arrays of their
    ///   own, so that larger tiles make longer runs in each.
    ///
    /// Shared memory holds fewer elements of more than 16 bytes. No `bucketTarget` is more than a quarter of
    /// `smallSortThreads` × `smallSortItems` × 8, the small-sort limit.
    private static final String TABLE = """
            elements                     k3    k4    k8   k12   k16   k32   k64    k*   4+4   8+8    p8    p*
            distributionThreads         512   512   512   512   256   256   256   256   512   512   512   512
            distributionItems            12    16    12     8    12     8     6     2    12     8    16    12
            distributionBlocks            2     2     2     2     2     2     1     1     2     2     1     1
            maxBucketCount              512   256   256   512   512   256   128    64   256   512   512   512
            gridCells                     0     4     4     4     4     0     0     0     4     4     4     4
            oversampling                 16    32    32    16    16    16    16     4    32    16    16    16
            sampleThreads              1024  1024  1024  1024  1024   512   256   128  1024  1024  1024  1024
            sampleItems                   8     8     8     8     4     8     8     4     8     8     8     8
            smallSortThreads             64   128   128    64   128    64    64    32   128    64    64   128
            smallSortItems               16    32    16    16     8     8     4     2    16    16    16     8
            smallSortResidentThreads    640  1024  1024   768   896   512   384   256  1024   640   640  1024
            smallSortCells                0    16    16    16    16     0     0     0    16    16     0     0
            mergedRuns                    0    64    64     0    64     0     0     0    64    64     0     0
            bucketTarget               2048  8192  4096  2048  2048  1024   512   128  4096  2048  2048  2048
            """;

    /// The threads of small sorts that shall be on one multiprocessor of GPUs that were not measured, by what the names
    /// of their architectures begin with. No kernel of these elements keeps more than 32 bytes of a thread in local
    /// memory then, nor does the scatter with as many blocks as on the GPU that was measured.
    private static final String RESIDENT_ELSEWHERE = """
            elements     k4    k8   4+4   8+8
            sm_8       1024  1024  1024   512
            sm_10       768   768   768    32
            sm_12       768   512   640    32
            """;

    /// With these minimums of resident threads and blocks, the compiler chooses the registers.
    private static final String NO_MINIMUM = "distributionBlocks=1,smallSortResidentThreads=32";

    /// The parameters that are the same for all elements.
    private static final String FOR_ALL = "bucketSlack=6,extraPercent=130,inPlaceSize=0,orderCheckSize=" + (1 << 25)
            + ",rankedSize=" + (1 << 16)
            + ",mergeBuffers=2,transferThreads=12,transferBytes=" + (512 << 10)
            + ",transferBlocks=16,transferAwakeMicros=500,chunkBytes=" + (128 << 20)
            + ",maxChunkCount=16,oneGpuBytes=" + (400 << 20)
            + ",mergedBytes=" + (768 << 20)
            + ",bucketExchangeSize=0";

    private TuningDefaults() {}

    /// Returns the defaults for keys and payloads of these sizes (0 for no payload) on a GPU of this architecture. If
    /// `keepsOrder`, equal elements keep their order while they are moved.
    static Tuning of(int keyBytes, int payloadBytes, boolean keepsOrder, String architecture) {
        int[] values = new int[TuningParameter.ALL.size()];
        String column = payloadBytes == 0 ? keys(keyBytes) : pairs(keyBytes, payloadBytes);
        readColumn(column, values);
        Tuning.replace(values, FOR_ALL);
        boolean isMeasured = architecture.equals(MEASURED_ARCHITECTURE);
        if (keepsOrder || !isMeasured) {
            values[TuningParameter.MERGED_RUNS.ordinal()] = 0;
        }
        if (payloadBytes > 0 && (keepsOrder || !isMeasured)) {
            // The grid takes registers that a pair needs if the GPU has fewer of them, or if positions take some.
            values[TuningParameter.GRID_CELLS.ordinal()] = 0;
        }
        if (keepsOrder) {
            // The small sort compares keys with their positions, which take registers.
            values[TuningParameter.SMALL_SORT_RESIDENT_THREADS.ordinal()] = keyBytes == Integer.BYTES ? 768 : 384;
        }
        if (!isMeasured) {
            int resident = keepsOrder ? 0 : residentElsewhere(column, architecture);
            Tuning.replace(values, resident > 0 ? "smallSortResidentThreads=" + resident : NO_MINIMUM);
        }
        return new Tuning(values);
    }

    /// Returns the column for keys of this size.
    private static String keys(int bytes) {
        if (bytes < 4) {
            return "k3";
        }
        if (bytes == 4) {
            return "k4";
        }
        if (bytes <= 8) {
            return "k8";
        }
        if (bytes <= 12) {
            return "k12";
        }
        if (bytes <= 16) {
            return "k16";
        }
        if (bytes <= 32) {
            return "k32";
        }
        return bytes <= 64 ? "k64" : "k*";
    }

    /// Returns the column for keys and payloads of these sizes.
    private static String pairs(int keyBytes, int payloadBytes) {
        if (keyBytes == payloadBytes && keyBytes >= 4) {
            return keyBytes == 4 ? "4+4" : "8+8";
        }
        return keyBytes + payloadBytes <= 8 ? "p8" : "p*";
    }

    /// Returns how many threads of small sorts must fit on a multiprocessor of a GPU that was not measured; 0 if that
    /// is not known.
    private static int residentElsewhere(String elements, String architecture) {
        String[] rows = RESIDENT_ELSEWHERE.split("\n");
        List<String> columns = List.of(rows[0].trim().split(" +"));
        int column = columns.indexOf(elements);
        for (String row : rows) {
            String[] cells = row.trim().split(" +");
            if (column > 0 && architecture.startsWith(cells[0])) {
                return Integer.parseInt(cells[column]);
            }
        }
        return 0;
    }

    private static void readColumn(String elements, int[] values) {
        String[] rows = TABLE.split("\n");
        int column = 0;
        for (StringTokenizer names = new StringTokenizer(rows[0]);
                !names.nextToken().equals(elements); ) {
            column++;
        }
        for (int i = 1; i < rows.length; i++) {
            StringTokenizer cells = new StringTokenizer(rows[i]);
            TuningParameter parameter =
                    Objects.requireNonNull(TuningParameter.named(cells.nextToken()), "a row of no parameter");
            for (int skipped = 1; skipped < column; skipped++) {
                cells.nextToken();
            }
            values[parameter.ordinal()] = Integer.parseInt(cells.nextToken());
        }
    }
}
