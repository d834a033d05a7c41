package io.samplesort.cpu.lanes;

/// Merges two sorted runs from both ends at once. The two ends do not wait for each other, and no step has a branch
/// that a processor could mispredict, which takes half the time of a merge from one end.
final class TwoRuns {
    private TwoRuns() {}

    /// Merges `values[from..middle)` and `values[middle..to)` to `target[from..to)`.
    static void merge(long[] values, int from, int middle, int to, long[] target) {
        int i = from;
        int j = middle;
        int lastI = middle - 1;
        int lastJ = to - 1;
        int next = from;
        int last = to - 1;
        // In so many steps neither run can come to its end.
        for (int steps = steps(i, lastI, j, lastJ); steps > 0; steps = steps(i, lastI, j, lastJ)) {
            for (int step = 0; step < steps; step++) {
                long first = values[i];
                long second = values[j];
                int takesSecond = second < first ? 1 : 0;
                target[next++] = Math.min(first, second);
                i += 1 - takesSecond;
                j += takesSecond;
                long endOfFirst = values[lastI];
                long endOfSecond = values[lastJ];
                int takesFirst = endOfFirst > endOfSecond ? 1 : 0;
                target[last--] = Math.max(endOfFirst, endOfSecond);
                lastI -= takesFirst;
                lastJ -= 1 - takesFirst;
            }
        }
        while (i <= lastI && j <= lastJ) {
            target[next++] = values[j] < values[i] ? values[j++] : values[i++];
        }
        System.arraycopy(values, i, target, next, lastI - i + 1);
        System.arraycopy(values, j, target, next + lastI - i + 1, lastJ - j + 1);
    }

    /// Merges ints, as longs.
    static void merge(int[] values, int from, int middle, int to, int[] target) {
        int i = from;
        int j = middle;
        int lastI = middle - 1;
        int lastJ = to - 1;
        int next = from;
        int last = to - 1;
        for (int steps = steps(i, lastI, j, lastJ); steps > 0; steps = steps(i, lastI, j, lastJ)) {
            for (int step = 0; step < steps; step++) {
                int first = values[i];
                int second = values[j];
                int takesSecond = second < first ? 1 : 0;
                target[next++] = Math.min(first, second);
                i += 1 - takesSecond;
                j += takesSecond;
                int endOfFirst = values[lastI];
                int endOfSecond = values[lastJ];
                int takesFirst = endOfFirst > endOfSecond ? 1 : 0;
                target[last--] = Math.max(endOfFirst, endOfSecond);
                lastI -= takesFirst;
                lastJ -= 1 - takesFirst;
            }
        }
        while (i <= lastI && j <= lastJ) {
            target[next++] = values[j] < values[i] ? values[j++] : values[i++];
        }
        System.arraycopy(values, i, target, next, lastI - i + 1);
        System.arraycopy(values, j, target, next + lastI - i + 1, lastJ - j + 1);
    }

    private static int steps(int i, int lastI, int j, int lastJ) {
        return Math.min(lastI - i + 1, lastJ - j + 1) / 2;
    }
}
