package io.samplesort.gpu.code;

import java.util.Locale;

/// The text of a header with which the compiler checks the host's assumptions about the kernels.
final class AgreementText {
    private final StringBuilder text =
            new StringBuilder("// Generated: what the host takes for granted about the kernels.\n#pragma once\n");

    /// Asserts that the struct has exactly these fields, of eight bytes each, in this order. So each field lies where
    /// the host writes it. NVRTC has no `offsetof`, so the offsets themselves cannot be compared.
    void addStruct(String name, Enum<?>[] fields) {
        String layout = "kLayoutOf" + name;
        text.append("constexpr " + name + " " + layout + "{};\n");
        addEqual("sizeof(" + name + ")", fields.length * Long.BYTES);
        String before = null;
        for (Enum<?> field : fields) {
            String member = field.name().toLowerCase(Locale.ROOT);
            addEqual("sizeof(" + name + "::" + member + ")", Long.BYTES);
            if (before != null) {
                add(
                        "(const void*)&" + layout + "." + before + " < (const void*)&" + layout + "." + member,
                        "the host has " + name + "::" + member + " behind " + before);
            }
            before = member;
        }
    }

    void addEqual(String expression, int value) {
        add(expression + " == " + value, "the host has another value of " + expression);
    }

    private void add(String condition, String message) {
        text.append("static_assert(" + condition + ", \"" + message + "\");\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
