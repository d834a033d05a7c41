import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Choices for runs: combinations of several settings with a few values each, in which every pair of values of two
/// settings occurs. That is far fewer than all combinations, and finds what depends on two settings.
final class Settings {
    private static final int TRIES = 50;
    private static final int QUICK_PART = 6;

    private Settings() {}

    /// Returns combinations, each with the index of a value for each setting. If only small files are sorted, these are
    /// the first sixth of all, which has most pairs.
    ///
    /// @param counts how many values each setting has
    static List<int[]> of(Place place, int... counts) {
        List<int[]> rows = pairs(counts);
        return place.sorts(Place.MEDIUM) ? rows : rows.subList(0, rows.size() / QUICK_PART);
    }

    private static List<int[]> pairs(int... counts) {
        SplittableRandom random = new SplittableRandom(1);
        boolean[][][][] isSeen = new boolean[counts.length][counts.length][][];
        int left = 0;
        for (int a = 0; a < counts.length; a++) {
            for (int b = a + 1; b < counts.length; b++) {
                isSeen[a][b] = new boolean[counts[a]][counts[b]];
                left += counts[a] * counts[b];
            }
        }
        List<int[]> rows = new ArrayList<>();
        while (left > 0) {
            int[] best = null;
            int bestGain = 0;
            // A pair is taken from what is left, so that each row gains something.
            for (int i = 0; i < TRIES || best == null; i++) {
                int[] row = new int[counts.length];
                for (int a = 0; a < row.length; a++) {
                    row[a] = random.nextInt(counts[a]);
                }
                int gain = visit(isSeen, row, false);
                if (gain > bestGain) {
                    best = row;
                    bestGain = gain;
                }
            }
            left -= visit(isSeen, best, true);
            rows.add(best);
        }
        return rows;
    }

    private static int visit(boolean[][][][] isSeen, int[] row, boolean marks) {
        int gain = 0;
        for (int a = 0; a < row.length; a++) {
            for (int b = a + 1; b < row.length; b++) {
                if (!isSeen[a][b][row[a]][row[b]]) {
                    gain++;
                    isSeen[a][b][row[a]][row[b]] |= marks;
                }
            }
        }
        return gain;
    }
}
