package io.samplesort.spark.plan;

import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;

/// Lets samplesort do the sorts of a plan that it can do.
///
/// Spark runs this rule in two places. With adaptive execution, it is the last of the rules that prepare a plan, each
/// time that Spark plans the rest of a query anew. It comes after the rules that add sorts and those that look for
/// sorts. Without adaptive execution, it is among the rules for columnar execution, which come before code is
/// generated.
public final class ReplaceSorts extends Rule<SparkPlan> {
    /// The setting of a session that turns the rule off: `true` by default.
    public static final String ENABLED_SETTING = "spark.samplesort.enabled";

    private static final Logger LOG = LoggerFactory.getLogger(ReplaceSorts.class);

    private static final PartialFunction<SparkPlan, SparkPlan> REPLACE = new AbstractPartialFunction<>() {
        @Override
        public boolean isDefinedAt(SparkPlan node) {
            return node instanceof SortExec;
        }

        @Override
        public SparkPlan apply(SparkPlan node) {
            SortExec sort = (SortExec) node;
            SortChoice choice = SortChoice.of(sort.sortOrder(), sort.child());
            if (choice.isOurs()) {
                LOG.debug("samplesort does: {}", sort.simpleString(25));
                return SampleSortExec.of(sort);
            }
            LOG.info("Spark does: {}, since {}", sort.simpleString(25), choice.reason());
            return sort;
        }
    };

    /// Returns whether the session wants its sorts replaced.
    ///
    /// @throws IllegalArgumentException if the setting has another value than `true` or `false`
    static boolean isEnabled(org.apache.spark.sql.internal.SQLConf settings) {
        String value = settings.getConfString(ENABLED_SETTING, "true");
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(ENABLED_SETTING + " is '" + value + "': use true or false");
        };
    }

    @Override
    public SparkPlan apply(SparkPlan plan) {
        return isEnabled(conf()) ? plan.transformUp(REPLACE) : plan;
    }

    /// Returns the rule in the form of a rule for columnar execution.
    public static ColumnarRule beforeCodeGeneration() {
        return new ColumnarRule() {
            @Override
            public Rule<SparkPlan> postColumnarTransitions() {
                return new ReplaceSorts();
            }
        };
    }
}
