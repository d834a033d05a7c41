/// What stands on the command line: groups of options that several commands share, and converters of their values.
package io.samplesort.cli.options;
