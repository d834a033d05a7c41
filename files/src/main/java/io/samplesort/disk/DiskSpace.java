package io.samplesort.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Checks whether the disks have room for what will be written, so that a full disk is found before the work begins.
public final class DiskSpace {
    /// What will be written to one disk.
    private static final class Need {
        /// The file system, or the folder if Java does not know its file system.
        private final Object disk;
        private final Path folder;
        private final long freeBytes;
        private final List<String> parts = new ArrayList<>();
        private long bytes;

        Need(Object disk, Path folder, long freeBytes) {
            this.disk = disk;
            this.folder = folder;
            this.freeBytes = freeBytes;
        }
    }

    /// What will be written to a folder.
    private record Part(Path folder, long bytes, String what) {}

    private final List<Part> parts = new ArrayList<>();

    /// Adds what will be written to a folder.
    ///
    /// @param what what will be written, for the message
    public void need(Path folder, long bytes, String what) {
        parts.add(new Part(folder, bytes, what));
    }

    /// @throws FileFailure if a disk has too little room; the message names it and says what is needed
    public void check() throws IOException {
        if (isEnoughEverywhere()) {
            return;
        }
        for (Need need : needs()) {
            if (need.freeBytes < need.bytes) {
                throw new FileFailure("the disk of " + need.folder + " has " + need.freeBytes + " bytes free and "
                        + String.join(" and ", need.parts)
                        + (need.parts.size() == 1 ? " are" : ", " + need.bytes + " together, are")
                        + " needed: free some, or choose another place");
            }
        }
    }

    /// Returns whether each folder has room for all that will be written anywhere. Then it does not matter which of
    /// them are on the same disk, which would take Java a while to find out.
    private boolean isEnoughEverywhere() {
        long all = parts.stream().mapToLong(Part::bytes).sum();
        // Java cannot tell the room in a folder whose name is no text in the user's locale; the file system can.
        return parts.stream().allMatch(part -> part.folder.toFile().getUsableSpace() > all);
    }

    private List<Need> needs() throws IOException {
        List<Need> needs = new ArrayList<>();
        for (Part part : parts) {
            FileStore store = Stores.of(part.folder);
            Object disk = store == null ? part.folder : store;
            Need need = null;
            for (Need known : needs) {
                if (known.disk.equals(disk)) {
                    need = known;
                }
            }
            if (need == null) {
                need = new Need(disk, part.folder, Stores.usableBytes(part.folder, store));
                needs.add(need);
            }
            need.bytes += part.bytes;
            need.parts.add(part.bytes + " for " + part.what);
        }
        return needs;
    }
}
