/// The values that describe a sort and its outcome: element types, orders, tuning and reports.
package io.samplesort.types;
