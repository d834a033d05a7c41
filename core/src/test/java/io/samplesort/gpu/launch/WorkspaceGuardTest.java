package io.samplesort.gpu.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.emulator.Emulator;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The watch over the gaps between the regions of a workspace: it finds what touches them, and no sort does.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class WorkspaceGuardTest {
    private final WorkspaceGuard ofAllTests = WorkspaceGuard.installed();
    private final GuardBytes guard = new GuardBytes();

    @BeforeEach
    void install() {
        WorkspaceGuard.install(guard);
    }

    @AfterEach
    void restore() {
        WorkspaceGuard.install(ofAllTests);
    }

    @Test
    void everyRegionHasAGapBehindIt() {
        WorkspaceLayout layout = layout();
        // Five counters, and of two passes segments, splitters, queues and a buffer.
        assertThat(layout.gaps()).hasSizeGreaterThan(15);
        assertThat(layout.gaps()).allMatch(gap -> gap.byteSize() >= GuardBytes.GAP_BYTES);
        WorkspaceGuard.install(WorkspaceGuard.NONE);
        assertThat(layout().gaps()).isEmpty();
        assertThat(layout().byteSize()).isLessThan(layout.byteSize());
    }

    @Test
    void guardBytesTellWhatIsOverwritten() {
        WorkspaceLayout layout = layout();
        WorkspaceGuard.Gap last = layout.gaps().getLast();
        for (long offset : new long[] {0, last.byteSize() - 1}) {
            withWorkspace(layout, workspace -> {});
            assertThatCode(guard::check).doesNotThrowAnyException();
            withWorkspace(
                    layout,
                    workspace -> workspace.stream().fill(workspace.address(last.begin() + offset), (byte) 1, 1));
            assertThatThrownBy(guard::check)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("behind region " + (layout.gaps().size() - 1))
                    .hasMessageContaining("but was: " + offset);
        }
    }

    @Test
    void guardBytesAreUnharmedBySorts() {
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .payload(ElementType.INT)
                .build(ElementType.LONG)) {
            for (int count : new int[] {100, 5000}) {
                long[] keys = new SplittableRandom(count).longs(count).toArray();
                sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(new int[count]));
                assertThat(keys).isSorted();
            }
        }
        assertThatCode(guard::check).doesNotThrowAnyException();
    }

    @Test
    void theEmulatedGpuForbidsTheGaps() {
        assumeTrue(GpuEnvironment.IS_EMULATED, "a real GPU forbids nothing");
        WorkspaceGuard.install(ofAllTests);
        WorkspaceLayout layout = layout();
        withWorkspace(layout, workspace -> {
            for (WorkspaceGuard.Gap gap : layout.gaps()) {
                for (long offset : new long[] {0, gap.byteSize() - 1}) {
                    long address = workspace.address(gap.begin() + offset);
                    assertThatThrownBy(() -> {
                                workspace.stream().copyOnDevice(address, address, 1);
                                workspace.stream().synchronize();
                            })
                            .hasMessageContaining("touches memory that is forbidden");
                    Emulator.start().reset();
                }
            }
        });
    }

    private static WorkspaceLayout layout() {
        return new DividingLayout(
                        SortPlan.of(5000, GpuContractTest.TINY),
                        KernelElement.of(ElementType.LONG, List.of(ElementType.INT), Order.natural(), false),
                        GpuContractTest.TINY,
                        1)
                .memory;
    }

    private static void withWorkspace(WorkspaceLayout layout, Consumer<Workspace> work) {
        try (Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Workspace workspace = new Workspace(context, stream, layout, 0)) {
            work.accept(workspace);
        }
    }
}
