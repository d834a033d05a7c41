package io.samplesort.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules between the packages of the command.
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

    /// What each package may import in addition to itself, the exceptions of the library and the JDK. A package that is
    /// not listed may not exist.
    private static final Map<String, List<String>> MAY_IMPORT = Map.of(
            "io.samplesort.cli.report",
            List.of("io.samplesort.types", "io.samplesort.files.types", "com.fasterxml.jackson.jr.."),
            "io.samplesort.cli.npy",
            List.of(
                    "io.samplesort.cli.report",
                    "io.samplesort.types",
                    "io.samplesort.files.types",
                    "io.samplesort.testkit"),
            "io.samplesort.cli.data",
            List.of(
                    "io.samplesort.cli.npy",
                    "io.samplesort.cli.report",
                    "io.samplesort.types",
                    "io.samplesort.files.types",
                    "io.samplesort.disk",
                    "io.samplesort.testkit"),
            "io.samplesort.cli.values",
            List.of(
                    "io.samplesort.cli.data",
                    "io.samplesort.cli.tune",
                    "io.samplesort",
                    "io.samplesort.types",
                    "io.samplesort.files",
                    "io.samplesort.files.types",
                    "io.samplesort.testkit",
                    "picocli"),
            "io.samplesort.cli.tune",
            List.of(
                    "io.samplesort.cli.report",
                    "io.samplesort",
                    "io.samplesort.types",
                    "io.samplesort.cuda",
                    "io.samplesort.gpu.cubins",
                    "io.samplesort.testkit"),
            "io.samplesort.cli.options",
            List.of(
                    "io.samplesort.cli.values",
                    "io.samplesort.cli.data",
                    "io.samplesort.cli.report",
                    "io.samplesort",
                    "io.samplesort.types",
                    "io.samplesort.files",
                    "io.samplesort.files.types",
                    "io.samplesort.testkit",
                    "picocli"),
            "io.samplesort.cli.shell",
            List.of("io.samplesort.cli.options", "picocli"),
            "io.samplesort.cli",
            List.of(
                    "io.samplesort.cli.shell",
                    "io.samplesort.cli.options",
                    "io.samplesort.cli.values",
                    "io.samplesort.cli.data",
                    "io.samplesort.cli.report",
                    "io.samplesort.cli.tune",
                    "io.samplesort",
                    "io.samplesort.types",
                    "io.samplesort.files",
                    "io.samplesort.files.types",
                    "io.samplesort.disk",
                    "io.samplesort.cuda",
                    "io.samplesort.gpu.cubins",
                    "io.samplesort.testkit",
                    "picocli"));

    @ParameterizedTest
    @MethodSource("packages")
    void importsRunOneWay(String name) {
        assertThat(MAY_IMPORT)
                .as("the packages that have a place in the architecture")
                .containsKey(name);
        String[] allowed = Stream.of(List.of(name, "io.samplesort.errors", "java.."), MAY_IMPORT.get(name))
                .flatMap(List::stream)
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(CLASSES);
    }

    static List<String> packages() {
        return CLASSES.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.samplesort.(**)").should().beFreeOfCycles().check(CLASSES);
    }
}
