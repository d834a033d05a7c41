package io.samplesort.spark.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.ExtendedExplainGenerator;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper;
import scala.runtime.BoxedUnit;

/// What `EXPLAIN` says about the sorts of a plan: whether samplesort or Spark does each of them, and the reason if it
/// is Spark. Spark finds this class by `spark.sql.extendedExplainProviders`.
public final class SortExplanation implements ExtendedExplainGenerator, AdaptiveSparkPlanHelper {
    private static final int FIELDS = 25;

    @Override
    public String title() {
        return "samplesort";
    }

    @Override
    public String generateExtendedInfo(SparkPlan plan) {
        if (!ReplaceSorts.isEnabled(plan.conf())) {
            return ReplaceSorts.ENABLED_SETTING + " is false, so Spark does all sorts.\n";
        }
        List<String> lines = new ArrayList<>();
        foreach(plan, node -> {
            if (node instanceof SampleSortExec) {
                lines.add(node.simpleString(FIELDS));
            } else if (node instanceof SortExec sort) {
                String reason = SortChoice.of(sort.sortOrder(), sort.child()).reason();
                lines.add(sort.simpleString(FIELDS) + " is left to Spark, since " + reason);
            }
            return BoxedUnit.UNIT;
        });
        return lines.isEmpty() ? "The plan has no sorts.\n" : String.join("\n", lines) + "\n";
    }
}
