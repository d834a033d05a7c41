package io.samplesort.lines.runs;

import io.samplesort.lines.keys.LineKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Divides the lines of sorted runs into parts of about the same size, between splitters. A part begins in each run at
/// the first line that is not before its splitter, so equal lines meet in one part. A splitter is the beginning of a
/// key, which divides lines as well as a whole key.
final class RunDivision {
    /// A search for a place in a run reads this much of it at a time.
    static final int PROBE_BYTES = 4 << 10;

    /// Splitters are no longer than this. Lines whose keys have more in common than that stay in one part.
    private static final int LONGEST_SPLITTER = 256;

    private static final int MOST_PARTS = 1 << 16;
    private static final int SAMPLES_OF_A_PART = 8;

    /// A cut through all runs: where the lines that are not before a splitter begin in each of them.
    ///
    /// @param marks the last mark in each run whose line is before the splitter; -1 if there is none
    private record Cut(long[] positions, int[] marks) {}

    /// The lines from one cut to the next.
    ///
    /// @param commonBytes how many bytes all keys have in common at their beginning
    record Part(Cut first, Cut end, int commonBytes) {
        /// Returns where the first line is in a run.
        long from(int run) {
            return first.positions[run];
        }

        /// Returns where the last line ends in a run.
        long to(int run) {
            return end.positions[run];
        }
    }

    private final List<LineRun> runs;
    private final boolean isReversed;
    private final List<byte[]> splitters;
    private final Object[] locks;
    /// The cuts that one of the two adjacent parts has asked for, but not yet the other.
    private final Map<Integer, Cut> cuts = new ConcurrentHashMap<>();

    /// Chooses where to divide the lines. A single thread takes them all as one part.
    RunDivision(List<LineRun> runs, LineKeys keys, byte terminator, MergePlan plan) throws IOException {
        this.runs = runs;
        this.isReversed = keys.order().isReversed();
        this.splitters = plan.threads() == 1
                ? List.of()
                : splitters(plan, new LineCursor(null, keys.copy(), terminator, PROBE_BYTES));
        this.locks = new Object[plan.threads() + 1];
        Arrays.setAll(locks, i -> new Object());
    }

    int parts() {
        return splitters.size() + 1;
    }

    /// Chooses keys that divide the lines into parts of about the same size.
    private List<byte[]> splitters(MergePlan plan, LineCursor probe) throws IOException {
        long bytes = runs.stream().mapToLong(LineRun::byteSize).sum();
        // Parts differ in size, and each is to fit in a block.
        long partBytes = Math.max(plan.blockBytes() / 4 * 3, 1);
        int parts = (int) Math.min(MOST_PARTS, Math.ceilDiv(bytes, partBytes));
        int samples = parts * SAMPLES_OF_A_PART;
        List<byte[]> keysOfSample = new ArrayList<>();
        for (LineRun run : runs) {
            long wanted = Math.max(1, Math.ceilDiv(samples * run.byteSize(), bytes));
            int step = (int) Math.max(1, run.markCount() / wanted);
            for (int mark = 0; mark < run.markCount(); mark += step) {
                goTo(run, mark, probe);
                int length = Math.min(probe.keyTo() - probe.keyFrom(), LONGEST_SPLITTER);
                keysOfSample.add(Arrays.copyOfRange(probe.keyBytes(), probe.keyFrom(), probe.keyFrom() + length));
            }
        }
        keysOfSample.sort(this::compare);
        List<byte[]> chosen = new ArrayList<>();
        for (int part = 1; part < parts; part++) {
            byte[] key = keysOfSample.get((int) ((long) part * keysOfSample.size() / parts));
            if (chosen.isEmpty() || compare(chosen.getLast(), key) < 0) {
                chosen.add(key);
            }
        }
        return chosen;
    }

    private int compare(byte[] key, byte[] other) {
        int ascending = Arrays.compareUnsigned(key, other);
        return isReversed ? -ascending : ascending;
    }

    /// Returns a part. Each is asked for once, in the order of their numbers.
    ///
    /// @param probe looks into the runs
    Part part(int number, LineCursor probe) throws IOException {
        Cut first = cut(number, null, probe);
        Cut end = cut(number + 1, first, probe);
        boolean isWithin = number > 0 && number < splitters.size();
        return new Part(first, end, isWithin ? common(splitters.get(number - 1), splitters.get(number)) : 0);
    }

    private static int common(byte[] one, byte[] other) {
        int different = Arrays.mismatch(one, other);
        return different < 0 ? one.length : different;
    }

    /// @param before an earlier cut, if one is known
    private Cut cut(int number, Cut before, LineCursor probe) throws IOException {
        if (number == 0) {
            int[] marks = new int[runs.size()];
            Arrays.fill(marks, -1);
            return new Cut(runs.stream().mapToLong(LineRun::from).toArray(), marks);
        }
        if (number > splitters.size()) {
            return new Cut(runs.stream().mapToLong(LineRun::to).toArray(), new int[runs.size()]);
        }
        // The two parts next to a cut both ask for it, and the second one takes what the first one has found.
        synchronized (locks[number % locks.length]) {
            Cut known = cuts.remove(number);
            if (known == null) {
                known = find(splitters.get(number - 1), before, probe);
                cuts.put(number, known);
            }
            return known;
        }
    }

    private Cut find(byte[] splitter, Cut before, LineCursor probe) throws IOException {
        Cut cut = new Cut(new long[runs.size()], new int[runs.size()]);
        for (int i = 0; i < runs.size(); i++) {
            LineRun run = runs.get(i);
            int mark = lastMarkBefore(run, splitter, before == null ? -1 : before.marks[i], probe);
            cut.marks[i] = mark;
            cut.positions[i] = mark < 0 ? run.from() : position(run, mark, splitter, probe);
        }
        return cut;
    }

    /// Returns the last mark whose line is before a splitter.
    ///
    /// @param known a mark whose line is before the splitter, or -1
    private int lastMarkBefore(LineRun run, byte[] splitter, int known, LineCursor probe) throws IOException {
        // The lines at marks up to `low` are before the splitter, and those at marks from `high` on are not.
        int low = known;
        int high = run.markCount();
        // If an earlier mark is known, the wanted one is near.
        for (int step = 1; known >= 0 && low + step < high; step *= 2) {
            if (!isBefore(run, low + step, splitter, probe)) {
                high = low + step;
                break;
            }
            low += step;
        }
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (isBefore(run, middle, splitter, probe)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean isBefore(LineRun run, int mark, byte[] splitter, LineCursor probe) throws IOException {
        goTo(run, mark, probe);
        return probe.compare(splitter, 0, splitter.length) < 0;
    }

    /// Returns the position of the first line that is not before a splitter.
    ///
    /// @param mark the last mark whose line is before the splitter
    private static long position(LineRun run, int mark, byte[] splitter, LineCursor probe) throws IOException {
        long position = run.mark(mark);
        long end = run.mark(mark + 1);
        RunInput input = goTo(run, mark, probe);
        while (probe.compare(splitter, 0, splitter.length) < 0) {
            position = probe.longLine() == null ? position + probe.lineBytes() : input.position();
            if (position == end || !probe.next()) {
                break;
            }
        }
        return position;
    }

    private static RunInput goTo(LineRun run, int mark, LineCursor probe) throws IOException {
        RunInput input = new RunInput(run, run.mark(mark), run.to(), bytes -> {});
        probe.restart(input);
        probe.next();
        return input;
    }
}
