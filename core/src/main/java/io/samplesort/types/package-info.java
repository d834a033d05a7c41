/// The values that describe a sort and its outcome: element types, orders, tuning and reports.
@NullMarked
package io.samplesort.types;

import org.jspecify.annotations.NullMarked;
