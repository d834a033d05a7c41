package io.samplesort.spark;

import io.samplesort.spark.plan.ReplaceSorts;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/// Lets samplesort do the sorts of Spark SQL that it can do:
/// `spark.sql.extensions=io.samplesort.spark.SampleSortExtensions`. [SampleSortPlugin] sets this, and makes `EXPLAIN`
/// say why samplesort leaves a sort to Spark.
public final class SampleSortExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        extensions.injectQueryStagePrepRule(session -> new ReplaceSorts());
        extensions.injectColumnar(session -> ReplaceSorts.beforeCodeGeneration());
        return BoxedUnit.UNIT;
    }
}
