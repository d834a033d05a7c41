package io.samplesort;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sorters that wait for their next sort, of several kinds. The one given back last is lent first. All together keep no
/// more memory than a limit, and there are no more of them than another one; beyond that, the ones that have waited
/// longest are closed.
final class IdleSorters {
    private record Idle(AutoCloseable sorter, long bytes, long since) {}

    private final long mostBytes;
    private final int mostSorters;
    /// Of each kind, the one that has waited longest comes last. The lock of this object guards all: the JDK's
    /// collections that need no lock take 5 ms to load.
    private final Map<Object, Deque<Idle>> idle = new HashMap<>();

    private long bytes;
    private int count;
    private long now;

    /// @param mostBytes   of host memory
    /// @param mostSorters of all kinds
    IdleSorters(long mostBytes, int mostSorters) {
        this.mostBytes = mostBytes;
        this.mostSorters = mostSorters;
    }

    /// Returns a sorter of this kind, which is not idle any more; null if there is none.
    synchronized @Nullable AutoCloseable take(Object kind) {
        Deque<Idle> ofKind = idle.get(kind);
        return ofKind == null || ofKind.isEmpty() ? null : removed(ofKind.pollFirst());
    }

    private AutoCloseable removed(Idle one) {
        bytes -= one.bytes;
        count--;
        return one.sorter;
    }

    /// Takes a sorter that is not in use any more, and closes it if it alone keeps more than all may.
    ///
    /// @param keptBytes how much host memory it keeps
    void giveBack(Object kind, AutoCloseable sorter, long keptBytes) {
        List<AutoCloseable> surplus = keptBytes > mostBytes ? List.of(sorter) : add(kind, sorter, keptBytes);
        for (AutoCloseable one : surplus) {
            try {
                close(one);
            } catch (RuntimeException e) {
                // A GPU that is lost keeps nothing, and the sort that has just ended is not to blame.
            }
        }
    }

    /// Returns those that are to be closed.
    private synchronized List<AutoCloseable> add(Object kind, AutoCloseable sorter, long keptBytes) {
        idle.computeIfAbsent(kind, any -> new ArrayDeque<>()).addFirst(new Idle(sorter, keptBytes, now++));
        bytes += keptBytes;
        count++;
        if (bytes <= mostBytes && count <= mostSorters) {
            return List.of();
        }
        List<AutoCloseable> surplus = new ArrayList<>();
        while (bytes > mostBytes || count > mostSorters) {
            surplus.add(removed(longestIdle().removeLast()));
        }
        return surplus;
    }

    /// Returns the sorters of the kind of which one has waited longest.
    private Deque<Idle> longestIdle() {
        Deque<Idle> longest = new ArrayDeque<>();
        for (Deque<Idle> ofKind : idle.values()) {
            if (!ofKind.isEmpty() && (longest.isEmpty() || ofKind.peekLast().since < longest.peekLast().since)) {
                longest = ofKind;
            }
        }
        return longest;
    }

    /// Closes all that are idle now.
    void release() {
        RuntimeException failure = null;
        for (AutoCloseable one : removeAll()) {
            try {
                close(one);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized List<AutoCloseable> removeAll() {
        List<AutoCloseable> all = new ArrayList<>();
        idle.values().forEach(ofKind -> ofKind.forEach(one -> all.add(one.sorter)));
        idle.clear();
        bytes = 0;
        count = 0;
        return all;
    }

    private static void close(AutoCloseable sorter) {
        try {
            sorter.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("sorters throw no checked exceptions", e);
        }
    }

    /// Returns how much host memory all of them keep.
    synchronized long keptBytes() {
        return bytes;
    }

    /// Returns how many there are.
    synchronized int count() {
        return count;
    }
}
