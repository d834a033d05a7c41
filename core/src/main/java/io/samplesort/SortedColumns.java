package io.samplesort;

import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The columns of [SortedOperations], and the checks of inputs and targets. A column has the keys or a type of payload.
///
/// @param key      the type of the keys
/// @param payloads the types of the payloads
/// @param place    where the memory is
record SortedColumns<M>(ElementType key, List<ElementType> payloads, Place<M> place) {
    /// Checks of one kind of memory.
    interface Place<M> {
        /// Checks memory that is only read, and returns how many elements it has.
        long input(String what, M memory, ElementType type);

        /// Checks memory that is written, and returns how many elements it has room for.
        long target(String what, M memory, ElementType type);

        void checkApart(String what, M memory, String other, M otherMemory);
    }

    /// Memory of the host.
    static final class Host implements Place<MemorySegment> {
        static final Host HOST = new Host();

        @Override
        public long input(String what, MemorySegment memory, ElementType type) {
            return Segments.checkReadable(what, memory, type).byteSize() / type.byteSize();
        }

        @Override
        public long target(String what, MemorySegment memory, ElementType type) {
            return Segments.check(what, memory, type).byteSize() / type.byteSize();
        }

        @Override
        public void checkApart(String what, MemorySegment memory, String other, MemorySegment otherMemory) {
            Segments.checkApart("the " + what, memory, "the " + other, otherMemory);
        }
    }

    /// Memory of a GPU.
    static final class OnDevice implements Place<DeviceMemory> {
        static final OnDevice DEVICE = new OnDevice();

        @Override
        public long input(String what, DeviceMemory memory, ElementType type) {
            return DeviceChecks.count(what, memory, type);
        }

        @Override
        public long target(String what, DeviceMemory memory, ElementType type) {
            return DeviceChecks.count(what, memory, type);
        }

        @Override
        public void checkApart(String what, DeviceMemory memory, String other, DeviceMemory otherMemory) {
            DeviceChecks.checkApart("the " + what, memory, "the " + other, otherMemory);
        }
    }

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

    private static String name(int column, String keys) {
        return column == 0 ? keys : "payloads";
    }

    /// Returns what errors call the target of a column, of which the first has the keys.
    static String targetName(int column) {
        return column == 0 ? "target" : "target of payload " + (column - 1);
    }

    long count(M keys) {
        return place.input("keys", keys, key);
    }

    /// Checks the columns of an input and returns all of them.
    List<M> input(M keys, List<M> payloadColumns) {
        Segments.requirePayloads(Role.SORTED_OPERATIONS, payloads, payloadColumns.size());
        List<M> columns = all(Objects.requireNonNull(keys, "keys"), payloadColumns);
        long count = count(keys);
        for (int c = 1; c < columns.size(); c++) {
            long values = place.input("payloads", columns.get(c), type(c));
            if (values != count) {
                throw new IllegalArgumentException(
                        count + " keys and " + values + " payloads: there must be as many payloads as keys");
            }
        }
        return columns;
    }

    /// Checks targets of all columns, and returns them.
    ///
    /// @param inputs all columns of all inputs
    List<M> targets(M target, List<M> payloadTargets, List<List<M>> inputs) {
        Segments.requirePayloads(Role.SORTED_OPERATIONS, payloads, payloadTargets.size());
        List<M> targets = all(Objects.requireNonNull(target, "target"), payloadTargets);
        for (int c = 0; c < targets.size(); c++) {
            place.target(targetName(c), targets.get(c), type(c));
            for (int other = 0; other < c; other++) {
                place.checkApart(targetName(c), targets.get(c), targetName(other), targets.get(other));
            }
            for (List<M> input : inputs) {
                for (int other = 0; other < input.size(); other++) {
                    place.checkApart(targetName(c), targets.get(c), name(other, "keys"), input.get(other));
                }
            }
        }
        return targets;
    }

    /// Returns how many elements all targets have room for.
    long room(List<M> targets) {
        long room = Long.MAX_VALUE;
        for (int c = 0; c < targets.size(); c++) {
            room = Math.min(room, room(targets, c));
        }
        return room;
    }

    private long room(List<M> targets, int column) {
        return place.target(targetName(column), targets.get(column), type(column));
    }

    /// Checks that targets have room for exactly as many elements.
    void requireRoom(List<M> targets, long count) {
        for (int c = 0; c < targets.size(); c++) {
            long room = room(targets, c);
            if (room != count) {
                throw new IllegalArgumentException("the " + targetName(c) + " has room for " + room + " of type "
                        + type(c) + ", and the inputs have " + count + ": give one with room for exactly as many");
            }
        }
    }

    /// Returns how many counts or offsets the memory has room for.
    ///
    /// @param greatest no number that is written is greater
    long numbers(String what, M memory, ElementType type, long greatest, M keys) {
        Objects.requireNonNull(type, "type");
        if (!type.equals(ElementType.INT) && !type.equals(ElementType.LONG)) {
            throw new IllegalArgumentException(
                    what + " of type " + type + ": give ElementType.INT or ElementType.LONG");
        }
        long room = place.target(what, memory, type);
        if (type.equals(ElementType.INT) && greatest > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    what + " of type int for " + greatest + " keys: give " + what + " of type long");
        }
        place.checkApart(what, memory, "keys", keys);
        return room;
    }

    /// Returns `found`, of which there must not be more than each target has room for.
    long fitting(String what, long found, List<M> targets) {
        for (int c = 0; c < targets.size(); c++) {
            fitting(what, found, targetName(c), room(targets, c));
        }
        return found;
    }

    /// Returns `found`, of which there must not be more than there is room for.
    ///
    /// @param target what has this room
    static long fitting(String what, long found, String target, long room) {
        if (found > room) {
            throw new IllegalArgumentException(found + " " + what + " come out, and the " + target + " has room for "
                    + room + ": give it room for " + found);
        }
        return found;
    }

    private static <T> List<T> all(T first, List<T> others) {
        List<T> all = new ArrayList<>(List.of(first));
        all.addAll(others);
        return all;
    }
}
