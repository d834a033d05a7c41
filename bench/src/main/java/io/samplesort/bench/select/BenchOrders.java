package io.samplesort.bench.select;

import io.samplesort.testkit.KeyType;
import io.samplesort.types.Order;

/// The order in which keys of a type are selected.
final class BenchOrders {
    private BenchOrders() {}

    static Order of(KeyType key) {
        return key.isUnsigned() ? Order.unsigned() : Order.natural();
    }
}
