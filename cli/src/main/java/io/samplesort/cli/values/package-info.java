/// Readers of values on the command line, which say what is wrong with them.
package io.samplesort.cli.values;
