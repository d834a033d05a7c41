package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

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

/// Holds modules to the rule that everything that can be closed may be closed twice. The classes are found on the
/// class path. Those that only close what they hold, or return at once where a field says that they are closed, show so
/// by their code. Of all others the test of the module makes one, which is closed twice, or has a reason why not.
public final class ClosedTwice {
    private ClosedTwice() {}

    /// Checks all classes of some modules.
    ///
    /// @param members any class of each
    /// @param least   how many classes there are at least that can be closed
    /// @param open    what is closed twice here
    /// @param reasons why others need not be, by the simple names of their classes
    public static void check(List<Class<?>> members, int least, List<AutoCloseable> open, Map<String, String> reasons)
            throws Exception {
        Map<Class<?>, AutoCloseable> made = new HashMap<>();
        open.forEach(one -> made.put(one.getClass(), one));
        Set<String> unknown = new TreeSet<>();
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> member : members) {
            found.addAll(closeables(member));
        }
        assertThat(found).hasSizeGreaterThan(least);
        for (Class<?> type : found) {
            AutoCloseable one = made.remove(type);
            if (one != null) {
                one.close();
                assertThatCode(one::close).as(type.getName()).doesNotThrowAnyException();
            } else if (!closesWhatItHolds(type) && !reasons.containsKey(type.getSimpleName())) {
                unknown.add(type.getName());
            }
        }
        assertThat(unknown).as("classes to make here and close twice").isEmpty();
        assertThat(made).as("classes that are not there any more").isEmpty();
    }

    /// Returns what can be closed of a module, whose classes may be in a folder or a jar.
    private static List<Class<?>> closeables(Class<?> member) throws Exception {
        Path classes = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(classes)) {
            return closeables(classes);
        }
        try (FileSystem jar = FileSystems.newFileSystem(classes)) {
            return closeables(jar.getPath("/"));
        }
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
        return Class.forName(internalName.replace('/', '.'), false, ClosedTwice.class.getClassLoader());
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
        if (owner.equals("io/samplesort/disk/Closing") || owner.equals("io/samplesort/disk/SortFolders")) {
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
