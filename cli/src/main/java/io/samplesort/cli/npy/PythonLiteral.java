package io.samplesort.cli.npy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads Python's literals, as far as NumPy writes them: a dictionary becomes a map, a list or tuple a list, a string a
/// string, an integer a [BigInteger], and True or False a boolean.
final class PythonLiteral {
    /// Deeper nesting, which no array has, would overflow the stack.
    private static final int MAX_DEPTH = 32;

    /// Longer numbers, which no array has, would take long to read.
    private static final int MAX_DIGITS = 40;

    private final String text;
    private int position;
    private int depth;

    private PythonLiteral(String text) {
        this.text = text;
    }

    /// Reads a literal that is the whole of a text.
    static Object parse(String text) throws HeaderException {
        PythonLiteral literal = new PythonLiteral(text);
        Object value = literal.value();
        literal.skipSpace();
        if (literal.position < text.length()) {
            throw literal.mistake("nothing can follow here");
        }
        return value;
    }

    private Object value() throws HeaderException {
        skipSpace();
        char first = peek();
        return switch (first) {
            case '{' -> dictionary();
            case '[' -> items('[', ']');
            case '(' -> tuple();
            case '\'', '"' -> string();
            default -> first == '-' || isDigit(first) ? number() : word();
        };
    }

    private Map<Object, Object> dictionary() throws HeaderException {
        Map<Object, Object> entries = new LinkedHashMap<>();
        enter('{');
        while (!skip('}')) {
            Object key = value();
            expect(':');
            entries.put(key, value());
            if (!skip(',')) {
                expect('}');
                break;
            }
        }
        depth--;
        return entries;
    }

    private List<Object> items(char open, char close) throws HeaderException {
        List<Object> items = new ArrayList<>();
        enter(open);
        while (!skip(close)) {
            items.add(value());
            if (!skip(',')) {
                expect(close);
                break;
            }
        }
        depth--;
        return items;
    }

    /// Reads a tuple. A single value in parentheses, with no comma after it, is just that value.
    private Object tuple() throws HeaderException {
        List<Object> items = items('(', ')');
        int last = position - 2;
        while (last > 0 && isSpace(text.charAt(last))) {
            last--;
        }
        return items.size() == 1 && text.charAt(last) != ',' ? items.getFirst() : items;
    }

    private String string() throws HeaderException {
        char quote = text.charAt(position++);
        StringBuilder string = new StringBuilder();
        while (peek() != quote) {
            char next = text.charAt(position++);
            if (next == '\\') {
                escape(string);
            } else {
                string.append(next);
            }
        }
        position++;
        return string.toString();
    }

    private void escape(StringBuilder string) throws HeaderException {
        char kind = peek();
        position++;
        switch (kind) {
            case '\\', '\'', '"' -> string.append(kind);
            case 'n' -> string.append('\n');
            case 'r' -> string.append('\r');
            case 't' -> string.append('\t');
            case 'x' -> string.appendCodePoint(codePoint(2));
            case 'u' -> string.appendCodePoint(codePoint(4));
            case 'U' -> string.appendCodePoint(codePoint(8));
            default -> throw mistake("a string has an unknown escape");
        }
    }

    private int codePoint(int digits) throws HeaderException {
        long codePoint = 0;
        for (int i = 0; i < digits; i++) {
            int digit = Character.digit(peek(), 16);
            if (digit < 0) {
                throw mistake("an escape needs " + digits + " hexadecimal digits");
            }
            codePoint = codePoint << 4 | digit;
            position++;
        }
        if (codePoint > Character.MAX_CODE_POINT) {
            throw mistake("an escape is no character");
        }
        return (int) codePoint;
    }

    private BigInteger number() throws HeaderException {
        int begin = position;
        if (peek() == '-') {
            position++;
        }
        int digits = position;
        while (position < text.length() && isDigit(text.charAt(position))) {
            position++;
        }
        if (position == digits || position - digits > MAX_DIGITS) {
            throw mistake("a number must have 1 to " + MAX_DIGITS + " digits");
        }
        BigInteger number = new BigInteger(text.substring(begin, position));
        if (position < text.length() && text.charAt(position) == 'L') {
            // Python 2 wrote an L after long numbers.
            position++;
        }
        return number;
    }

    private Boolean word() throws HeaderException {
        for (Boolean truth : List.of(true, false)) {
            String word = truth ? "True" : "False";
            if (text.startsWith(word, position)) {
                position += word.length();
                return truth;
            }
        }
        throw mistake("a value was expected here");
    }

    private void enter(char open) throws HeaderException {
        expect(open);
        if (++depth > MAX_DEPTH) {
            throw mistake("it is nested too deeply");
        }
    }

    private boolean skip(char wanted) throws HeaderException {
        skipSpace();
        boolean isThere = peek() == wanted;
        position += isThere ? 1 : 0;
        return isThere;
    }

    private void expect(char wanted) throws HeaderException {
        if (!skip(wanted)) {
            throw mistake("'" + wanted + "' was expected here");
        }
    }

    private char peek() throws HeaderException {
        if (position >= text.length()) {
            throw mistake("it ends too early");
        }
        return text.charAt(position);
    }

    private void skipSpace() {
        while (position < text.length() && isSpace(text.charAt(position))) {
            position++;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private HeaderException mistake(String what) {
        return new HeaderException("its header cannot be read: " + what + ", at character " + position);
    }
}
