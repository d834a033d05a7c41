package io.samplesort.study;

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

/// The rules between the packages of the study.
class ArchitectureTest {
    private static final String ROOT = "io.samplesort.study";

    private static final String BENCH = "io.samplesort.bench";
    private static final String CUDA = "io.samplesort.cuda";
    private static final String TYPES = "io.samplesort.types";
    private static final String TESTKIT = "io.samplesort.testkit";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Study.class.getProtectionDomain().getCodeSource().getLocation());

    /// What each package may import beside itself and the JDK. Names with a dot in front are packages of this module,
    /// from
    /// the bottom to the top. A package that is not listed may not exist.
    private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(
            // The sorts of 2008 and 2009 know nothing of today's.
            Map.entry(".historic", List.of(CUDA, TESTKIT, "org.apache.commons.rng..")),
            Map.entry(
                    ".measure",
                    List.of(
                            ".historic",
                            BENCH + ".measure",
                            BENCH + ".workload",
                            BENCH + ".baselines",
                            BENCH + ".results",
                            CUDA,
                            TYPES)),
            Map.entry(
                    ".paper",
                    List.of(
                            ".measure",
                            ".historic",
                            BENCH + ".measure",
                            BENCH + ".workload",
                            BENCH + ".baselines",
                            BENCH + ".results",
                            BENCH + ".plot",
                            "io.samplesort",
                            CUDA,
                            TYPES,
                            TESTKIT,
                            "picocli",
                            "it.unimi.dsi.fastutil..")),
            Map.entry(
                    ".ablation",
                    List.of(
                            ".measure",
                            ".historic",
                            BENCH + ".measure",
                            BENCH + ".workload",
                            BENCH + ".baselines",
                            BENCH + ".results",
                            BENCH + ".plot",
                            "io.samplesort",
                            CUDA,
                            TYPES,
                            TESTKIT,
                            "picocli",
                            "org.knowm.xchart..")),
            Map.entry("", List.of(".paper", ".ablation", BENCH, "picocli")));

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
