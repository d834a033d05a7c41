package io.samplesort.gpu.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A watch for any GPU, also a real one: it fills the gaps of each workspace with a pattern, and copies them back
/// behind the last kernel. No thread waits for these copies before [#check], so sorts overlap as they do without a
/// watch.
final class GuardBytes extends WorkspaceGuard {
    static final byte PATTERN = (byte) 0xa5;
    static final long GAP_BYTES = 256;

    /// The gaps of one workspace as they were at its end.
    private record Copy(List<Gap> gaps, List<MemorySegment> found, Event copied) {}

    private final List<Copy> copies = new ArrayList<>();
    private Owned owned = new Owned();

    GuardBytes() {
        super(GAP_BYTES);
    }

    @Override
    void opened(Workspace workspace) {
        for (Gap gap : workspace.layout().gaps()) {
            workspace.stream().fill(workspace.address(gap.begin()), PATTERN, gap.byteSize());
        }
    }

    @Override
    synchronized void closing(Workspace workspace) {
        // The copies outlive the sorter, and so must the context.
        Context context = owned.add(Context.retainPrimary(0));
        List<Gap> gaps = workspace.layout().gaps();
        long bytes = gaps.stream().mapToLong(Gap::byteSize).sum();
        MemorySegment all = owned.add(PinnedMemory.allocate(context, bytes)).segment();
        List<MemorySegment> found = new ArrayList<>();
        long filled = 0;
        for (Gap gap : gaps) {
            MemorySegment copy = all.asSlice(filled, gap.byteSize());
            workspace.stream().copyToHost(copy, workspace.address(gap.begin()), gap.byteSize());
            found.add(copy);
            filled += gap.byteSize();
        }
        Event copied = owned.add(Event.create(context, false));
        copied.record(workspace.stream());
        copies.add(new Copy(gaps, found, copied));
    }

    /// Waits for the workspaces that have been closed so far, and fails if something has written to a gap of theirs.
    synchronized void check() {
        if (copies.isEmpty()) {
            return;
        }
        try (Owned ended = owned;
                Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter()) {
            owned = new Owned();
            for (Copy copy : copies) {
                copy.copied.synchronize();
                for (int i = 0; i < copy.gaps.size(); i++) {
                    MemorySegment expected = MemorySegment.ofArray(
                            new byte[(int) copy.gaps.get(i).byteSize()]);
                    expected.fill(PATTERN);
                    assertThat(expected.mismatch(copy.found.get(i)))
                            .as(
                                    "first byte that was overwritten behind region %d of %d, which ends at %d",
                                    i, copy.gaps.size(), copy.gaps.get(i).begin())
                            .isEqualTo(-1);
                }
            }
        } finally {
            copies.clear();
        }
    }
}
