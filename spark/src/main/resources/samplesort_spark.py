"""Sorts of PySpark DataFrames with samplesort.

    from samplesort_spark import sample_sort

    by_price = sample_sort(trades, "symbol", "price desc nulls last")

The module lies in the jar samplesort-spark, from which PySpark imports it with
--packages io.samplesort:samplesort-spark:VERSION, or with the paths of the jars in --jars and of this one in --py-files.
"""

__all__ = ["sample_sort", "sample_sort_within_partitions"]


def sample_sort(df, *order):
    """Returns the rows in order, as DataFrame.sort does. Rows with equal keys may come in any order.

    df: a DataFrame, which stays as it is.
    order: the most important column first, each as "name", then "asc" or "desc", then "nulls first" or "nulls last".
        By default values ascend, and nulls come first where values ascend and last where they descend.

    Raises TypeError if df belongs to Spark Connect or a column is no text, RuntimeError if Spark does not find
    samplesort, and Spark's IllegalArgumentException if a text cannot be read, names no column, or the column's values
    cannot be compared.
    """
    return _sorted(df, "sort", order)


def sample_sort_within_partitions(df, *order):
    """Returns the rows with those of each partition in order, as DataFrame.sortWithinPartitions does.

    Rows with equal keys keep their order. The parameters and the errors are those of sample_sort.
    """
    return _sorted(df, "sortWithinPartitions", order)


def _sorted(df, method, order):
    for column in order:
        if not isinstance(column, str):
            raise TypeError(
                "%r is no text: name columns as in sample_sort(df, \"a\", \"b desc nulls last\")" % (column,)
            )
    rows = getattr(df, "_jdf", None)
    if rows is None:
        raise TypeError(
            "%s is no DataFrame of classic PySpark: samplesort needs the driver's own JVM, which Spark Connect"
            " does not show" % type(df).__name__
        )
    context = df.sparkSession.sparkContext
    sorts = context._jvm.io.samplesort.spark.SampleSortSpark
    if not callable(getattr(sorts, "_get_args", None)):
        raise RuntimeError(
            "Spark does not find io.samplesort.spark.SampleSortSpark: start it with"
            " --packages io.samplesort:samplesort-spark:VERSION, or name the jars of samplesort in --jars"
        )
    texts = context._gateway.new_array(context._jvm.java.lang.String, len(order))
    for i, column in enumerate(order):
        texts[i] = column
    return type(df)(getattr(sorts, method)(rows, texts), df.sparkSession)
