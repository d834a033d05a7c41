package io.samplesort.files;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules between the packages of files and lines, as ARCHITECTURE.md states them. Of core, they know what it
/// exports, to everybody or to this module.
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(FileSort.class.getProtectionDomain().getCodeSource().getLocation());

    /// What each package may import in addition to itself and the JDK. A package that is not listed may not exist.
    private static final Map<String, List<String>> MAY_IMPORT = Map.of(
            "files.types",
            List.of(),
            "disk",
            List.of("memory"),
            "external",
            List.of("disk", "files.types", "memory", "reports", "shared", "types"),
            "lines.keys",
            List.of("files.types", "types"),
            "lines.flow",
            List.of("lines.keys", "disk", "shared"),
            "lines.chunks",
            List.of("lines.flow", "lines.keys", "memory", "shared", "types"),
            "lines.runs",
            List.of("lines.flow", "lines.keys", "disk", "types"),
            "lines",
            List.of(
                    "lines.chunks",
                    "lines.runs",
                    "lines.flow",
                    "lines.keys",
                    "disk",
                    "files.types",
                    "memory",
                    "reports",
                    "shared",
                    "types"),
            "files",
            List.of(
                    "external",
                    "lines",
                    "lines.flow",
                    "disk",
                    "errors",
                    "files.types",
                    "",
                    "memory",
                    "shared",
                    "types"));

    @ParameterizedTest
    @MethodSource("packages")
    void importsRunOneWay(String name) {
        assertThat(MAY_IMPORT)
                .as("the packages that have a place in the architecture")
                .containsKey(name);
        String[] allowed = Stream.concat(Stream.of(name), MAY_IMPORT.get(name).stream())
                .map(ArchitectureTest::fullName)
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(fullName(name))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(Stream.of(allowed), Stream.of("java..", "org.jspecify.annotations"))
                        .toArray(String[]::new))
                .check(CLASSES);
    }

    static List<String> packages() {
        return CLASSES.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .map(full -> full.substring("io.samplesort.".length()))
                .sorted()
                .toList();
    }

    private static String fullName(String name) {
        return name.isEmpty() ? "io.samplesort" : "io.samplesort." + name;
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.samplesort.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyWhatUsersNeedIsExported() throws URISyntaxException {
        Path classes = Path.of(FileSort.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        assertThat(ModuleFinder.of(classes)
                        .find("io.samplesort.files")
                        .orElseThrow()
                        .descriptor()
                        .exports())
                .filteredOn(exports -> !exports.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder("io.samplesort.files", "io.samplesort.files.types");
    }
}
