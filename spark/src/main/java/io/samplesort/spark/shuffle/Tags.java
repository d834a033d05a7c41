package io.samplesort.spark.shuffle;

import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/// What Spark's Scala methods want to know of types, which Java cannot tell.
public final class Tags {
    private Tags() {}

    /// Returns a tag for any type.
    @SuppressWarnings("unchecked") // as in Spark's own Java API: nobody makes an array of the tag's type
    public static <T> ClassTag<T> any() {
        return (ClassTag<T>) ClassTag$.MODULE$.apply(Object.class);
    }
}
