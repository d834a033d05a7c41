package io.samplesort.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/// Brings classes that were compiled for Java 5 to a form that Java keeps in an archive of classes. Java keeps none of
/// these classes as they are, because they lack the tables by which it checks later ones. So it would read, check and
/// link them again each time the command starts. Picocli's classes are of this kind.
final class ArchivableClasses {
    /// The first version of class files that have these tables for certain.
    private static final int VERSION = ClassFile.JAVA_7_VERSION;

    /// Where a class file has its version.
    private static final int VERSION_OFFSET = 6;

    private ArchivableClasses() {}

    /// @param arguments jars, each of which is replaced if it has such classes
    public static void main(String[] arguments) throws IOException {
        for (String jar : arguments) {
            renew(Path.of(jar));
        }
    }

    /// Replaces a jar by one with the same files, and with classes that can be archived. A jar without older classes
    /// stays as it is. The new jar has the time of the old one, so that processes that renew it at once get the same,
    /// as far as Java checks.
    ///
    /// @return whether it was replaced
    static boolean renew(Path jar) throws IOException {
        if (!hasOldClasses(jar)) {
            return false;
        }
        Path renewed = jar.resolveSibling(
                jar.getFileName() + ".renewed-" + ProcessHandle.current().pid());
        try {
            FileTime time = Files.getLastModifiedTime(jar);
            try (ZipFile source = new ZipFile(jar.toFile());
                    ZipOutputStream target = new ZipOutputStream(Files.newOutputStream(renewed));
                    URLClassLoader loader =
                            new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
                ClassFile classes = ClassFile.of(
                        ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                        ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)));
                for (ZipEntry entry : source.stream().toList()) {
                    byte[] content = content(source, entry);
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTime(entry.getTime());
                    target.putNextEntry(copy);
                    target.write(isOld(entry, content) ? renewed(classes, classes.parse(content)) : content);
                    target.closeEntry();
                }
            }
            Files.setLastModifiedTime(renewed, time);
            Files.move(renewed, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } finally {
            Files.deleteIfExists(renewed);
        }
    }

    private static boolean hasOldClasses(Path jar) throws IOException {
        try (ZipFile source = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : source.stream().toList()) {
                if (isOld(entry, content(source, entry))) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isOld(ZipEntry entry, byte[] content) {
        return entry.getName().endsWith(".class") && ByteBuffer.wrap(content).getShort(VERSION_OFFSET) < VERSION;
    }

    private static byte[] content(ZipFile source, ZipEntry entry) throws IOException {
        try (InputStream in = source.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    /// Returns the same class in the later version. Its code goes through the builder, which makes the tables.
    private static byte[] renewed(ClassFile classes, ClassModel model) {
        MethodTransform code = MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL);
        return classes.build(model.thisClass(), ConstantPoolBuilder.of(), builder -> {
            builder.withVersion(VERSION, 0);
            for (var element : model) {
                if (element instanceof MethodModel method) {
                    builder.transformMethod(method, code);
                } else if (!(element instanceof ClassFileVersion)) {
                    builder.with(element);
                }
            }
        });
    }
}
