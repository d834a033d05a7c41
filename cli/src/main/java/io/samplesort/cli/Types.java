package io.samplesort.cli;

import io.samplesort.ElementType;
import io.samplesort.Order;
import io.samplesort.testkit.KeyType;

/// What a type of the command line is to the library.
final class Types {
    private Types() {}

    static ElementType elementType(KeyType type) {
        return ElementType.of(type.layout());
    }

    static Order order(KeyType type, boolean isDescending) {
        Order ascending = type.isUnsigned() ? Order.unsigned() : Order.natural();
        return isDescending ? ascending.reversed() : ascending;
    }
}
