package io.samplesort.lines;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.disk.FileFailure;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.flow.Repeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFilesTest {
    @TempDir
    private Path folder;

    private LineFiles files(Repeats repeats) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "b\na\n");
        LineJob job = new LineJob(
                List.of(file), file, false, LineOrder.bytes(), repeats, 1 << 20, 1, Integer.MAX_VALUE, List.of(), null);
        return LineFiles.open(job, new FileListener() {});
    }

    @Test
    void roomIsNotAskedForWhereNobodyKnowsHowMuchIsNeeded() throws IOException {
        long moreThanAnyDisk = 1L << 60;
        try (LineFiles all = files(Repeats.KEPT);
                LineFiles distinct = files(Repeats.LEFT_OUT);
                LineFiles counted = files(Repeats.COUNTED)) {
            assertThatThrownBy(() -> all.checkDisks(moreThanAnyDisk, false))
                    .isInstanceOf(FileFailure.class)
                    .hasMessageContaining("bytes free and " + moreThanAnyDisk + " for file are needed");
            assertThatCode(() -> distinct.checkDisks(moreThanAnyDisk, true)).doesNotThrowAnyException();
            assertThatCode(() -> counted.checkDisks(moreThanAnyDisk, false)).doesNotThrowAnyException();
            assertThatThrownBy(() -> counted.checkDisks(moreThanAnyDisk, true))
                    .isInstanceOf(FileFailure.class)
                    .hasMessageContaining(moreThanAnyDisk + " for sorted parts are needed");
        }
    }
}
