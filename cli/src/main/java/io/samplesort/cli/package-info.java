/// The command: [Main], and one class for each subcommand. A subcommand reads as its options, what it checks, what it
/// does and what it prints.
package io.samplesort.cli;
