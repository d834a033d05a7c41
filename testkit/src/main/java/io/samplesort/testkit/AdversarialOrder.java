package io.samplesort.testkit;

import java.util.Arrays;
import java.util.Comparator;

/// A comparator that decides while it is asked, so that the sort at hand finds out as late as possible: M. D. McIlroy's
/// killer adversary for quicksort (1999). It compares the numbers below `count`. All of them are "gas", greater than
/// any number that has a value; of two that are gas, the one that looks like a pivot gets the next value.
///
/// Its answers never contradict each other, so a correct sort ends, with the elements in the order that [#compare] has
/// from then on. Only one sort at a time may use it; its methods are synchronized for sorts with several threads.
public final class AdversarialOrder implements Comparator<Integer> {
    private final int[] values;
    private final int gas;
    private int solid;
    private int candidate;
    private long comparisons;

    public AdversarialOrder(int count) {
        this.values = new int[count];
        this.gas = count;
        Arrays.fill(values, gas);
    }

    @Override
    public synchronized int compare(Integer a, Integer b) {
        comparisons++;
        if (values[a] == gas && values[b] == gas && !a.equals(b)) {
            int frozen = a == candidate ? a : b;
            values[frozen] = solid++;
        }
        if (values[a] == gas) {
            candidate = a;
        } else if (values[b] == gas) {
            candidate = b;
        }
        return Integer.compare(values[a], values[b]);
    }

    /// Returns how many questions were asked.
    public synchronized long comparisons() {
        return comparisons;
    }
}
