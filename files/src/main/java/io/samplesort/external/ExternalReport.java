package io.samplesort.external;

import io.samplesort.disk.Pipeline;
import io.samplesort.files.types.FilePlan;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Makes one report out of those of the sorts of all parts of a file.
final class ExternalReport {
    private final List<SortReport.Phase> phases = new ArrayList<>();
    private SortReport sum;

    /// Adds a phase that all parts have been through.
    void phase(String name, Duration time) {
        phases.add(new SortReport.Phase(name, time));
    }

    /// Adds the sort of one part.
    void add(SortReport part) {
        sum = sum == null ? part : sum(sum, part);
    }

    private static SortReport sum(SortReport a, SortReport b) {
        // The device is that of the first part: the last part may be short and sorted elsewhere.
        SortReportBuilder sum = new SortReportBuilder(a)
                .passes(Math.max(a.passes(), b.passes()))
                .bytesMoved(a.bytesMoved() + b.bytesMoved())
                .extraBytes(Math.max(a.extraBytes(), b.extraBytes()))
                .largestBucket(Math.max(a.largestBucket(), b.largestBucket()));
        if (a.fallbackReason().isEmpty()) {
            b.fallbackReason().ifPresent(sum::fallbackReason);
        }
        return sum.build();
    }

    /// Returns the report of the whole sort.
    SortReport of(FilePlan plan, Pipeline pipeline, Duration total) {
        List<SortReport.Stage> stages = new ArrayList<>(List.of(
                stage("read", plan.readBytes(), pipeline, Pipeline.Stage.READ),
                stage("sort", plan.sortedBytes(), pipeline, Pipeline.Stage.SORT)));
        if (plan.outputBytes() > 0) {
            stages.add(stage("write", plan.writtenBytes(), pipeline, Pipeline.Stage.WRITE));
        }
        return new SortReportBuilder(sum)
                .elementCount(plan.elementCount())
                .phases(phases.isEmpty() ? sum.phases() : phases)
                .total(total)
                .stages(stages)
                .build();
    }

    private static SortReport.Stage stage(String name, long bytes, Pipeline pipeline, Pipeline.Stage stage) {
        return new SortReport.Stage(name, bytes, pipeline.busy(stage), pipeline.waiting(stage));
    }
}
