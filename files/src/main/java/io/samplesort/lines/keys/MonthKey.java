package io.samplesort.lines.keys;

/// The number of a month, by the first three letters of its English name after blanks; 0 for anything else.
final class MonthKey implements LineKeyPart {
    private static final String NAMES = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    private static final int LETTERS = 3;

    @Override
    public void encode(byte[] text, int from, int to, KeyBuffer key) {
        key.add(month(text, Fields.skipBlanks(text, from, to), to));
    }

    private static int month(byte[] text, int from, int to) {
        if (to - from < LETTERS) {
            return 0;
        }
        for (int name = 0; name < NAMES.length(); name += LETTERS) {
            if (isAt(text, from, name)) {
                return name / LETTERS + 1;
            }
        }
        return 0;
    }

    private static boolean isAt(byte[] text, int from, int name) {
        for (int i = 0; i < LETTERS; i++) {
            // Capitals and small letters differ in one bit, and no other bytes become letters without it.
            if ((text[from + i] & ~('a' - 'A')) != NAMES.charAt(name + i)) {
                return false;
            }
        }
        return true;
    }
}
