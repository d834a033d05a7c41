/// What shells and `man` tell of the command: completion and manual pages, made from the command's own description, so
/// that no option is written down twice.
package io.samplesort.cli.shell;
