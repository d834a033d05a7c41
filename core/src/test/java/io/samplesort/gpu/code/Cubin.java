package io.samplesort.gpu.code;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the machine code of a GPU says of its kernels: an ELF file with a section `.text.NAME` for each, and properties
/// in `.nv.info`.
final class Cubin {
    /// Attributes of `.nv.info`, each with the number of a symbol and a value.
    private static final int FRAME_SIZE = 0x11;

    private static final int REGISTER_COUNT = 0x2f;
    private static final int SYMBOL_AND_VALUE = 0x04;

    private static final int SYMBOL_TABLE = 2;
    private static final int SYMBOL_BYTES = 24;

    /// This many bytes of a hash tell two programs apart.
    private static final int HASH_BYTES = 8;

    /// @param registers   of one thread
    /// @param frameBytes  local memory of one thread, more than 0 where registers were spilled
    /// @param sharedBytes static shared memory of one block
    /// @param code        a hash of the machine code
    record Resources(int registers, int frameBytes, long sharedBytes, String code) {}

    private Cubin() {}

    /// The resources of each kernel, by its name.
    static Map<String, Resources> kernels(byte[] image) {
        ByteBuffer elf = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        long sectionTable = elf.getLong(0x28);
        int sectionBytes = Short.toUnsignedInt(elf.getShort(0x3a));
        int sectionCount = Short.toUnsignedInt(elf.getShort(0x3c));
        int namesIndex = Short.toUnsignedInt(elf.getShort(0x3e));
        Section[] sections = new Section[sectionCount];
        for (int i = 0; i < sectionCount; i++) {
            sections[i] = new Section(elf, Math.toIntExact(sectionTable + (long) i * sectionBytes));
        }
        Map<String, Section> byName = new LinkedHashMap<>();
        Section symbols = null;
        for (Section section : sections) {
            byName.put(text(image, sections[namesIndex].offset + section.name), section);
            symbols = section.type == SYMBOL_TABLE ? section : symbols;
        }
        Map<String, int[]> values = new LinkedHashMap<>();
        Section info = byName.get(".nv.info");
        int at = info.offset;
        while (at < info.offset + info.bytes) {
            int format = image[at] & 0xff;
            int attribute = image[at + 1] & 0xff;
            if (format != SYMBOL_AND_VALUE) {
                at += 4;
                continue;
            }
            int bytes = Short.toUnsignedInt(elf.getShort(at + 2));
            if (attribute == FRAME_SIZE || attribute == REGISTER_COUNT) {
                int symbol = symbols.offset + elf.getInt(at + 4) * SYMBOL_BYTES;
                String name = text(image, sections[symbols.link].offset + elf.getInt(symbol));
                values.computeIfAbsent(name, k -> new int[2])[attribute == FRAME_SIZE ? 1 : 0] = elf.getInt(at + 8);
            }
            at += 4 + bytes;
        }
        Map<String, Resources> kernels = new LinkedHashMap<>();
        values.forEach((name, v) -> {
            Section code = byName.get(".text." + name);
            if (code != null) {
                Section shared = byName.get(".nv.shared." + name);
                kernels.put(name, new Resources(v[0], v[1], shared == null ? 0 : shared.bytes, hash(image, code)));
            }
        });
        return kernels;
    }

    private static String hash(byte[] image, Section section) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(image, section.offset, section.bytes);
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private static String text(byte[] image, int from) {
        int end = from;
        while (image[end] != 0) {
            end++;
        }
        return new String(image, from, end - from, StandardCharsets.UTF_8);
    }

    private static final class Section {
        final int name;
        final int type;
        final int offset;
        final int bytes;
        final int link;

        Section(ByteBuffer elf, int at) {
            name = elf.getInt(at);
            type = elf.getInt(at + 4);
            offset = Math.toIntExact(elf.getLong(at + 0x18));
            bytes = Math.toIntExact(elf.getLong(at + 0x20));
            link = elf.getInt(at + 0x28);
        }
    }
}
