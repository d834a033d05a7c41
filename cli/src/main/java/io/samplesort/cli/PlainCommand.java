package io.samplesort.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

/// A command that can be read without the parser, whose options are annotations: Java makes classes for each kind of
/// these and reads them all, which takes several times as long as all else in a sort of a small file. Such a command
/// knows its most usual options by itself, and leaves all other words, and whatever is wrong, to the parser.
interface PlainCommand extends Callable<Integer> {
    /// Says where a command prints that was read without the parser.
    void printTo(PrintWriter out, PrintWriter err);

    @Override
    Integer call() throws IOException;
}
