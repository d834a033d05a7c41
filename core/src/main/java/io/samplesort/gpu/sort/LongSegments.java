package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.List;

/// Long segments of one class that are divided together: those in some neighbouring ranges of the array's segments.
///
/// @param number     of the class
/// @param firstRange the first of these ranges
/// @param endRange   the first range after them
/// @param layout     how they are divided
record LongSegments(int number, int firstRange, int endRange, DividingLayout layout) {
    /// Segments are divided together as long as they have no more than such a part of the array. More passes need room
    /// for their buckets besides that of the first one.
    private static final int PARTS_OF_ONE_PASS = 3;

    private static final int PARTS_OF_MORE_PASSES = 8;

    /// Returns all long segments that are not huge.
    static List<LongSegments> of(SegmentTotals totals, KernelElement element, Tuning tuning) {
        List<LongSegments> all = new ArrayList<>();
        for (int number = 0; number < totals.classCount(); number++) {
            addClass(all, number, totals, element, tuning);
        }
        return all;
    }

    private static void addClass(
            List<LongSegments> all, int number, SegmentTotals totals, KernelElement element, Tuning tuning) {
        boolean isOnePass = SortPlan.ofUserSegments(totals.count(), 2, totals.longest(number), tuning)
                        .passCount()
                == 1;
        long most = totals.count() / (isOnePass ? PARTS_OF_ONE_PASS : PARTS_OF_MORE_PASSES);
        int first = 0;
        while (first < KernelConstants.LIST_BLOCKS) {
            long segments = 0;
            long elements = 0;
            int end = first;
            while (end < KernelConstants.LIST_BLOCKS
                    && (segments == 0 || elements + totals.elementsOf(number, end) <= most)) {
                segments += totals.segmentsOf(number, end);
                elements += totals.elementsOf(number, end);
                end++;
            }
            if (segments > 0) {
                // There is a gap behind each segment.
                SortPlan plan = SortPlan.ofUserSegments(totals.count(), 2 * segments, totals.longest(number), tuning);
                DividingLayout layout = DividingLayout.ofUserSegments(plan, element, tuning, elements);
                all.add(new LongSegments(number, first, end, layout));
            }
            first = end;
        }
    }

    int ranges() {
        return endRange - firstRange;
    }
}
