package io.samplesort.cli.data;

import io.samplesort.cli.npy.NpyType;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// Numbers of one type.
///
/// @param keyType      their type
/// @param isDescending whether the greatest number comes first
public record Numbers(KeyType keyType, boolean isDescending) implements Elements {
    /// Checks that a header and an option say the same.
    ///
    /// @param said what the option says; null if it was left out
    static void checkSame(Path path, NpyType type, KeyType said, String option) {
        Optional<KeyType> number = type.keyType();
        if (said != null && !number.equals(Optional.of(said))) {
            String held = number.map(KeyType::toString).orElse(type.toString());
            throw new CommandFailure(path + " holds " + held + " elements by its header, but " + option + " says "
                    + said + ": leave " + option + " out");
        }
    }

    @Override
    public ElementType type() {
        return ElementType.of(keyType.layout());
    }

    @Override
    public Order order() {
        Order ascending = keyType.isUnsigned() ? Order.unsigned() : Order.natural();
        return isDescending ? ascending.reversed() : ascending;
    }

    @Override
    public String plural() {
        return keyType + " keys";
    }

    @Override
    public String singular() {
        return (keyType.isUnsigned() ? "a " : "an ") + keyType;
    }

    @Override
    public OptionalLong firstViolation(MemorySegment elements) {
        return ResultCheck.firstViolation(elements, keyType, isDescending);
    }

    @Override
    public String toString() {
        return keyType.toString();
    }
}
