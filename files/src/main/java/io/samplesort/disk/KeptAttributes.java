package io.samplesort.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Copies to a new file what it takes over from the file that it will replace: permissions, owner, group and user
/// attributes (`user.*`).
///
/// On Linux, Java does not reach access control lists and the attributes of the system (`security.*`, `trusted.*`). A
/// new file has the access control list that its folder gives to new files, and is as open as the permissions of the
/// old file say. On Windows, which has no such permissions, it takes over the access control list.
final class KeptAttributes {
    /// The permissions of the group, each with the corresponding one of all others.
    private static final Map<PosixFilePermission, PosixFilePermission> GROUP_AND_OTHERS = Map.of(
            PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    private final Path old;
    private final Path created;
    private final List<String> losses = new ArrayList<>();

    private KeptAttributes(Path old, Path created) {
        this.old = old;
        this.created = created;
    }

    /// Gives a new file whatever it can take over.
    ///
    /// @param old     the file that will be replaced
    /// @param created the new file, which is not in its place yet
    /// @return what the new file lacks, in one sentence for users each
    static List<String> pass(Path old, Path created) throws IOException {
        KeptAttributes kept = new KeptAttributes(old, created);
        kept.userAttributes();
        kept.ownership();
        kept.links();
        return kept.losses;
    }

    private void userAttributes() {
        UserDefinedFileAttributeView from = Files.getFileAttributeView(old, UserDefinedFileAttributeView.class);
        UserDefinedFileAttributeView to = Files.getFileAttributeView(created, UserDefinedFileAttributeView.class);
        for (String name : names(from)) {
            try {
                ByteBuffer value = ByteBuffer.allocate(from.size(name));
                from.read(name, value);
                to.write(name, value.flip());
            } catch (IOException e) {
                losses.add(old + " loses its attribute user." + name + ": " + FileFailure.reason(e));
            }
        }
    }

    private static List<String> names(UserDefinedFileAttributeView view) {
        try {
            return view == null ? List.of() : view.list();
        } catch (IOException e) {
            // The file system has no such attributes.
            return List.of();
        }
    }

    /// The order matters: no other user may gain access meanwhile, and only the owner may change permissions.
    private void ownership() throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(created, PosixFileAttributeView.class);
        if (view == null) {
            accessControlList();
            return;
        }
        PosixFileAttributes before = Files.readAttributes(old, PosixFileAttributes.class);
        PosixFileAttributes now = view.readAttributes();
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(before.permissions());
        if (!now.group().equals(before.group())) {
            try {
                view.setGroup(before.group());
            } catch (IOException e) {
                // The permissions were meant for another group.
                GROUP_AND_OTHERS.forEach((group, others) -> {
                    if (!permissions.contains(others)) {
                        permissions.remove(group);
                    }
                });
                losses.add(old + " goes from the group " + before.group() + " to the group " + now.group()
                        + ", which may do no more than all others: only the superuser and members may give files to"
                        + " that group (chgrp)");
            }
        }
        view.setPermissions(permissions);
        if (!now.owner().equals(before.owner())) {
            try {
                view.setOwner(before.owner());
            } catch (IOException e) {
                losses.add(old + " goes from the owner " + before.owner() + " to the owner " + now.owner()
                        + ": only the superuser may give files to others (chown)");
            }
        }
    }

    /// Copies what Windows has in place of permissions. Most files have the list that their folder gives to new ones.
    private void accessControlList() {
        AclFileAttributeView from = Files.getFileAttributeView(old, AclFileAttributeView.class);
        AclFileAttributeView to = Files.getFileAttributeView(created, AclFileAttributeView.class);
        if (from == null || to == null) {
            return;
        }
        try {
            if (!from.getAcl().equals(to.getAcl())) {
                to.setAcl(from.getAcl());
            }
        } catch (IOException e) {
            losses.add(old + " loses its access control list: " + FileFailure.reason(e));
        }
    }

    private void links() throws IOException {
        if (old.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            int names = (Integer) Files.getAttribute(old, "unix:nlink");
            if (names > 1) {
                losses.add(old + " is no longer the same file as its other "
                        + (names == 2 ? "name (hard link), which keeps" : names - 1 + " names (hard links), which keep")
                        + " the old content");
            }
        }
    }
}
