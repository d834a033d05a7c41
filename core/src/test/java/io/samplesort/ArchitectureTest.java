package io.samplesort;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.samplesort.cuda.Kernel;
import io.samplesort.gpu.launch.KernelLaunch;
import java.lang.module.ModuleDescriptor;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules between the packages, as ARCHITECTURE.md states them.
class ArchitectureTest {
    /// The classes of the library, wherever they are: other modules have packages of the same names.
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(SampleSort.class.getProtectionDomain().getCodeSource().getLocation());

    /// What each package may import in addition to itself, the exceptions of the module `cuda` and the JDK. A package
    /// that is not listed may not exist.
    private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(
            Map.entry("keys", List.of()),
            Map.entry("types", List.of("keys")),
            Map.entry("reports", List.of("types")),
            Map.entry("memory", List.of()),
            Map.entry("shared", List.of("cpu.threads", "cpu.leaf", "keys", "types")),
            Map.entry("cpu.leaf", List.of()),
            Map.entry("cpu.threads", List.of("cpu.leaf", "reports")),
            Map.entry("cpu.numbers", List.of("cpu.threads", "cpu.leaf", "keys", "memory", "reports", "types")),
            Map.entry(
                    "cpu.records",
                    List.of("cpu.numbers", "cpu.threads", "cpu.leaf", "keys", "memory", "reports", "types")),
            Map.entry(
                    "cpu.segments",
                    List.of(
                            "cpu.select",
                            "cpu.records",
                            "cpu.numbers",
                            "cpu.threads",
                            "cpu.leaf",
                            "memory",
                            "reports",
                            "types")),
            Map.entry(
                    "cpu.select",
                    List.of(
                            "cpu.records",
                            "cpu.numbers",
                            "cpu.threads",
                            "cpu.leaf",
                            "keys",
                            "memory",
                            "reports",
                            "types")),
            Map.entry(
                    "cpu.sorted",
                    List.of("cpu.records", "cpu.numbers", "cpu.threads", "cpu.leaf", "memory", "reports", "types")),
            Map.entry(
                    "cpu.strings",
                    List.of("cpu.select", "cpu.numbers", "cpu.threads", "cpu.leaf", "memory", "reports", "types")),
            Map.entry("rows", List.of("cpu.strings", "cpu.select", "cpu.records", "cpu.threads", "keys", "types")),
            Map.entry("gpu.code", List.of("cuda", "types")),
            Map.entry("gpu.cubins", List.of("gpu.code", "cuda", "types")),
            Map.entry("gpu.launch", List.of("gpu.cubins", "gpu.code", "cuda", "types")),
            Map.entry("gpu.sort", List.of("gpu.launch", "gpu.code", "cuda", "reports", "types")),
            Map.entry("gpu.exchange", List.of("gpu.sort", "gpu.launch", "gpu.code", "cuda", "reports", "types")),
            Map.entry("gpu.inplace", List.of("gpu.sort", "gpu.launch", "gpu.code", "cuda", "types")),
            Map.entry("gpu.host", List.of("gpu.sort", "gpu.launch", "gpu.code", "cuda", "memory", "reports", "types")),
            Map.entry("gpu.select", List.of("gpu.sort", "gpu.launch", "gpu.code", "cuda", "memory", "reports")),
            Map.entry("gpu.sorted", List.of("gpu.sort", "gpu.launch", "gpu.code", "cuda", "memory")),
            Map.entry("gpu.rows", List.of("gpu.sort", "gpu.launch", "gpu.code", "cuda", "keys", "types")),
            Map.entry(
                    "gpu",
                    List.of(
                            "gpu.host",
                            "gpu.rows",
                            "gpu.select",
                            "gpu.exchange",
                            "gpu.inplace",
                            "gpu.sort",
                            "gpu.sorted",
                            "gpu.launch",
                            "gpu.cubins",
                            "gpu.code",
                            "cuda",
                            "memory",
                            "reports",
                            "types")),
            Map.entry(
                    "",
                    List.of(
                            "gpu",
                            "gpu.host",
                            "gpu.rows",
                            "cpu.numbers",
                            "cpu.records",
                            "cpu.segments",
                            "cpu.select",
                            "cpu.sorted",
                            "cpu.strings",
                            "cpu.threads",
                            "rows",
                            "cuda",
                            "memory",
                            "reports",
                            "shared",
                            "types")));

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
                .resideInAnyPackage(Stream.concat(
                                Stream.of(allowed),
                                Stream.of("io.samplesort.errors", "java..", "org.jspecify.annotations"))
                        .toArray(String[]::new))
                .check(CLASSES);
    }

    static List<String> packages() {
        return CLASSES.stream()
                .map(JavaClass::getPackageName)
                .distinct()
                .map(full -> full.equals("io.samplesort") ? "" : full.substring("io.samplesort.".length()))
                .sorted()
                .collect(Collectors.toList());
    }

    private static String fullName(String name) {
        return name.isEmpty() ? "io.samplesort" : "io.samplesort." + name;
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.samplesort.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyKernelLaunchLaunches() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(KernelLaunch.class)
                .should()
                .callMethodWhere(target(name("launch")).and(target(owner(equivalentTo(Kernel.class)))))
                .check(CLASSES);
    }

    @Test
    void onlyWhatUsersNeedIsExported() throws Exception {
        Path classFolder = Path.of(
                Sorter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor descriptor =
                ModuleDescriptor.read(ByteBuffer.wrap(Files.readAllBytes(classFolder.resolve("module-info.class"))));
        assertThat(descriptor.name()).isEqualTo("io.samplesort");
        assertThat(descriptor.exports())
                .filteredOn(exports -> !exports.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder("io.samplesort", "io.samplesort.types");
    }
}
