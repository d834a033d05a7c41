package io.samplesort.gpu;

import io.samplesort.RecordCase;
import io.samplesort.SortContract;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/// Has several processes share tests. All of them find the same tests in the folder `-Dtests.shared`, and none waits
/// while there is one left, however long each of them takes.
///
/// Tests that need the same kernels are a group, so that these are compiled once: the invocations of a parameterized
/// test, or all that a contract does with elements of one kind. The process `-Dtests.process` that makes the file of a
/// group runs all tests of it. Each test has a file that tells in its first line how it ended, after how many
/// milliseconds, in which process, and what it is called; behind it is the stack trace of a failure. A test whose file
/// says that it runs has not ended, and neither has its process.
///
/// A failure may leave the GPU's context useless to all tests that follow. So the process runs no more tests, and one
/// of the same name has to go on with its groups.
///
/// JUnit finds this class as a service where `junit.jupiter.extensions.autodetection.enabled` is set, as
/// `bin/gpu-tests` does.
public final class SharedTests implements ExecutionCondition, TestWatcher {
    private static final String FOLDER = System.getProperty("tests.shared");
    private static final String PROCESS = System.getProperty("tests.process", "");

    /// What a test sorts with kernels that are made for it.
    private static final Set<Class<?>> KINDS =
            Set.of(SortContract.Case.class, RecordCase.class, KeyType.class, ElementType.class);

    private static final Map<String, Boolean> OWN_GROUPS = new ConcurrentHashMap<>();
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
        if (!OWN_GROUPS.computeIfAbsent(group(context), SharedTests::take)
                || !isMade(file(context), line("running", 0, context))) {
            return ConditionEvaluationResult.disabled("another process runs it");
        }
        BEGUN.put(context.getUniqueId(), System.nanoTime());
        return ConditionEvaluationResult.enabled("this process runs it");
    }

    /// Returns whether this process runs the tests of a group.
    private static boolean take(String group) {
        Path file = Path.of(FOLDER, "groups", group);
        try {
            return isMade(file, PROCESS) || Files.readString(file).equals(PROCESS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes a file with this text; returns false if there is one already.
    private static boolean isMade(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        return String.join("\t", how, Long.toString(milliseconds), PROCESS, name.replaceAll("\\s+", " ")) + "\n";
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

    /// Returns the name of the tests that need the same kernels as this one.
    private static String group(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        boolean isOfOneKind = Arrays.stream(method.getParameterTypes()).anyMatch(KINDS::contains);
        // The name begins with the number of the invocation.
        String name = isOfOneKind ? context.getDisplayName().replaceFirst("^\\[[0-9]+] *", "") : method.getName();
        return fileName(context.getRequiredTestClass().getName() + "." + name);
    }

    private static Path file(ExtensionContext context) {
        String id = context.getUniqueId();
        return Path.of(FOLDER, "tests", fileName(id.substring(id.indexOf("/[") + 2)));
    }

    private static String fileName(String name) {
        return name.replaceAll("[^A-Za-z0-9.]+", "_");
    }
}
