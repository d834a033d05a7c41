package io.samplesort;

import io.samplesort.gpu.DeviceSegments;
import io.samplesort.types.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/// Checks of the device memory that a user hands over, all made before anything is changed. [Segments] checks host
/// memory.
final class DeviceChecks {
    /// The alignment of device pointers to structs whose size allows it: the kernels load this many bytes at once.
    private static final int STRUCT_ALIGNMENT = 16;

    private DeviceChecks() {}

    /// Returns the number of the GPU that the memory of one sort belongs to.
    ///
    /// @param device of the sorter
    /// @throws IllegalStateException    if the sorter is for the CPU
    /// @throws IllegalArgumentException if the memory is of two GPUs
    static int gpuOf(Device device, DeviceMemory memory, DeviceMemory... others) {
        if (device.kind() == Device.Kind.CPU) {
            throw new IllegalStateException(
                    "device memory is for a GPU, and this was built for the CPU: build it with onGpu()");
        }
        int ordinal = memory.device().ordinal();
        for (DeviceMemory other : others) {
            if (other.device().ordinal() != ordinal) {
                throw new IllegalArgumentException("device memory of gpu:" + ordinal + " and of gpu:"
                        + other.device().ordinal() + ": one sort takes the memory of one GPU");
            }
        }
        return ordinal;
    }

    /// Returns the number of the GPU that memory belongs to, which has to be one of these.
    ///
    /// @throws IllegalArgumentException if it is not
    static int oneOf(List<Integer> ordinals, DeviceMemory memory) {
        int ordinal = memory.device().ordinal();
        if (!ordinals.contains(ordinal)) {
            throw otherGpus(ordinals, List.of(ordinal));
        }
        return ordinal;
    }

    private static IllegalArgumentException otherGpus(List<Integer> ordinals, List<Integer> found) {
        return new IllegalArgumentException("this sorter works on " + names(ordinals) + " and the memory is of "
                + names(found) + ": build a sorter for these GPUs, or give it memory of its own");
    }

    private static String names(List<Integer> ordinals) {
        return ordinals.stream().map(ordinal -> "gpu:" + ordinal).collect(Collectors.joining(","));
    }

    /// Checks that a sorter can sort arrays that lie on several GPUs.
    ///
    /// @param ordinals the GPUs of the sorter, if it is for several
    /// @param arrays   all of one sort
    /// @throws IllegalStateException    if the sorter is not for several GPUs
    /// @throws IllegalArgumentException if a part lies on a GPU that is not one of the sorter's, or the arrays do not
    ///     lie on the same GPUs
    static void checkParts(Device device, List<Integer> ordinals, DeviceParts... arrays) {
        if (ordinals.isEmpty()) {
            throw new IllegalStateException("this sorter is for " + device
                    + " and cannot sort the parts of an array on GPUs: build it with onGpus()");
        }
        List<Integer> first = arrays[0].ordinals();
        if (!ordinals.containsAll(first)) {
            throw otherGpus(ordinals, first);
        }
        for (int other = 1; other < arrays.length; other++) {
            if (!arrays[other].ordinals().equals(first)) {
                throw new IllegalArgumentException(
                        "arrays on " + names(first) + " and " + names(arrays[other].ordinals())
                                + ": what belongs together lies on the same GPUs, in the same order");
            }
        }
    }

    /// Returns the device addresses of the keys and payloads of each part of an array.
    ///
    /// @param what  what errors call the keys
    /// @param other what errors call the payloads
    static List<long[]> columns(
            String what,
            DeviceParts keys,
            ElementType key,
            String other,
            DeviceParts[] payloads,
            List<ElementType> types) {
        List<long[]> columns = new ArrayList<>();
        for (int part = 0; part < keys.parts().size(); part++) {
            DeviceMemory keyPart = keys.parts().get(part);
            DeviceMemory[] payloadParts = new DeviceMemory[payloads.length];
            for (int i = 0; i < payloads.length; i++) {
                payloadParts[i] = payloads[i].parts().get(part);
            }
            String here = " on " + keyPart.device();
            long count = count(what + here, keyPart, key);
            long[] addresses = new long[1 + payloads.length];
            addresses[0] = keyPart.address();
            long[] others = addresses(what + here, keyPart, count, other + here, payloadParts, types);
            System.arraycopy(others, 0, addresses, 1, others.length);
            columns.add(addresses);
        }
        return columns;
    }

