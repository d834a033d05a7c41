/// Values on the command line: what reads them, and says what is wrong with them.
package io.samplesort.cli.values;
