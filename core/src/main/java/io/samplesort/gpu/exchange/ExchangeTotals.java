package io.samplesort.gpu.exchange;

import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a sort on several GPUs took, all GPUs together.
///
/// @param passes        of the GPU that made most
/// @param largestBucket of all GPUs
record ExchangeTotals(int passes, long bytesMoved, long extraBytes, long largestBucket, SortReport.Exchange exchange) {
    ExchangeTotals withLargestBucket(long largest) {
        return new ExchangeTotals(passes, bytesMoved, extraBytes, largest, exchange);
    }

    /// Reports a sort that has ended.
    ///
    /// @param totals null if there was nothing to sort
    static SortReport report(
            ExchangeTotals totals, List<ExchangeMember> members, long count, ExchangeClock clock, boolean isTimed) {
        SortReportBuilder report = new SortReportBuilder(members.stream()
                        .map(member -> member.gpu().sort().device())
                        .collect(Collectors.joining(", ")))
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