    /// Returns how many elements all parts of an array have.
    static long sum(long[] counts) {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /// Returns how many elements each part of an array has.
    static long[] counts(String what, DeviceParts array, ElementType type) {
        long[] counts = new long[array.parts().size()];
        for (int part = 0; part < counts.length; part++) {
            counts[part] = count(what, array.parts().get(part), type);
        }
        return counts;
    }

    /// Checks that the engine of a sorter works on the GPU that memory belongs to.
    static void checkGpu(int engineOrdinal, int memoryOrdinal) {
        if (engineOrdinal != memoryOrdinal) {
            throw new IllegalArgumentException(
                    "the memory is of gpu:" + memoryOrdinal + ", and this was built for gpu:" + engineOrdinal);
        }
    }

    /// Returns the bytes of an index of `count` rows in device memory.
    ///
    /// @param what what the memory holds
    /// @param rows what the rows are
    static int indexBytes(String what, DeviceMemory indexes, long count, String rows) {
        Objects.requireNonNull(indexes, what);
        int bytes = indexBytes(what, indexes.byteSize(), count, rows);
        if (count > 0) {
            checkAlignment(what, indexes.address(), bytes);
        }
        return bytes;
    }

    /// Does the same for memory of this many bytes.
    static int indexBytes(String what, long bytes, long count, String rows) {
        // Device memory cannot be empty, so that the index of no rows may have any size.
        if (count == 0 || count <= Integer.MAX_VALUE && bytes == count * Integer.BYTES) {
            return Integer.BYTES;
        }
        if (Segments.isRoomForLongs(bytes, count)) {
            return Long.BYTES;
        }
        throw new IllegalArgumentException("the " + what + " " + (what.endsWith("s") ? "have " : "has ") + bytes
                + " bytes, and there are " + count + " " + rows + ": there must be room for as many "
                + (count <= Integer.MAX_VALUE ? "ints or longs" : "longs"));
    }

    /// Returns how many elements of `type` the memory has room for.
    static long count(String what, DeviceMemory memory, ElementType type) {
        Objects.requireNonNull(memory, what);
        memory.requireOpen();
        Segments.checkSize(what, memory.byteSize(), type);
        checkAlignment(what, memory.address(), alignment(type));
        return memory.byteSize() / type.byteSize();
    }

    /// Returns how many segments there are between offsets in device memory.
    ///
    /// @param what what the memory holds
    static long segmentCount(String what, DeviceMemory offsets, ElementType type) {
        Objects.requireNonNull(type, "the type of the offsets");
        if (!type.equals(ElementType.INT) && !type.equals(ElementType.LONG)) {
            throw new IllegalArgumentException(
                    "offsets of type " + type + ": give ElementType.INT or ElementType.LONG");
        }
        // Device memory is never empty, so there is at least one offset.
        return count(what, offsets, type) - 1;
    }

    /// Returns the segments between offsets in device memory.
    static DeviceSegments segments(DeviceMemory offsets, ElementType type) {
        long count = segmentCount("offsets", offsets, type);
        return new DeviceSegments(offsets.address(), type.byteSize(), count);
    }

    /// Returns how many elements a copy from `source` to `target` has.
    static long copiedCount(DeviceMemory source, DeviceMemory target, ElementType type) {
        long count = count("source", source, type);
        if (count("target", target, type) != count) {
            throw new IllegalArgumentException("the source has " + source.byteSize() + " bytes and the target "
                    + target.byteSize() + ": both must have the same size");
        }
        checkApart("source", source, "target", target);
        return count;
    }

    /// Checks that each array of payloads has as many elements as there are keys and lies in memory of its own, and
    /// returns the addresses of the payloads.
    static long[] payloadAddresses(DeviceMemory keys, long count, DeviceMemory[] payloads, List<ElementType> types) {
        return addresses("keys", keys, count, "payloads", payloads, types);
    }

    private static long[] addresses(
            String what,
            DeviceMemory keys,
            long count,
            String otherWhat,
            DeviceMemory[] payloads,
            List<ElementType> types) {
        long[] addresses = new long[payloads.length];
        for (int i = 0; i < payloads.length; i++) {
            long payloadCount = count(otherWhat, payloads[i], types.get(i));
            if (payloadCount != count) {
                throw new IllegalArgumentException(
                        count + " " + what + " and " + payloadCount + " " + otherWhat + ": there must be as many");
            }
            checkApart(what, keys, otherWhat, payloads[i]);
            for (int other = 0; other < i; other++) {
                checkApart(otherWhat, payloads[other], "other " + otherWhat, payloads[i]);
            }
            addresses[i] = payloads[i].address();
        }
        return addresses;
    }

    static void checkApart(String what, DeviceMemory memory, String other, DeviceMemory otherMemory) {
        Objects.requireNonNull(memory, what);
        Objects.requireNonNull(otherMemory, other);
        if (memory.overlaps(otherMemory)) {
            throw new IllegalArgumentException(what + " and " + other
                    + " are the same device memory or overlap in it: each needs memory of its own");
        }
    }

    /// Checks that no two of these overlap, except the first two, which are only read.
    static void checkTargetsApart(List<String> names, List<DeviceMemory> memory) {
        for (int written = 2; written < memory.size(); written++) {
            for (int other = 0; other < written; other++) {
                checkApart(names.get(other), memory.get(other), names.get(written), memory.get(written));
            }
        }
    }

    /// Returns the type of the indexes that a permutation in device memory has room for.
    static ElementType indexType(DeviceMemory permutation, long count) {
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        count("permutation", permutation, index);
        return index;
    }

    private static int alignment(ElementType type) {
        return type.isPrimitive()
                ? type.byteSize()
                : Math.max(type.byteAlignment(), Math.min(STRUCT_ALIGNMENT, Integer.lowestOneBit(type.byteSize())));
    }

    /// Checks that a device address is a multiple of this many bytes, as the kernels need it.
    static void checkAlignment(String what, long address, int alignment) {
        if (address % alignment != 0) {
            throw new IllegalArgumentException("the device address 0x" + Long.toHexString(address) + " of the " + what
                    + " is not aligned to " + alignment + " bytes: lay them at a multiple of " + alignment);
        }
    }
}
