package io.samplesort.cli;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/// NumPy arrays for tests.
public final class NpyFile {
    private NpyFile() {}

    /// Returns a header.
    public static byte[] header(int version, String dictionary) {
        byte[] text = dictionary.getBytes(version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        ByteBuffer header = ByteBuffer.allocate((version == 1 ? 10 : 12) + text.length);
        header.order(ByteOrder.LITTLE_ENDIAN).put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
        if (version == 1) {
            header.putShort((short) text.length);
        } else {
            header.putInt(text.length);
        }
        return header.put(text).array();
    }

    /// Returns the dictionary of a one-dimensional array, as NumPy writes it.
    ///
    /// @param descr a Python literal, such as `'<f8'` with its quotes
    public static String dictionary(String descr, long count) {
        return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (" + count + ",), }          \n";
    }

    /// Returns a one-dimensional array of elements that are written as hexadecimal bytes.
    public static byte[] array(String descr, List<String> elements) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(header(1, dictionary(descr, elements.size())));
        elements.forEach(element -> file.writeBytes(HexFormat.of().parseHex(element)));
        return file.toByteArray();
    }
}
