package io.samplesort.gpu;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/// Has several processes share tests: all of them find the same tests, and whoever makes the file of a test in the
/// folder `-Dtests.shared` runs it. So no process waits while there is a test left, however long each of them takes.
///
/// Each invocation of a parameterized test is a test of its own here. The file tells in its first line how the test
/// ended, after how many milliseconds, in which process, and what it is called; behind it is the stack trace of a
/// failure. A test whose file says that it runs has not ended, and neither has its process.
///
/// A failure may leave the GPU's context useless to all tests that follow. So the process runs no more tests, and
/// another one has to take its place.
///
/// JUnit finds this class as a service where `junit.jupiter.extensions.autodetection.enabled` is set, as
/// `bin/gpu-tests`
/// does.
public final class SharedTests implements ExecutionCondition, TestWatcher {
    private static final String FOLDER = System.getProperty("tests.shared");
    private static final Map<String, Long> BEGUN = new ConcurrentHashMap<>();
    private static volatile boolean hasFailed;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (FOLDER == null || !isTest(context)) {
            return ConditionEvaluationResult.enabled("not shared");
        }
        if (hasFailed) {
            return ConditionEvaluationResult.disabled("a test of this process has failed");
        }
        try {
            Files.writeString(file(context), line("running", 0, context), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            return ConditionEvaluationResult.disabled("another process runs it");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        BEGUN.put(context.getUniqueId(), System.nanoTime());
        return ConditionEvaluationResult.enabled("this process runs it");
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        end(context, "successful", null);
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        end(context, "aborted", cause);
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        hasFailed = true;
        end(context, "failed", cause);
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        // Another process tells how it ends.
    }

    private static void end(ExtensionContext context, String how, Throwable cause) {
        Long begun = BEGUN.remove(context.getUniqueId());
        if (begun == null) {
            return;
        }
        StringWriter text = new StringWriter();
        text.append(line(how, (System.nanoTime() - begun) / 1_000_000, context));
        if (cause != null) {
            cause.printStackTrace(new PrintWriter(text, true));
        }
        try {
            Files.writeString(file(context), text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(String how, long milliseconds, ExtensionContext context) {
        String name = context.getRequiredTestClass().getName() + "#"
                + context.getRequiredTestMethod().getName() + " " + context.getDisplayName();
        return String.join(
                        "\t",
                        how,
                        Long.toString(milliseconds),
                        Long.toString(ProcessHandle.current().pid()),
                        name.replaceAll("\\s+", " "))
                + "\n";
    }

    /// Whether this is a test or one invocation of a parameterized one, and nothing that holds tests.
    private static boolean isTest(ExtensionContext context) {
        String last = lastSegment(context);
        return last.startsWith("[method:") || last.startsWith("[test-template-invocation:");
    }

    private static String lastSegment(ExtensionContext context) {
        String id = context.getUniqueId();
        return id.substring(id.lastIndexOf("/[") + 1);
    }

    private static Path file(ExtensionContext context) {
        String id = context.getUniqueId();
        String name = id.substring(id.indexOf("/[") + 2).replaceAll("[^A-Za-z0-9.]+", "_");
        return Path.of(FOLDER, name);
    }
}
