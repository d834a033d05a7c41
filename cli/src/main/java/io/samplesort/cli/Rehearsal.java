package io.samplesort.cli;

import io.samplesort.cli.data.RawText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs the most usual command lines once on small files, so that Java sees which classes they load. The launchers make
/// Java keep these in an archive, from which the command starts faster.
final class Rehearsal {
    private static final List<String> LINES = List.of(
            "--help",
            "--version",
            "sort --help",
            "sort --typo",
            "info",
            "generate keys --type u64 --count 1000",
            "sort keys -o sorted --type u64 --report",
            "sort keys -o sorted --type u64",
            "sort sorted --type u64",
            "sort keys -o sorted --type u64 --json",
            "verify sorted --type u64 --against keys",
            "argsort keys -o permutation.npy --type u64",
            "generate records --layout id:u64,price:f64 --count 1000",
            "sort records --layout id:u64,price:f64 --by price --stable",
            "generate text --lines words --count 50000",
            "lines text -o sorted --report",
            "lines text -o sorted",
            "lines text -k 1,1n -u -o sorted",
            "lines text -k 1,1f -r -u -o sorted --memory 64K");

    private Rehearsal() {}

    /// @param arguments the folder to work in
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory(Path.of(arguments[0]), "rehearsal");
        for (String line : LINES) {
            String[] words = RawText.arguments(line.split(" "));
            for (int i = 1; i < words.length; i++) {
                if (words[i].matches("keys|sorted|records|permutation.npy|text")) {
                    words[i] = folder.resolve(words[i]).toString();
                }
            }
            Main.run(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()), words);
        }
    }
}
