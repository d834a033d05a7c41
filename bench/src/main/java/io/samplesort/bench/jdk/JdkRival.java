package io.samplesort.bench.jdk;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// One kind of call, and what a Java user would write instead of it.
///
/// @param name       what is sorted, such as `long` or `argsort-double`
/// @param areObjects whether the elements are objects, which may lie in memory in another order than in the array
/// @param make       makes an input of keys that are spread over all longs
/// @param copy       copies an input
/// @param ours       sorts a copy, and returns the array or the indexes
/// @param theirs     does the same with the JDK; indexes may be of another type
/// @param <A>        the type of an input
record JdkRival<A>(
        String name,
        boolean areObjects,
        Function<long[], A> make,
        UnaryOperator<A> copy,
        Function<A, Object> ours,
        Function<A, Object> theirs) {

    boolean takes(JdkInput input) {
        return areObjects || input != JdkInput.SCATTERED;
    }

    /// Returns an input of this shape.
    @SuppressWarnings("unchecked") // The JDK sorts an array of objects itself, and returns it.
    A draw(JdkInput input, int count, SplittableRandom random) {
        A drawn = make.apply(input.keys(count, random));
        return input == JdkInput.SCATTERED ? (A) theirs.apply(drawn) : drawn;
    }

    /// Returns whether our result is the same as that of the JDK: bit for bit, and for objects the very same ones.
    static boolean isSame(Object ours, Object theirs) {
        if (ours instanceof int[] indexes && theirs instanceof Integer[] boxed) {
            return isEach(indexes.length, boxed.length, i -> indexes[i] == boxed[i]);
        }
        if (ours instanceof int[] indexes && theirs instanceof long[] packed) {
            return isEach(indexes.length, packed.length, i -> indexes[i] == (int) packed[i]);
        }
        if (ours instanceof Object[] objects && theirs instanceof Object[] expected) {
            return isEach(objects.length, expected.length, i -> isTheVerySame(objects[i], expected[i]));
        }
        return Objects.deepEquals(ours, theirs);
    }

    @SuppressWarnings("ReferenceEquality") // A stable sort has the very same objects.
    private static boolean isTheVerySame(Object one, Object other) {
        return one == other;
    }

    private static boolean isEach(int count, int expected, IntPredicate isSame) {
        return count == expected && IntStream.range(0, count).allMatch(isSame);
    }
}
