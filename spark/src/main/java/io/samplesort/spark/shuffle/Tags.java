package io.samplesort.spark.shuffle;

import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/// The tags of types that Spark's Scala methods need, which Java cannot derive.
public final class Tags {
    private Tags() {}

    /// Returns a tag for any type.
    @SuppressWarnings("unchecked") // as in Spark's own Java API: nobody makes an array of the tag's type
    public static <T> ClassTag<T> any() {
        return (ClassTag<T>) ClassTag$.MODULE$.apply(Object.class);
    }
}
