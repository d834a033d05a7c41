package io.samplesort.kernels.making;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.cubins.ReadyProgram;
import io.samplesort.gpu.cubins.ReadyTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The real compiler makes what the archives hold, and the same each time. Needs NVRTC and no GPU. It compiles one
/// program of `int` keys for each target, and two for those whose code is compared; a release compiles all.
@Tag("nvrtc")
class MakeKernelsTest {
    @ParameterizedTest
    @EnumSource
    void programsCompileForEachTargetAndTheSameEachTime(ReadyTarget target) throws IOException {
        assertThat(Nvrtc.unavailableReason()).isEmpty();
        boolean isCompiledTwice = target == ReadyTarget.SM_90 || target == ReadyTarget.SM_100;
        List<ReadyProgram> programs =
                ReadyProgram.all(target).stream().limit(isCompiledTwice ? 2 : 1).toList();
        for (ReadyProgram program : programs) {
            byte[] code = program.compile(target);
            if (target.isPtx()) {
                assertThat(new String(code, StandardCharsets.US_ASCII)).contains(".target sm_100");
                assertThat(code[code.length - 1]).isZero();
            } else {
                assertThat(code).startsWith(0x7f, 'E', 'L', 'F');
            }
            if (isCompiledTwice) {
                assertThat(program.compile(target)).as(program.family()).isEqualTo(code);
            }
        }
    }
}
