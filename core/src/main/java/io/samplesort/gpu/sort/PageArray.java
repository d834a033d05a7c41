package io.samplesort.gpu.sort;

import io.samplesort.gpu.code.KernelStructs.Pages;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.launch.DeviceElements;

/// An array that is divided into pages.
///
/// @param columns     device addresses of the array's columns, each aligned to twice its elements, as pairs lie in
///     pages as whole elements
/// @param columnBytes bytes of an element in each column
public record PageArray(PageShape shape, long[] columns, int[] columnBytes) {
    DeviceElements elements() {
        return DeviceElements.of(columns);
    }

    /// Returns the struct `Pages` of pages.cuh.
    ///
    /// @param list   device address of the pages in the order in which they are read, or 0 if no kernel needs it
    /// @param beside device addresses of the columns of the first page outside the array
    long[] pages(long list, long[] beside) {
        return new StructValues<>(Pages.values())
                .set(Pages.LIST, list)
                .set(Pages.LOG_TILES, shape.logTiles())
                .set(Pages.ARRAY_PAGES, shape.arrayPages())
                .set(Pages.BESIDE_KEYS, firstPage(beside, 0))
                .set(Pages.BESIDE_PAYLOADS, columns.length > 1 ? firstPage(beside, 1) : 0)
                .toArray();
    }

    /// Returns where page 0 would lie.
    private long firstPage(long[] beside, int column) {
        return beside[column] - shape.arrayPages() * shape.pageSize() * columnBytes[column];
    }
}
