package io.samplesort.files;

import io.samplesort.ClosedTwice;
import io.samplesort.disk.OpenFiles;
import io.samplesort.lines.OpenLines;
import io.samplesort.lines.flow.LineSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every file and whatever else can be closed here may be closed twice.
class FilesClosedTwiceTest {
    @TempDir
    private Path folder;

    @Test
    void everythingMayBeClosedTwice() throws Exception {
        List<AutoCloseable> open = new ArrayList<>(OpenFiles.in(folder));
        LineSource lines = LineSource.of(folder.resolve("large"));
        lines.open();
        open.add(lines);
        open.add(OpenLines.held());
        ClosedTwice.check(List.of(FileSort.class), 15, open, Map.of());
    }
}
