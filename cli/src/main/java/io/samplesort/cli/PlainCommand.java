package io.samplesort.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

/// A command that can be read without the parser. The parser's options are annotations: Java makes classes for each
/// kind of them and reads them all, which takes several times as long as everything else in a sort of a small file. So
/// such a command reads its most usual options by itself, and leaves all other words, and whatever is wrong, to the
/// parser.
interface PlainCommand extends Callable<Integer> {
    /// Sets where a command that was read without the parser prints.
    void printTo(PrintWriter out, PrintWriter err);

    @Override
    Integer call() throws IOException;
}
