/// What the plug-in puts into the plans of Spark SQL: the rule that replaces sorts, the node that sorts the rows of
/// each partition, and what EXPLAIN says of both.
package io.samplesort.spark.plan;
