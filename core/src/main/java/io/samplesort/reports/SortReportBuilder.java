package io.samplesort.reports;

import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Makes a [SortReport] step by step. Values that are not set are 0 or empty.
public final class SortReportBuilder {
    private final String device;
    private long elementCount;
    private int passes;
    private List<SortReport.Phase> phases = List.of();
    private Duration total = Duration.ZERO;
    private long bytesMoved;
    private long extraBytes;
    private long largestBucket;
    private List<SortReport.Stage> stages = List.of();
    private Optional<SortReport.Exchange> exchange = Optional.empty();
    private Optional<String> fallbackReason = Optional.empty();

    /// Begins a report of a sort on the device of this name.
    public SortReportBuilder(String device) {
        this.device = device;
    }

    /// Begins with all that another report says.
    public SortReportBuilder(SortReport report) {
        this.device = report.device();
        this.elementCount = report.elementCount();
        this.passes = report.passes();
        this.phases = report.phases();
        this.total = report.total();
        this.bytesMoved = report.bytesMoved();
        this.extraBytes = report.extraBytes();
        this.largestBucket = report.largestBucket();
        this.stages = report.stages();
        this.exchange = report.exchange();
        this.fallbackReason = report.fallbackReason();
    }

    /// Sets how many elements were sorted.
    public SortReportBuilder elementCount(long elementCount) {
        this.elementCount = elementCount;
        return this;
    }

    /// Sets how many distribution passes there were.
    public SortReportBuilder passes(int passes) {
        this.passes = passes;
        return this;
    }

    /// Sets the phases in the order they ran.
    public SortReportBuilder phases(List<SortReport.Phase> phases) {
        this.phases = phases;
        return this;
    }

    /// Sets the wall time from call to return.
    public SortReportBuilder total(Duration total) {
        this.total = total;
        return this;
    }

    /// Sets how many bytes the phases read and wrote.
    public SortReportBuilder bytesMoved(long bytesMoved) {
        this.bytesMoved = bytesMoved;
        return this;
    }

    /// Sets how many bytes were allocated in addition to the input.
    public SortReportBuilder extraBytes(long extraBytes) {
        this.extraBytes = extraBytes;
        return this;
    }

    /// Sets the size of the largest bucket after the last pass.
    public SortReportBuilder largestBucket(long largestBucket) {
        this.largestBucket = largestBucket;
        return this;
    }

    /// Sets the stages of the pipeline.
    public SortReportBuilder stages(List<SortReport.Stage> stages) {
        this.stages = stages;
        return this;
    }

    /// Sets what several GPUs have exchanged; empty where they have not.
    public SortReportBuilder exchange(Optional<SortReport.Exchange> exchange) {
        this.exchange = exchange;
        return this;
    }

    /// Sets why the CPU sorted though a GPU was wanted.
    public SortReportBuilder fallbackReason(String reason) {
        this.fallbackReason = Optional.of(reason);
        return this;
    }

    /// Returns the report.
    public SortReport build() {
        return new Report(
                device,
                elementCount,
                passes,
                phases,
                total,
                bytesMoved,
                extraBytes,
                largestBucket,
                stages,
                exchange,
                fallbackReason);
    }

    private record Report(
            String device,
            long elementCount,
            int passes,
            List<Phase> phases,
            Duration total,
            long bytesMoved,
            long extraBytes,
            long largestBucket,
            List<Stage> stages,
            Optional<Exchange> exchange,
            Optional<String> fallbackReason)
            implements SortReport {
        Report {
            phases = List.copyOf(phases);
            stages = List.copyOf(stages);
        }
    }
}
