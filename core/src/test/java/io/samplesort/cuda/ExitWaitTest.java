package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The end of a process waits for threads in the driver or the compiler.
class ExitWaitTest {
    @Test
    void aProcessEndsAfterItsCompilations() throws Exception {
        assertThat(ChildJvm.run(List.of(), ExitWaitTest.class)).isEqualTo("50 compiled");
    }

    /// Starts work that begins when this thread ends.
    public static void main(String[] arguments) {
        Thread main = Thread.currentThread();
        Background<Integer> first = Background.startNative("first", () -> {
            main.join();
            return 50;
        });
        Background.startNative("second", () -> {
            System.out.print(first.result() + " compiled");
            return true;
        });
    }
}
