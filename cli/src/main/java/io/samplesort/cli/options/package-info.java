/// Parts of the command line: options that several commands share, and the layout of the help.
package io.samplesort.cli.options;
