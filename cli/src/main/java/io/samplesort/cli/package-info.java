/// The command: [Main], and one class for each subcommand. The class of a subcommand lists its options, what it checks,
/// what it does and what it prints, in this order.
package io.samplesort.cli;
