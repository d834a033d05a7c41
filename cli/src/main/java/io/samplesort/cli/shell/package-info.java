/// Completion for shells, and manual pages. Both are made from the command's own description, so that no option is
/// written down twice.
package io.samplesort.cli.shell;
