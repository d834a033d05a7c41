package io.samplesort.lines.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.files.types.LineOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Fields that are skipped eight bytes at a time, compared with byte for byte.
class FieldsTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    @Test
    void skipsAsByteForByte() {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] values = {' ', '\t', '\n', 'a', 'b', '!', 8, 11, (byte) 0x89, (byte) 0xa0, (byte) 0x8a, ','};
        for (int i = 0; i < 20_000; i++) {
            byte[] text = new byte[random.nextInt(60)];
            int used = 1 + random.nextInt(values.length);
            for (int at = 0; at < text.length; at++) {
                text[at] = values[random.nextInt(used)];
            }
            int from = random.nextInt(text.length + 1);
            int to = from + random.nextInt(text.length - from + 1);
            int fields = random.nextInt(12);
            int separator = random.nextBoolean() ? LineOrder.BLANKS : values[random.nextInt(values.length)] & 0xff;
            assertThat(Fields.skip(text, from, to, fields, separator))
                    .as("seed %d, case %d", SEED, i)
                    .isEqualTo(plainSkip(text, from, to, fields, separator));
        }
    }

    private static int plainSkip(byte[] text, int from, int to, int fields, int separator) {
        int at = from;
        for (int field = 0; field < fields && at < to; field++) {
            if (separator == LineOrder.BLANKS) {
                at = Fields.skipOthers(text, Fields.skipBlanks(text, at, to), to);
            } else {
                at = Math.min(to, Fields.find(text, at, to, (byte) separator) + 1);
            }
        }
        return at;
    }
}
