/// What stands on the command line: options that several commands share, converters of their values, and the layout of
/// the help.
package io.samplesort.cli.options;
