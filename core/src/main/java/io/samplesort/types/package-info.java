/// The values that describe a sort and its outcome: element types, orders, tuning, files, reports and errors.
package io.samplesort.types;
