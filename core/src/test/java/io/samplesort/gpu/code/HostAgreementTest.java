package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.errors.KernelCompilationException;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What is changed in the CUDA files alone does not compile: here with NVRTC, and with the emulator's compiler.
@Tag("nvrtc")
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class HostAgreementTest {
    @Test
    void aRenamedFieldDoesNotCompile() {
        assertRefused(KernelProgram.SPLITTERS, "segment_offsets", "segment_starts", "segment_offsets");
    }

    @Test
    void aDroppedFieldDoesNotCompile() {
        assertRefused(KernelProgram.MERGE_SORT, "    u32* taken; ", "    // u32* taken; ", "sizeof(Queues)");
    }

    @Test
    void anAddedFieldDoesNotCompile() {
        assertRefused(
                KernelProgram.MERGE_SORT, "    Payload* payloads;", "    Payload *payloads, *more;", "ElementArray");
    }

    @Test
    void fieldsInAnotherOrderDoNotCompile() {
        assertRefused(
                KernelProgram.SPLITTERS,
                "    u64 element_count;\n    u64 segment_count;",
                "    u64 segment_count;\n    u64 element_count;",
                "the host has Pass::segment_count behind element_count");
    }

    @Test
    void anotherSumOfSharedMemoryDoesNotCompile() {
        assertRefused(
                KernelProgram.SPLITTERS,
                "kMaxBucketCount * sizeof(RankRange)",
                "2 * kMaxBucketCount * sizeof(RankRange)",
                "SampleShared::bytes()");
    }

    @Test
    void anotherSizeClassDoesNotCompile() {
        assertRefused(
                KernelProgram.MERGE_SORT, "(has_halves ? 8 : 12)", "(has_halves ? 9 : 12)", "size_class_threads(4)");
    }

    @Test
    void anotherSizeOfTheMergesProgressDoesNotCompile() {
        assertRefused(KernelProgram.MERGE_SORT, "misfit[kMaxMergeRounds]", "misfit[60]", "sizeof(MergeProgress)");
    }

    /// @param complaint what the compiler says in the header of the host
    private static void assertRefused(KernelProgram program, String text, String changed, String complaint) {
        Nvrtc.Program source = changed(program, text, changed);
        assertThatExceptionOfType(KernelCompilationException.class)
                .isThrownBy(() -> Nvrtc.compile(source, KernelSource.options("sm_90")))
                .satisfies(refusal ->
                        assertThat(refusal.log()).contains(HostAgreement.FILE).contains(complaint));
    }

    /// Returns a program with some text replaced wherever it stands in the CUDA files.
    private static Nvrtc.Program changed(KernelProgram program, String text, String changed) {
        KernelElement element = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
        Tuning tuning = Tuning.defaultFor(ElementType.LONG, null);
        Nvrtc.Program source = KernelSource.programs(element, tuning).get(program);
        Map<String, String> headers = new LinkedHashMap<>(source.headers());
        headers.replaceAll((name, header) -> name.equals(HostAgreement.FILE) ? header : header.replace(text, changed));
        assertThat(headers).as("with '%s' replaced", text).isNotEqualTo(source.headers());
        return new Nvrtc.Program(source.name(), source.source(), headers);
    }
}
