/// What a block of elements is: arrays of numbers, pairs of arrays, and bytes of records, with the order of their keys.
package io.samplesort.spark.blocks;
