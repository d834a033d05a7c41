package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.samplesort.cpu.CpuSorter;
import io.samplesort.cpu.index.IndexedCpuSorter;
import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cuda.Owned;
import io.samplesort.files.OpenFiles;
import io.samplesort.gpu.team.TeamThreads;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.StringOrder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.foreign.Arena;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Everything that can be closed may be closed twice. The classes are found on the class path. Those that only close
/// what they hold, or return at once where a field says that they are closed, show so by their code. Of all others one
/// is made and closed twice, or a reason stands here why not.
class ClosedTwiceTest {
    private static final String WAITS =
            "needs a GPU; a second time it waits for the GPU once more and finds nothing to do";

    private static final Map<String, String> REASONS = Map.of(
            "WaitedCall", WAITS,
            "DeviceRuns", WAITS,
            "RunStream", WAITS,
            "Use", WAITS,
            "ExchangeTeam", WAITS,
            "DownloadFlow", WAITS,
            "UploadFlow", WAITS,
            "Workspace", "needs a GPU; it closes what it holds, and tells the guard of tests before");

    @TempDir
    Path folder;

    @Test
    void everythingMayBeClosedTwice() throws Exception {
        Map<Class<?>, AutoCloseable> made = made();
        Set<String> unknown = new TreeSet<>();
        for (Class<?> type : closeables()) {
            AutoCloseable open = made.remove(type);
            if (open != null) {
                open.close();
                assertThatCode(open::close).as(type.getName()).doesNotThrowAnyException();
            } else if (!closesWhatItHolds(type) && !REASONS.containsKey(type.getSimpleName())) {
                unknown.add(type.getName());
            }
        }
        assertThat(unknown).as("classes to make here and close twice").isEmpty();
        assertThat(made).as("classes that are not there any more").isEmpty();
    }

    private Map<Class<?>, AutoCloseable> made() throws IOException {
        Map<Class<?>, AutoCloseable> made = new HashMap<>();
        List<AutoCloseable> open = new ArrayList<>(OpenFiles.in(folder));
        open.add(new CpuSorter(ElementType.INT, null, Order.natural(), 2));
        open.add(new IndexedCpuSorter(ElementType.INT, List.of(), Order.natural(), 2));
        open.add(new StringCpuSorter(StringOrder.bytes(), 2));
        open.add(new Crew(2, Runnable::run));
        open.add(new TeamThreads(2));
        Owned owned = new Owned();
        owned.add(new Crew(2, Runnable::run));
        open.add(owned);
        LineSource lines = LineSource.of(folder.resolve("large"));
        lines.open();
        open.add(lines);
        open.forEach(one -> made.put(one.getClass(), one));
        return made;
    }

    /// Returns where the classes of a module are, which may be a folder or a jar.
    private static Path classes(Class<?> one) throws URISyntaxException {
        return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static List<Class<?>> closeables() throws Exception {
        List<Class<?>> found = new ArrayList<>(closeables(classes(Sorter.class)));
        Path bindings = classes(Owned.class);
        if (Files.isDirectory(bindings)) {
            found.addAll(closeables(bindings));
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(bindings)) {
                found.addAll(closeables(jar.getPath("/")));
            }
        }
        assertThat(found).hasSizeGreaterThan(60);
        return found;
    }

    private static List<Class<?>> closeables(Path root) throws Exception {
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String path = root.relativize(file).toString().replace('\\', '/');
                if (path.endsWith(".class") && !path.endsWith("-info.class")) {
                    String name = path.substring(0, path.length() - ".class".length());
                    Class<?> type = load(name);
                    if (AutoCloseable.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
                        found.add(type);
                    }
                }
            }
        }
        return found;
    }

    private static Class<?> load(String internalName) throws ClassNotFoundException {
        return Class.forName(internalName.replace('/', '.'), false, Sorter.class.getClassLoader());
    }

    private static boolean closesWhatItHolds(Class<?> type) throws Exception {
        Class<?> owner = type.getMethod("close").getDeclaringClass();
        CodeModel code = code(owner, "close", "()V");
        return isGuarded(code) || onlyCloses(owner, code);
    }

    private static CodeModel code(Class<?> owner, String name, String descriptor) throws Exception {
        byte[] file;
        try (InputStream in = owner.getResourceAsStream("/" + owner.getName().replace('.', '/') + ".class")) {
            file = in.readAllBytes();
        }
        for (MethodModel method : ClassFile.of().parse(file).methods()) {
            if (method.methodName().equalsString(name) && method.methodType().equalsString(descriptor)) {
                return method.code().orElseThrow();
            }
        }
        throw new AssertionError(owner + " has no " + name + descriptor);
    }

    /// Returns whether the code begins with a look at a field of its object that it sets later, or leaves that to the
    /// class that does so for all sorters.
    private static boolean isGuarded(CodeModel code) {
        List<Instruction> all = instructions(code);
        boolean isBySorters = all.stream()
                .anyMatch(one -> one instanceof InvokeInstruction call
                        && call.owner().asInternalName().endsWith("/OneUser"));
        return isBySorters
                || all.size() > 3
                        && all.get(1) instanceof FieldInstruction read
                        && read.type().equalsString("Z")
                        && all.get(2) instanceof BranchInstruction
                        && all.stream()
                                .filter(FieldInstruction.class::isInstance)
                                .map(FieldInstruction.class::cast)
                                .anyMatch(later -> later != read
                                        && later.name().equalsString(read.name().stringValue()));
    }

    private static List<Instruction> instructions(CodeModel code) {
        return code.elementList().stream()
                .filter(Instruction.class::isInstance)
                .map(Instruction.class::cast)
                .toList();
    }

    private static boolean onlyCloses(Class<?> owner, CodeModel code) throws Exception {
        for (Instruction instruction : instructions(code)) {
            boolean isFine = switch (instruction) {
                case InvokeInstruction call ->
                    isClosing(
                            call.owner().asInternalName(),
                            call.name().stringValue(),
                            call.type().stringValue());
                case InvokeDynamicInstruction lambda -> onlyCloses(owner, lambda);
                default -> true;
            };
            if (!isFine) {
                return false;
            }
        }
        return true;
    }

    private static boolean onlyCloses(Class<?> owner, InvokeDynamicInstruction lambda) throws Exception {
        for (Object argument : lambda.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc body) {
                String type = body.owner().descriptorString();
                String internalName = type.substring(1, type.length() - 1);
                return internalName.equals(owner.getName().replace('.', '/'))
                        ? onlyCloses(owner, code(owner, body.methodName(), body.lookupDescriptor()))
                        : isClosing(internalName, body.methodName(), body.lookupDescriptor());
            }
        }
        return false;
    }

    /// Returns whether a call closes something that may be closed twice, or brings such things together. Arenas of the
    /// JDK are the exception to its rule that closing twice is legal.
    private static boolean isClosing(String owner, String name, String descriptor) throws Exception {
        if (owner.startsWith("java/util/") || name.equals("addSuppressed")) {
            return true;
        }
        if (owner.equals("io/samplesort/files/Closing") || owner.equals("io/samplesort/files/SortFolders")) {
            return true;
        }
        Class<?> closed = load(owner);
        boolean isPart = closed.isRecord() && descriptor.startsWith("()");
        return isPart
                || name.equals("close")
                        && descriptor.equals("()V")
                        && AutoCloseable.class.isAssignableFrom(closed)
                        && !Arena.class.isAssignableFrom(closed);
    }
}
