package io.samplesort.lines;

import io.samplesort.files.types.FileListener;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.shared.FileSorters.LineSorter;
import io.samplesort.shared.FileSorters.LineSorterBuilder;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A sort or merge of lines that counts equal ones, and a second sort, which puts the counted lines in the order of
/// their numbers.
public final class LinesByCount {
    /// The memory divided by this is for counted lines. More of them go to a temporary file.
    private static final int HELD_SHARE = 8;

    private final LineJob job;
    private final LineSorterBuilder sorters;
    private final FileListener listener;
    private final PhaseClock clock = new PhaseClock();

    /// What the first step has done.
    private SortReport report;

    /// @param job     counts lines
    /// @param sorters builds the sorters of both steps
    public LinesByCount(LineJob job, LineSorterBuilder sorters, FileListener listener) {
        this.job = job;
        this.sorters = sorters;
        this.listener = listener;
    }

    /// @param isMerge whether the inputs are sorted already
    /// @throws io.samplesort.disk.FileFailure if a file or disk is not fit for the sort; the message says what to do
    public SortReport sort(boolean isMerge) throws IOException {
        long room = job.memoryBytes() / HELD_SHARE;
        try (LineFiles files = LineFiles.open(job, listener);
                HeldLines held = new HeldLines(room, files)) {
            files.writeTo(held);
            LineTally counted = count(isMerge, job.wholeWithin(job.memoryBytes() - room), files);
            counted.checkWritten(held.byteSize());
            LineJob ordering = job.byCount(counted.areCountsOfOneWidth(), job.memoryBytes() - held.memoryBytes());
            try (LineFiles last = files.after(ordering, held.source())) {
                LineTally ordered = clock.timed("by count", () -> order(ordering, last, counted));
                clock.run("publish", () -> last.publish(ordered));
            }
        }
        List<SortReport.Phase> phases = new ArrayList<>(report.phases());
        phases.addAll(clock.phases());
        return new SortReportBuilder(report).phases(phases).total(clock.total()).build();
    }

    private LineTally count(boolean isMerge, LineJob counting, LineFiles files) throws IOException {
        if (isMerge) {
            ExternalLineMerge merge = new ExternalLineMerge(counting, listener);
            LineTally counted = merge.merge(files);
            report = merge.report();
            return counted;
        }
        try (LineSorter sorter = sorters.build(counting.stringOrder(), counting.sortingThreads())) {
            ExternalLineSort sort = new ExternalLineSort(counting, sorter::argsort, listener);
            LineTally counted = sort.sort(files);
            report = sort.report();
            return counted;
        }
    }

    /// Sorts the counted lines. The listener has heard how far the sort has come when they were counted.
    private LineTally order(LineJob ordering, LineFiles files, LineTally counted) throws IOException {
        try (LineSorter sorter = sorters.build(ordering.stringOrder(), ordering.sortingThreads())) {
            ExternalLineSort sort = new ExternalLineSort(ordering, sorter::argsort, new FileListener() {});
            LineTally ordered = sort.sort(files);
            sort.checkBehind(counted);
            return ordered;
        }
    }
}
