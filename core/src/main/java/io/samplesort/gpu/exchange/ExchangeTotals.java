package io.samplesort.gpu.exchange;

import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.util.List;
import java.util.Optional;

/// What a sort on several GPUs took, all GPUs together.
///
/// @param passes        the passes of the GPU that made most
/// @param largestBucket the largest bucket of all GPUs
record ExchangeTotals(int passes, long bytesMoved, long extraBytes, long largestBucket, SortReport.Exchange exchange) {
    ExchangeTotals withLargestBucket(long largest) {
        return new ExchangeTotals(passes, bytesMoved, extraBytes, largest, exchange);
    }

    /// Returns the report of a sort that has ended.
    ///
    /// @param totals null if there was nothing to sort
    static SortReport report(
            ExchangeTotals totals, List<ExchangeMember> members, long count, ExchangeClock clock, boolean isTimed) {
        StringBuilder devices = new StringBuilder();
        for (ExchangeMember member : members) {
            devices.append(devices.isEmpty() ? "" : ", ")
                    .append(member.gpu().sort().device());
        }
        SortReportBuilder report = new SortReportBuilder(devices.toString())
                .elementCount(count)
                .phases(isTimed ? clock.phases() : List.of())
                .total(clock.total());
        if (totals != null) {
            report.passes(totals.passes)
                    .bytesMoved(totals.bytesMoved)
                    .extraBytes(totals.extraBytes)
                    .largestBucket(totals.largestBucket)
                    .exchange(Optional.of(totals.exchange));
        }
        return report.build();
    }
}
