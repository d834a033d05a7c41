package io.samplesort.kernels.making;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.Arrays;
import java.util.Random;

/// Sorts on the GPU in several orders, in a process of its own, and prints what became of it.
final class ReadySort {
    private ReadySort() {}

    /// @param arguments `all`, or `int` for the first alone
    public static void main(String[] arguments) {
        trySort("int", Order.natural());
        if (arguments[0].equals("int")) {
            return;
        }
        trySort("reversed", Order.natural().reversed());
        trySort("custom", Order.custom("b < a", (a, b) -> 0));
    }

    private static void trySort(String name, Order order) {
        int[] keys = new Random(1).ints(5000).toArray();
        int[] expected = keys.clone();
        Arrays.sort(expected);
        try (Sorter sorter = SampleSort.onGpu().order(order).build(ElementType.INT)) {
            String device = sorter.sort(keys).device();
            if (name.equals("int") && !Arrays.equals(keys, expected)) {
                throw new AssertionError("the keys are not sorted");
            }
            System.out.println(name + ": " + device + ", compiled in " + sorter.compileTime());
        } catch (GpuUnavailableException e) {
            System.out.println(name + ": " + e.getMessage());
        }
    }
}
