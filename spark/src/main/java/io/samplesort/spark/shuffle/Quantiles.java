package io.samplesort.spark.shuffle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Chooses splitters from a sample.
public final class Quantiles {
    private Quantiles() {}

    /// Returns the elements of a sample where parts of about the same size begin: one fewer than there are parts, or
    /// none if the sample is empty.
    ///
    /// @param inOrder the sample, which is in order
    /// @param weight  how many elements of the input each element of the sample stands for
    public static <T> List<T> of(List<T> inOrder, ToDoubleFunction<T> weight, int parts) {
        double total = inOrder.stream().mapToDouble(weight).sum();
        List<T> chosen = new ArrayList<>(parts - 1);
        double before = 0;
        for (T element : inOrder) {
            double own = weight.applyAsDouble(element);
            while (chosen.size() < parts - 1 && before + own / 2 >= total * (chosen.size() + 1) / parts) {
                chosen.add(element);
            }
            before += own;
        }
        return chosen;
    }
}
