package io.samplesort.bench.sorted;

import io.samplesort.testkit.KeyType;

/// Operations on sorted arrays in plain Java, on one thread but for the merge.
interface JdkSorted {
    /// @throws IllegalArgumentException if there is nothing for keys of this type
    static JdkSorted of(KeyType key) {
        return switch (key) {
            case I32 -> new JdkInts();
            case I64 -> new JdkLongs();
            case F64 -> new JdkDoubles();
            default -> throw new IllegalArgumentException("keys of type " + key + ": give i32, i64 or f64");
        };
    }

    /// Appends both and sorts all.
    void merge(Object first, Object second, Object target);

    /// Writes distinct keys and how often they are there, and returns how many there are.
    int counts(Object keys, Object target, int[] counts);

    void lowerBounds(Object keys, Object queries, int[] bounds);

    /// Writes the union or the intersection, and returns how many keys it has.
    int combine(Object first, Object second, Object target, boolean isUnion);
}
