package io.samplesort.cli.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// Words of the command line and names of files as the system has them: bytes, which need not be text in the encoding
/// of the locale.
///
/// A byte from 128 on that is not part of a character is represented in a string by a low surrogate without its high
/// one, from `\uDC80` to `\uDCFF`. No text has such a character, so every word can be turned back into its bytes.
public final class RawText {
    /// The characters into which Java turns bytes that it cannot read: the first one in UTF-8, the second one in ASCII.
    private static final String UNREADABLE = "\uFFFD?";

    private static final Charset LOCALE = Charset.forName(
            System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final int ESCAPE = 0xDC00;
    private static final int BYTE_MASK = 0xFF;

    private RawText() {}

    /// Returns the arguments of the process with all of their bytes, if the system provides them; otherwise as Java has
    /// read them.
    public static String[] arguments(String... read) {
        if (Stream.of(read).noneMatch(RawText::isUnreadable)) {
            return read;
        }
        List<byte[]> words;
        try {
            words = split(Files.readAllBytes(COMMAND_LINE));
        } catch (IOException e) {
            return read;
        }
        // Java's own options stand before them.
        List<byte[]> last = words.subList(Math.max(0, words.size() - read.length), words.size());
        String[] raw = last.stream().map(RawText::decode).toArray(String[]::new);
        return isSame(raw, read) ? raw : read;
    }

    private static boolean isUnreadable(String word) {
        return word.chars().anyMatch(letter -> UNREADABLE.indexOf(letter) >= 0);
    }

    private static boolean isSame(String[] raw, String[] read) {
        if (raw.length != read.length) {
            return false;
        }
        for (int i = 0; i < raw.length; i++) {
            if (!isUnreadable(read[i]) && !raw[i].equals(read[i])) {
                return false;
            }
        }
        return true;
    }

    /// Returns the words of a list, each of which ends with a byte 0; the last one may end with the list.
    public static List<byte[]> split(byte[] list) {
        List<byte[]> words = new ArrayList<>();
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        for (byte letter : list) {
            if (letter == 0) {
                words.add(word.toByteArray());
                word.reset();
            } else {
                word.write(letter);
            }
        }
        if (word.size() > 0) {
            words.add(word.toByteArray());
        }
        return words;
    }

    /// Returns bytes as a string, from which [#encode] makes the same bytes.
    public static String decode(byte... bytes) {
        CharsetDecoder decoder = LOCALE.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate((int) Math.ceil(bytes.length * Math.max(1, decoder.maxCharsPerByte())));
        CoderResult result = decoder.decode(in, out, true);
        while (result.isError()) {
            byte unreadable = in.get();
            out.put((char) (unreadable < 0 ? ESCAPE + (unreadable & BYTE_MASK) : unreadable));
            result = decoder.reset().decode(in, out, true);
        }
        decoder.flush(out);
        return out.flip().toString();
    }

    /// Returns the bytes of a word.
    public static byte[] encode(String word) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int begin = 0;
        for (int i = 0; i < word.length(); i++) {
            if (isEscape(word, i)) {
                bytes.writeBytes(word.substring(begin, i).getBytes(LOCALE));
                bytes.write(word.charAt(i) & BYTE_MASK);
                begin = i + 1;
            }
        }
        bytes.writeBytes(word.substring(begin).getBytes(LOCALE));
        return bytes.toByteArray();
    }

    private static boolean isEscape(String word, int i) {
        char letter = word.charAt(i);
        return letter >= ESCAPE + 128
                && letter <= ESCAPE + BYTE_MASK
                && (i == 0 || !Character.isHighSurrogate(word.charAt(i - 1)));
    }

    /// Returns a writer of words to a stream, with all of their bytes if the stream has the encoding of the locale.
    public static Writer writer(PrintStream stream) {
        if (!stream.charset().equals(LOCALE)) {
            return new OutputStreamWriter(stream, stream.charset());
        }
        return new Writer() {
            @Override
            public void write(char[] letters, int from, int length) {
                stream.writeBytes(encode(new String(letters, from, length)));
            }

            @Override
            public void flush() {
                stream.flush();
            }

            @Override
            public void close() {
                stream.close();
            }
        };
    }

    /// Returns the path for a file's name.
    ///
    /// @throws IllegalArgumentException if it is empty, or no name of a file on this system
    public static Path path(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the name is empty: name a file");
        }
        for (int i = 0; i < name.length(); i++) {
            if (isEscape(name, i)) {
                return ofBytes(encode(name));
            }
        }
        return Path.of(name);
    }

    /// Returns the path for a name that is not text, which Java accepts only in the form of an address.
    private static Path ofBytes(byte... name) {
        StringBuilder address = new StringBuilder("file:///");
        for (byte letter : name) {
            if (letter != '/') {
                address.append('%').append(HexFormat.of().toHexDigits(letter));
            } else if (address.charAt(address.length() - 1) != '/') {
                address.append('/');
            }
        }
        Path absolute = Path.of(URI.create(address.toString()));
        return name[0] == '/' ? absolute : absolute.subpath(0, absolute.getNameCount());
    }
}
