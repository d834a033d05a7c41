/// Files of records of one size, read and written as blocks in any file system that Spark knows.
package io.samplesort.spark.files;
