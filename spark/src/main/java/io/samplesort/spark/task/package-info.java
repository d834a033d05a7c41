/// The resources of a task on its executor: the device to sort on, sorters, memory that Spark grants, and temporary
/// files.
package io.samplesort.spark.task;
