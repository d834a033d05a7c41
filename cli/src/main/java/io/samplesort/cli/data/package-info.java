/// What files hold: numbers and records, NumPy's headers, reading and writing, making new data and checking sorted
/// data.
package io.samplesort.cli.data;
