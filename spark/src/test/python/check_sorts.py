r"""Compares the sorts that samplesort_spark gives PySpark with PySpark's own.

The build does not run it, since PySpark comes with Spark's own distribution alone:

    mvn -q -pl spark -am package -DskipTests
    jars=$(echo core/target/samplesort-[0-9]*[0-9T].jar),$(echo cuda/target/samplesort-cuda-*[0-9T].jar)
    jars=$jars,$(echo files/target/samplesort-files-*[0-9T].jar),$(echo spark/target/samplesort-spark-*[0-9T].jar)
    spark-submit --conf spark.plugins=io.samplesort.spark.SampleSortPlugin \
        --jars $jars --py-files ${jars##*,} spark/src/test/python/check_sorts.py
"""

from pyspark.sql import SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import LongType
from samplesort_spark import sample_sort, sample_sort_within_partitions

ROWS = 20000


def main():
    spark = SparkSession.builder.appName("check_sorts").getOrCreate()
    try:
        table = make_table(spark)
        for check in (
            check_sorts,
            check_sorts_within_partitions,
            check_plug_in,
            check_errors,
            check_rows_of_python,
        ):
            check(spark, table)
            print(check.__name__ + ": right", flush=True)
    finally:
        spark.stop()


def make_table(spark):
    return spark.range(0, ROWS, 1, 4).selectExpr(
        "id",
        "if(id % 11 = 0, null, xxhash64(id) % 500) as number",
        "array(double('-0.0'), 0.0D, double('NaN'), cast(xxhash64(id) as double))[id % 4] as price",
        "if(id % 7 = 0, null, repeat(chr(cast(97 + id % 3 as int)), cast(id % 20 as int))) as name",
        "date_add(date'2020-02-28', cast(id % 1000 as int)) as day",
        "named_struct('x', id % 5, 'y', cast(id % 30 as string)) as pair",
    )


def same(found, expected):
    # As texts, since NaN is not equal to itself, and -0.0 is equal to 0.0.
    assert len(found) == len(expected), (len(found), len(expected))
    for i, (one, other) in enumerate(zip(found, expected)):
        assert repr(one) == repr(other), (i, one, other)


def check_sorts(_, table):
    orders = [
        (["number", "id"], [f.col("number"), f.col("id")]),
        (["price desc nulls last", "id desc"], [f.col("price").desc_nulls_last(), f.col("id").desc()]),
        (["name asc nulls last", "id"], [f.col("name").asc_nulls_last(), f.col("id")]),
        (["pair desc", "day", "id"], [f.col("pair").desc(), f.col("day"), f.col("id")]),
    ]
    for texts, columns in orders:
        ours = sample_sort(table, *texts)
        assert type(ours) is type(table), type(ours)
        assert ours.schema == table.schema
        same(ours.collect(), table.sort(*columns).collect())


def check_sorts_within_partitions(_, table):
    ours = sample_sort_within_partitions(table, "number desc", "id")
    same(ours.collect(), table.sortWithinPartitions(f.col("number").desc(), f.col("id")).collect())
    assert ours.rdd.getNumPartitions() == table.rdd.getNumPartitions()


def check_plug_in(spark, table):
    table.createOrReplaceTempView("t")
    query = spark.sql("select name, price, id from t order by name, price, id")
    plan = query._jdf.queryExecution().toString()
    assert "SampleSort [" in plan, plan
    ours = query.collect()
    spark.conf.set("spark.samplesort.enabled", "false")
    query = spark.sql("select name, price, id from t order by name, price, id")
    assert "SampleSort [" not in query._jdf.queryExecution().toString()
    same(ours, query.collect())
    spark.conf.set("spark.samplesort.enabled", "true")


def check_errors(_, table):
    fails(TypeError, lambda: sample_sort(table, f.col("id")), "is no text")
    fails(TypeError, lambda: sample_sort([1, 2], "id"), "no DataFrame of classic PySpark")
    fails(Exception, lambda: sample_sort(table), "no column to sort by")
    fails(Exception, lambda: sample_sort(table, "nobody"), "nobody")


def check_rows_of_python(spark, _):
    """Rows that Python makes and a function of Python computes, before and after the sort."""
    double = f.udf(lambda number: None if number is None else 2 * number, LongType())
    made = spark.createDataFrame([(i * 7919 % 1000, "row %d" % i) for i in range(1000)], "a long, b string")
    computed = made.select(double("a").alias("a"), "b")
    ours = sample_sort(computed, "a desc", "b").select(double("a"), "b")
    same(ours.collect(), computed.sort(f.col("a").desc(), f.col("b")).select(double("a"), "b").collect())


def fails(kind, action, text):
    try:
        action()
    except kind as e:
        assert text in str(e), str(e)
    else:
        raise AssertionError("no error with the text: " + text)


if __name__ == "__main__":
    main()
