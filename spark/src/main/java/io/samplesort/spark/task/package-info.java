/// What a task has on its executor: the device to sort on, sorters, memory that Spark grants, temporary files.
package io.samplesort.spark.task;
