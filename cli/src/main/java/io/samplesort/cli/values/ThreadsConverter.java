package io.samplesort.cli.values;

/// Reads numbers of threads.
public final class ThreadsConverter extends TextConverter<Integer> {
    public ThreadsConverter() {
        super(ThreadsConverter::parse);
    }

    private static Integer parse(String text) {
        if (!text.matches("0*[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("'" + text + "' threads: write a whole number from 1 on, such as 4");
        }
        return Integer.valueOf(text);
    }
}
