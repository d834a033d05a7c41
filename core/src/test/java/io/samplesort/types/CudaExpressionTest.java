package io.samplesort.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CudaExpressionTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// What mutations insert: everything that could end an expression or hide its end.
    private static final String[] PIECES = {
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        "'",
        "\"",
        "\\",
        "#",
        "/",
        "*",
        "//",
        "/*",
        "*/",
        "\n",
        "\r",
        "?",
        "??/",
        "<",
        "%",
        ":",
        ">",
        "<%",
        "%>",
        "<:",
        ":>",
        "R\"(",
        ")\"",
        "'a'",
        "'\\''",
        "'('",
        "1'000",
        "u8'x'",
        "0x1p-3'0",
        " ",
        "\t",
        "a",
        "b",
        ".k",
        "true",
        "return",
        "\0",
        "\u00e9",
        "\u202e",
        "\f"
    };

    /// Words, numbers and character literals.
    private static final Pattern TOKENS =
            Pattern.compile("[A-Za-z_]\\w*|[0-9](?:[eEpP][+-]|'?\\w|\\.)*|'(?:\\\\.|[^'\\\\\n\r])+'");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a < b",
                "a.size.width * (long long)a.size.height < b.size.width * (long long)b.size.height",
                "a.key[0] % 16 < b.key[0] % 16",
                "(a & 255) < (b & 255)",
                "a.kind == 'x' && b.kind != '\\'' || a.kind == '(' || a.kind == '\\\\'",
                "a.n < 1'000'000 && b.x > 0x1.8p-3 && a.x < 1e+5",
                "[&] { long long d = a.k - b.k; return d < 0; }()",
                "a.k\n    < b.k\t",
                "a.k < b.k, true",
                "a.k < b.k ? 1 : 0",
                "u8'x' < a.c"
            })
    void expressionsAreAccepted(String expression) {
        assertThatCode(() -> CudaExpression.check(expression)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            quoteCharacter = '`',
            value = {
                "a.k<b.k)||(true             @ closes a ')' that it does not open, at character 8 of",
                "(a.k < b.k                  @ opens a '(' and does not close it, at character 1",
                "f(a[0)]                     @ has a ')' where it should close the '[' of character 4",
                "a < b; launch()             @ has a ';'",
                "(a; b)                      @ has a ';'",
                "a < b // and so on          @ has a comment",
                "a < b /* and so on          @ has a comment",
                "a < \"b\"                   @ has a '\"'",
                "R\"(a)\" < b                @ has a '\"'",
                "a < 'b                      @ has a character literal that does not end",
                "a < ''                      @ has a character literal that does not end",
                "a < b \\                    @ has a '\\'",
                "a < b #define               @ has a '#'",
                "a ??) b                     @ trigraph",
                "a < '??/'                   @ trigraph",
                "a <% b %>                   @ has '<%', which stands for another character",
                "a <:0:> < b                 @ has '<:'",
                "a %: b                      @ has '%:'",
                "a.k\u00e9 < b               @ has the character U+00E9",
                "''                          @ has a character literal that does not end"
            })
    void everythingElseIsRefusedByName(String expression, String message) {
        assertThatThrownBy(() -> Order.custom(expression, (a, b) -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the CUDA expression of the order ")
                .hasMessageContaining(message)
                .hasMessageContaining("`" + expression + "`: ");
    }

    @Test
    void charactersThatEndLinesAreNoPartOfLiterals() {
        for (String expression : new String[] {"a < 'b\n'", "a < '\\\n'", "a < '\r'", "a < b\\\n"}) {
            assertThatThrownBy(() -> CudaExpression.check(expression)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /// What grows from expressions by the rules of C++ is accepted. What comes of it by random changes is accepted only
    /// if another way of looking at it finds no way out of our parentheses either.
    @Test
    void randomTextsAreExpressionsOrRefused() {
        SplittableRandom random = new SplittableRandom(SEED);
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            String grown = grow(random, random.nextInt(5));
            String what = "case " + i + " with -Dtests.seed=" + SEED + ": ";
            assertThatCode(() -> CudaExpression.check(grown)).as(what + grown).doesNotThrowAnyException();
            String mutated = mutate(random, grown);
            try {
                CudaExpression.check(mutated);
            } catch (IllegalArgumentException e) {
                assertThat(e).as(what + mutated).hasMessageStartingWith("the CUDA expression of the order ");
                continue;
            }
            accepted++;
            assertThat(staysWithinParentheses(mutated)).as(what + mutated).isTrue();
        }
        assertThat(accepted).isGreaterThan(1000);
    }

    private static String grow(SplittableRandom random, int depth) {
        if (depth == 0) {
            String[] leaves = {"a.k", "b.k", "a", "b", "1'000", "'x'", "'('", "'\\''", "0x1f", "1e-5", "true"};
            return leaves[random.nextInt(leaves.length)];
        }
        String first = grow(random, depth - 1);
        return switch (random.nextInt(7)) {
            case 0 -> "(" + first + ")";
            case 1 -> first + " < " + grow(random, depth - 1);
            case 2 -> "a.name[" + first + "]";
            case 3 -> first + " ? " + grow(random, depth - 1) + " : " + grow(random, depth - 1);
            case 4 -> "[&] { return " + first + "; }()";
            case 5 -> "f(" + first + ",\n" + grow(random, depth - 1) + ")";
            default -> "!" + first;
        };
    }

    private static String mutate(SplittableRandom random, String text) {
        StringBuilder mutated = new StringBuilder(text);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(mutated.length() + 1);
            if (random.nextInt(3) == 0 && at < mutated.length()) {
                mutated.deleteCharAt(at);
            } else {
                mutated.insert(at, PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return mutated.toString();
    }

    private static boolean staysWithinParentheses(String text) {
        String bare = TOKENS.matcher(text).replaceAll("c");
        if (Pattern.compile("[\"#\\\\']|//|/\\*|\\?\\?|<%|%>|<:|:>|%:|[^\\n\\r\\t -~]")
                .matcher(bare)
                .find()) {
            return false;
        }
        String brackets = bare.replaceAll("[^()\\[\\]{};]", "");
        for (String before = ""; !before.equals(brackets); ) {
            before = brackets;
            brackets = brackets.replaceAll("\\(\\)|\\[\\]|\\{;*\\}", "");
        }
        return brackets.isEmpty();
    }
}
