package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Mistakes in the command line are told in one line and a hint.
class MistakesTest extends CommandCase {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "srot | unknown command 'srot': did you mean sort? | samplesort --help",
                "agrsort x | unknown command 'agrsort': did you mean argsort? | samplesort --help",
                "frobnicate x | unknown command 'frobnicate' | samplesort --help",
                "sort x --stabel | unknown option '--stabel': did you mean --stable? | samplesort sort --help",
                "sort x --tpye u8 | unknown option '--tpye': did you mean --type? | samplesort sort --help",
                "sort x --memry=3G | unknown option '--memry': did you mean --memory? | samplesort sort --help",
                "sort x -q | unknown option '-q' | samplesort sort --help",
                "verify x --frobnicate | unknown option '--frobnicate' | samplesort verify --help",
                "sort x y | unexpected argument 'y' | samplesort sort --help",
                "sort | missing required parameter: 'IN' | samplesort sort --help",
                "sort x --type u99 | invalid value for option '--type': type 'u99': use one of i8, u8, i16, u16, i32, u32,"
                        + " i64, u64, f32, f64 | samplesort sort --help",
                "sort x --threads 0 | invalid value for option '--threads': '0' threads: write a whole number from 1 on,"
                        + " such as 4 | samplesort sort --help",
                "sort x --payload u8 --type u8 | --payload needs --payload-file | samplesort sort --help"
            })
    void inOneLineAndAHint(String words, String message, String help) {
        assertThat(run(words.split(" "))).isEqualTo(2);
        assertThat(out()).isEmpty();
        assertThat(err().lines()).containsExactly("samplesort: " + message, "Try: " + help);
    }

    @Test
    void aBareCommandNamesTheHelp() {
        assertThat(run()).isEqualTo(2);
        assertThat(err()).contains("Try: samplesort --help");
    }
}
