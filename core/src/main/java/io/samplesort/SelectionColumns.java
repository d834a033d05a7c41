package io.samplesort;

import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The columns of a [Selector], their targets, and the checks of both. A column has the keys or a type of payload.
///
/// @param key      the type of the keys
/// @param payloads the types of the payloads
record SelectionColumns(ElementType key, List<ElementType> payloads) {
    /// Returns the bytes of a value in each column.
    int[] bytes() {
        int[] bytes = new int[1 + payloads.size()];
        for (int c = 0; c < bytes.length; c++) {
            bytes[c] = type(c).byteSize();
        }
        return bytes;
    }

    private ElementType type(int column) {
        return column == 0 ? key : payloads.get(column - 1);
    }

    static String name(int column) {
        return column == 0 ? "keys" : "payloads";
    }

    <T> List<T> all(T first, List<T> others) {
        List<T> all = new ArrayList<>(List.of(first));
        all.addAll(others);
        return all;
    }

    /// Checks columns in host memory, whose keys are checked already, and targets for `k` values of each.
    void check(
            MemorySegment keys,
            List<MemorySegment> payloadColumns,
            long k,
            MemorySegment target,
            List<MemorySegment> payloadTargets) {
        requirePayloads(payloadColumns, payloadTargets);
        List<MemorySegment> columns = all(keys, payloadColumns);
        List<MemorySegment> targets = all(Objects.requireNonNull(target, "target"), payloadTargets);
        long count = keys.byteSize() / key.byteSize();
        for (int c = 0; c < columns.size(); c++) {
            Segments.checkReadable(name(c), columns.get(c), type(c));
            requireAsMany(count, columns.get(c).byteSize() / type(c).byteSize());
            Segments.check(SortedColumns.targetName(c), targets.get(c), type(c));
            checkRoom(c, targets.get(c).byteSize(), k, type(c));
        }
        for (int c = 0; c < targets.size(); c++) {
            for (int other = 0; other < columns.size(); other++) {
                Segments.checkApart(
                        "the " + SortedColumns.targetName(c), targets.get(c), "the " + name(other), columns.get(other));
                if (other < c) {
                    Segments.checkApart("a target", targets.get(c), "another one", targets.get(other));
                }
            }
        }
    }

    /// Checks columns in device memory, whose keys are checked already, and targets for `k` values of each.
    void check(
            DeviceMemory keys,
            List<DeviceMemory> payloadColumns,
            long k,
            DeviceMemory target,
            List<DeviceMemory> payloadTargets) {
        requirePayloads(payloadColumns, payloadTargets);
        List<DeviceMemory> columns = all(keys, payloadColumns);
        List<DeviceMemory> targets = all(Objects.requireNonNull(target, "target"), payloadTargets);
        long count = keys.byteSize() / key.byteSize();
        for (int c = 0; c < columns.size(); c++) {
            requireAsMany(count, DeviceChecks.count(name(c), columns.get(c), type(c)));
            DeviceChecks.gpuOf(keys.device(), keys, columns.get(c), targets.get(c));
            if (k > 0) {
                // Device memory cannot be empty, so that of no elements may have any size.
                DeviceChecks.count(SortedColumns.targetName(c), targets.get(c), type(c));
                checkRoom(c, targets.get(c).byteSize(), k, type(c));
            }
        }
        for (int c = 0; c < targets.size(); c++) {
            for (int other = 0; other < columns.size(); other++) {
                DeviceChecks.checkApart(SortedColumns.targetName(c), targets.get(c), name(other), columns.get(other));
                if (other < c) {
                    DeviceChecks.checkApart("a target", targets.get(c), "another one", targets.get(other));
                }
            }
        }
    }

    private void requirePayloads(List<?> columns, List<?> targets) {
        Segments.requirePayloads(Role.SELECTOR, payloads, columns.size());
        Segments.requirePayloads(Role.SELECTOR, payloads, targets.size());
    }

    private static void requireAsMany(long keys, long payloads) {
        if (keys != payloads) {
            throw new IllegalArgumentException(
                    keys + " keys and " + payloads + " payloads: there must be as many payloads as keys");
        }
    }

    private static void checkRoom(int column, long bytes, long k, ElementType type) {
        if (bytes / type.byteSize() != k) {
            throw new IllegalArgumentException(
                    "the " + SortedColumns.targetName(column) + " has room for " + bytes / type.byteSize() + " of type "
                            + type + ", and " + k + " are wanted: give one with room for exactly as many");
        }
    }

    /// Checks that a segment has room for the indexes of `k` elements.
    static void checkIndexes(MemorySegment elements, long k, MemorySegment indexes) {
        Objects.requireNonNull(indexes, "indexes");
        boolean isLong = indexBytes(indexes.byteSize(), k) == Long.BYTES;
        Segments.check("indexes", indexes, isLong ? ElementType.LONG : ElementType.INT);
        Segments.checkApart("elements", elements, "indexes", indexes);
    }

    /// Returns the bytes of an index of one of `k` elements.
    static int indexBytes(long bytes, long k) {
        return DeviceChecks.indexBytes("indexes", bytes, k, "wanted elements");
    }

    /// Returns the device addresses of columns.
    static long[] addresses(DeviceMemory first, List<DeviceMemory> others) {
        long[] addresses = new long[1 + others.size()];
        addresses[0] = first.address();
        for (int i = 0; i < others.size(); i++) {
            addresses[1 + i] = others.get(i).address();
        }
        return addresses;
    }
}
