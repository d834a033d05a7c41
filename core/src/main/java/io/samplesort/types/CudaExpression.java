package io.samplesort.types;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks that a user's text is one C++ expression as far as its tokens can tell. The kernels put it between
/// parentheses of their own. A text that closed these, or swallowed what follows it, would compile to code that the
/// user has not written. The compiler checks whether the expression makes sense.
///
/// Comments, strings and directives are refused altogether: no comparison needs them, and each could reach beyond the
/// text.
final class CudaExpression {
    /// What C++ reads as a number. Single quotes may separate digits.
    private static final Pattern NUMBER = Pattern.compile("[0-9](?:[eEpP][+-]|'?[0-9A-Za-z_]|\\.)*");

    private static final Pattern WORD = Pattern.compile("[A-Za-z_][0-9A-Za-z_]*");
    private static final Pattern CHARACTER_LITERAL = Pattern.compile("'(?:\\\\[!-~]|[ -&(-\\[\\]-~])+'");

    private final String text;
    private final Deque<Integer> open = new ArrayDeque<>();
    private int at;

    private CudaExpression(String text) {
        this.text = text;
    }

    /// @throws IllegalArgumentException if the text is not one expression; the message says what is wrong, and where
    static void check(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "the CUDA expression of the order is empty: write one over a and b, as in a.id < b.id");
        }
        new CudaExpression(text).check();
    }

    private void check() {
        while (at < text.length()) {
            checkCharacter();
            checkPair();
            char c = text.charAt(at);
            switch (c) {
                case '(', '[', '{' -> open.push(at++);
                case ')', ']', '}' -> close(c);
                case ';' -> {
                    if (open.isEmpty() || text.charAt(open.peek()) != '{') {
                        throw wrong("has a ';'", "write one expression, not statements");
                    }
                    at++;
                }
                case '\'' -> skipCharacterLiteral();
                default -> {
                    if (!skip(NUMBER) && !skip(WORD)) {
                        at++;
                    }
                }
            }
        }
        if (!open.isEmpty()) {
            at = open.getLast();
            throw wrong("opens a '" + text.charAt(at) + "' and does not close it", "close it");
        }
    }

    private void checkCharacter() {
        char c = text.charAt(at);
        if (c == '"') {
            throw wrong("has a '\"'", "write it without strings");
        }
        if (c == '#') {
            throw wrong("has a '#'", "write it without directives of the preprocessor");
        }
        if (c == '\\') {
            throw wrong("has a '\\'", "a backslash may stand in a character literal only");
        }
        if (c != '\n' && c != '\r' && c != '\t' && (c < ' ' || c > '~')) {
            throw wrong("has the character U+%04X".formatted((int) c), "write it in printable ASCII");
        }
    }

    /// Checks for two characters that are one token.
    private void checkPair() {
        String pair = text.substring(at, Math.min(at + 2, text.length()));
        switch (pair) {
            case "//", "/*" -> throw wrong("has a comment", "leave out what begins with '" + pair + "'");
            case "??" -> throw wrong("has '??', which begins a trigraph", "write the character itself");
            case "<%", "%>", "<:", ":>", "%:" ->
                throw wrong(
                        "has '" + pair + "', which stands for another character in C++",
                        "write that character, or a space between the two");
            default -> {}
        }
    }

    private void close(char closing) {
        if (open.isEmpty()) {
            throw wrong("closes a '" + closing + "' that it does not open", "write one expression");
        }
        int opened = open.pop();
        char opening = text.charAt(opened);
        if (closing != (opening == '(' ? ')' : opening == '[' ? ']' : '}')) {
            throw wrong(
                    "has a '" + closing + "' where it should close the '" + opening + "' of character " + (opened + 1),
                    "close brackets in the order in which they are opened");
        }
        at++;
    }

    private void skipCharacterLiteral() {
        Matcher literal = CHARACTER_LITERAL.matcher(text).region(at, text.length());
        if (!literal.lookingAt()) {
            throw wrong("has a character literal that does not end", "end it with ' on the same line");
        }
        if (literal.group().contains("??")) {
            throw wrong("has '??', which begins a trigraph", "write the character itself");
        }
        at = literal.end();
    }

    private boolean skip(Pattern token) {
        Matcher matcher = token.matcher(text).region(at, text.length());
        boolean isFound = matcher.lookingAt();
        if (isFound) {
            at = matcher.end();
        }
        return isFound;
    }

    private IllegalArgumentException wrong(String fault, String advice) {
        return new IllegalArgumentException("the CUDA expression of the order " + fault + ", at character " + (at + 1)
                + " of `" + text + "`: " + advice);
    }
}
