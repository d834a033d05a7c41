package io.samplesort.spark.blocks;

import java.io.Serializable;
import java.util.Objects;

/// A block of keys with their payloads: payload i belongs to key i.
///
/// @param keys     an array of keys, such as a `long[]`
/// @param payloads an array of as many payloads
public record Pairs<K, P>(K keys, P payloads) implements Serializable {
    private static final long serialVersionUID = 1;

    public Pairs {
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(payloads, "payloads");
    }
}
