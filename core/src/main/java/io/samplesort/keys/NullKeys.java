package io.samplesort.keys;

/// What is said of a key that is null though the order does not say where nulls come.
public final class NullKeys {
    private NullKeys() {}

    /// Returns the message of the error.
    ///
    /// @param number the number of the key, from 0
    /// @param where  which object it is of, as in " of the element at index 5"; may be empty
    public static String message(int number, String where) {
        return "key " + (number + 1) + where + " is null: say nullsFirst() or nullsLast() after it";
    }
}
