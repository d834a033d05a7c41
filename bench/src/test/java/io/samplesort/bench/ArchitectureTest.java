package io.samplesort.bench;

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

/// The rules between the packages of the benchmarks.
class ArchitectureTest {
    private static final String ROOT = "io.samplesort.bench";

    private static final String CUDA = "io.samplesort.cuda";
    private static final String TYPES = "io.samplesort.types";
    private static final String TESTKIT = "io.samplesort.testkit";

    /// All classes of this module but those that JMH generates.
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("jmh_generated"))
            .importUrl(Bench.class.getProtectionDomain().getCodeSource().getLocation());

    /// What each package may import beside itself and the JDK. Names with a dot in front are packages of this module,
    /// from
    /// the bottom to the top. A package that is not listed may not exist.
    private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(
            Map.entry(
                    ".results",
                    List.of("io.samplesort", CUDA, TYPES, TESTKIT, "picocli", "com.fasterxml.jackson.jr.ob")),
            Map.entry(".baselines", List.of("io.samplesort", CUDA)),
            Map.entry(".workload", List.of(".baselines", "io.samplesort", CUDA, TYPES, TESTKIT, "io.samplesort.runs")),
            Map.entry(".measure", List.of(".workload", ".baselines", ".results", CUDA, TYPES, "picocli")),
            Map.entry(
                    ".plot",
                    List.of(
                            ".results",
                            "picocli",
                            "javax.imageio",
                            "org.knowm.xchart..",
                            "de.erichseifert.vectorgraphics2d..")),
            Map.entry(
                    ".device",
                    List.of(
                            ".measure",
                            ".workload",
                            ".baselines",
                            ".results",
                            "io.samplesort",
                            CUDA,
                            TYPES,
                            TESTKIT,
                            "picocli")),
            Map.entry(
                    ".records",
                    List.of(
                            ".measure",
                            ".workload",
                            ".baselines",
                            ".results",
                            "io.samplesort",
                            CUDA,
                            TYPES,
                            TESTKIT,
                            "picocli")),
            Map.entry(
                    ".host",
                    List.of(
                            ".workload",
                            ".results",
                            "io.samplesort",
                            TYPES,
                            TESTKIT,
                            "picocli",
                            "it.unimi.dsi.fastutil.longs",
                            "org.openjdk.jmh.annotations")),
            Map.entry(".files", List.of(".results", "io.samplesort", TYPES, TESTKIT, "picocli")),
            Map.entry(
                    ".start",
                    List.of(
                            ".workload",
                            ".results",
                            "io.samplesort",
                            CUDA,
                            TESTKIT,
                            "picocli",
                            "com.fasterxml.jackson.jr.ob")),
            Map.entry("", List.of(".device", ".records", ".host", ".files", ".start", ".plot", "picocli")));

    @ParameterizedTest
    @MethodSource("packages")
    void importsRunOneWay(String name) {
        assertThat(MAY_IMPORT)
                .as("the packages that have a place in the architecture")
                .containsKey(name);
        Stream<String> allowed = MAY_IMPORT.get(name).stream().map(ArchitectureTest::fullName);
        classes()
                .that()
                .resideInAPackage(fullName(name))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(Stream.of(fullName(name), "java.."), allowed)
                        .toArray(String[]::new))
                .check(CLASSES);
    }

    static List<String> packages() {
        return CLASSES.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .map(full -> full.substring(ROOT.length()))
                .sorted()
                .toList();
    }

    /// Turns `.results` into the name of the package of this module; other names are full already.
    private static String fullName(String name) {
        return name.isEmpty() || name.startsWith(".") ? ROOT + name : name;
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
    }
}
