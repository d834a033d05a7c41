package io.samplesort;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// One array that lies in the memory of one or several GPUs, with one part on each. The elements of the first part come
/// first, then those of the second, and so on. The parts may have different sizes. The memory stays with its owner, who
/// also closes it.
///
/// @param parts the memory of each part, each on a different GPU
public record DeviceParts(List<DeviceMemory> parts) {
    /// @throws IllegalArgumentException if there is no part, or two parts lie on the same GPU
    public DeviceParts {
        parts = List.copyOf(Objects.requireNonNull(parts, "parts"));
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("an array of no parts: give the memory of at least one GPU");
        }
        Set<Integer> seen = new HashSet<>();
        for (DeviceMemory part : parts) {
            if (!seen.add(part.device().ordinal())) {
                throw new IllegalArgumentException(
                        "two parts of an array lie on " + part.device() + ": each part needs a GPU of its own");
            }
        }
    }

    /// Returns an array of these parts.
    ///
    /// @throws IllegalArgumentException if there is no part, or two parts lie on the same GPU
    public static DeviceParts of(DeviceMemory... parts) {
        return new DeviceParts(List.of(parts));
    }

    /// Returns the size of all parts together in bytes.
    public long byteSize() {
        return parts.stream().mapToLong(DeviceMemory::byteSize).sum();
    }

    /// Returns whether each of these arrays lies on a single GPU.
    static boolean haveOnePart(DeviceParts... arrays) {
        for (DeviceParts array : arrays) {
            if (array.parts.size() != 1) {
                return false;
            }
        }
        return true;
    }

    /// Returns the part of an array that has one.
    DeviceMemory onlyPart() {
        return parts.getFirst();
    }

    /// Returns the numbers of the GPUs, in the order of the parts.
    List<Integer> ordinals() {
        // No streams: loading them takes a young process longer than all checks of a sort.
        Integer[] ordinals = new Integer[parts.size()];
        for (int part = 0; part < ordinals.length; part++) {
            ordinals[part] = parts.get(part).device().ordinal();
        }
        return List.of(ordinals);
    }
}
