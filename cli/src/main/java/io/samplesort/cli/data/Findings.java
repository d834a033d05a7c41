package io.samplesort.cli.data;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.StabilityCheck;
import io.samplesort.testkit.StabilityCheck.Column;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;

/// The result of a check of a sorted file.
///
/// @param violation          the first index whose element should come after the next
/// @param sameElements       whether the elements are those of the input; null if not checked
/// @param stabilityViolation an index where a stable sort would put another element; null if not checked, or if the
///     elements are out of order or differ from those of the input, so that the question makes no sense
public record Findings(OptionalLong violation, Boolean sameElements, OptionalLong stabilityViolation) {
    /// Checks a file by itself.
    public static Findings of(Elements elements, MemorySegment sorted) {
        return new Findings(elements.firstViolation(sorted), null, null);
    }

    /// Checks a file against the input of the sort.
    ///
    /// @param payloads one column, or none
    public static Findings of(Elements elements, Column keys, List<Column> payloads, boolean isStable) {
        OptionalLong violation = elements.firstViolation(keys.sorted());
        boolean sameElements = keys.sorted().byteSize() == keys.original().byteSize()
                && fingerprint(keys, payloads, true).equals(fingerprint(keys, payloads, false));
        OptionalLong stabilityViolation = isStable && sameElements && violation.isEmpty()
                ? StabilityCheck.violation(keys, payloads, elements.comparator())
                : null;
        return new Findings(violation, sameElements, stabilityViolation);
    }

    private static Fingerprint fingerprint(Column keys, List<Column> payloads, boolean isSorted) {
        MemorySegment keysThen = isSorted ? keys.sorted() : keys.original();
        if (payloads.isEmpty()) {
            return Fingerprint.of(keysThen, keys.byteSize());
        }
        Column payload = payloads.getFirst();
        return Fingerprint.of(
                keysThen, keys.byteSize(), isSorted ? payload.sorted() : payload.original(), payload.byteSize());
    }

    /// Returns whether everything that was checked is as it should be.
    public boolean isGood() {
        return violation.isEmpty()
                && !Boolean.FALSE.equals(sameElements)
                && (stabilityViolation == null || stabilityViolation.isEmpty());
    }
}
