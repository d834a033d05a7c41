package io.samplesort;

import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;

/// What the testkit's types are to the library.
public final class ContractTypes {
    private ContractTypes() {}

    public static ElementType elementType(KeyType type) {
        return type == null ? null : ElementType.of(type.layout());
    }

    public static Order order(KeyType type, boolean isDescending) {
        Order order = type.isUnsigned() ? Order.unsigned() : Order.natural();
        return isDescending ? order.reversed() : order;
    }
}
