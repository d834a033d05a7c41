package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.time.LocalTime;
import java.util.List;

/// Prints the requests in a log grouped by visitor, in the order in which the visitors first came, and those of each
/// visitor by time. Requests of the same second stay in the order of the log. One call sorts the requests of all
/// visitors, of whom a real log has millions, most with a few requests and some with very many.
///
/// Run it with `examples/run SortVisits`. It prints:
///
/// ```
/// 10.0.0.7: /index /search /cart
/// 10.0.0.2: /login /index
/// 10.0.0.9: /index
/// ```
public final class SortVisits {
    private static final List<String> LOG = List.of(
            "10.0.0.7 08:00:05 /search",
            "10.0.0.2 08:00:09 /index",
            "10.0.0.7 08:00:01 /index",
            "10.0.0.9 08:00:02 /index",
            "10.0.0.2 08:00:03 /login",
            "10.0.0.7 08:00:05 /cart");

    public static void main(String[] arguments) {
        String[][] requests = LOG.stream().map(line -> line.split(" ")).toArray(String[][]::new);
        List<String> visitors = LOG.stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .distinct()
                .toList();
        int[] lengths = new int[visitors.size()];
        for (String[] request : requests) {
            lengths[visitors.indexOf(request[0])]++;
        }
        SegmentOffsets segments = SegmentOffsets.ofLengths(lengths);

        // The requests of each visitor come to a segment: the times are keys, and the numbers of the lines payloads.
        int[] times = new int[requests.length];
        int[] lines = new int[requests.length];
        int[] filled = new int[visitors.size()];
        for (int line = 0; line < requests.length; line++) {
            int visitor = visitors.indexOf(requests[line][0]);
            int place = (int) segments.offset(visitor) + filled[visitor]++;
            times[place] = LocalTime.parse(requests[line][1]).toSecondOfDay();
            lines[place] = line;
        }
        try (SegmentedSorter sorter =
                SampleSort.onBestDevice().payload(ElementType.INT).stable().buildSegmented(ElementType.INT)) {
            sorter.sort(MemorySegment.ofArray(times), segments, MemorySegment.ofArray(lines));
        }

        for (int visitor = 0; visitor < visitors.size(); visitor++) {
            StringBuilder pages = new StringBuilder(visitors.get(visitor)).append(':');
            for (long place = segments.offset(visitor); place < segments.offset(visitor + 1L); place++) {
                pages.append(' ').append(requests[lines[(int) place]][2]);
            }
            System.out.println(pages);
        }
    }
}
