package io.samplesort.lines;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.disk.FileFailure;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFilesTest {
    @TempDir
    private Path folder;

    private LineFiles files(boolean isUnique) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "b\na\n");
        LineJob job = new LineJob(
                List.of(file),
                file,
                false,
                LineOrder.bytes(),
                isUnique,
                1 << 20,
                1,
                Integer.MAX_VALUE,
                List.of(),
                null);
        return LineFiles.open(job, new FileListener() {});
    }

    @Test
    void roomIsNotAskedForWhereNobodyKnowsHowMuchIsNeeded() throws IOException {
        long moreThanAnyDisk = 1L << 60;
        try (LineFiles all = files(false);
                LineFiles distinct = files(true)) {
            assertThatThrownBy(() -> all.checkDisks(moreThanAnyDisk, false))
                    .isInstanceOf(FileFailure.class)
                    .hasMessageContaining("bytes free and " + moreThanAnyDisk + " for file are needed");
            assertThatCode(() -> distinct.checkDisks(moreThanAnyDisk, true)).doesNotThrowAnyException();
        }
    }
}
