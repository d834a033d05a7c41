/// The plug-in's parts in the plans of Spark SQL: the rule that replaces sorts, the node that sorts the rows of each
/// partition, and what EXPLAIN says about both.
package io.samplesort.spark.plan;
