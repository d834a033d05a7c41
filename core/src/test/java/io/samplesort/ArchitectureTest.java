package io.samplesort;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.samplesort.cuda.Kernel;
import java.lang.module.ModuleDescriptor;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The rules between the packages, as ARCHITECTURE.md states them.
class ArchitectureTest {
    /// Those of the library, wherever they are: other modules have packages of the same names.
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(SampleSort.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void bindingsKnowNothingOfSorting() {
        noClasses()
                .that()
                .resideInAPackage("io.samplesort.cuda")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.samplesort.gpu", "io.samplesort.cpu")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(
                        SampleSort.class,
                        Sorter.class,
                        SortReport.class,
                        Order.class,
                        Tuning.class,
                        ElementType.class,
                        Device.class)
                .check(CLASSES);
    }

    @Test
    void cpuEngineKnowsNothingOfGpus() {
        noClasses()
                .that()
                .resideInAPackage("io.samplesort.cpu")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.samplesort.gpu", "io.samplesort.cuda")
                .check(CLASSES);
    }

    @Test
    void runsAndFilesKnowNothingOfEngines() {
        classes()
                .that()
                .resideInAPackage("io.samplesort.runs")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.samplesort.runs", "java..")
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage("io.samplesort.files")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.samplesort.files", "io.samplesort.runs", "java..")
                .check(CLASSES);
    }

    @Test
    void onlyKernelsLaunches() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.samplesort.gpu.Kernels")
                .and()
                .doNotHaveFullyQualifiedName("io.samplesort.gpu.IndexKernels")
                .should()
                .callMethodWhere(target(name("launch")).and(target(owner(equivalentTo(Kernel.class)))))
                .check(CLASSES);
    }

    @Test
    void libraryNeedsTheJdkAlone() {
        classes()
                .that()
                .resideInAPackage("io.samplesort..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.samplesort..", "java..")
                .check(CLASSES);
    }

    @Test
    void onlyTheUsersPackageIsExported() throws Exception {
        Path classFolder = Path.of(
                Sorter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor descriptor =
                ModuleDescriptor.read(ByteBuffer.wrap(Files.readAllBytes(classFolder.resolve("module-info.class"))));
        assertThat(descriptor.name()).isEqualTo("io.samplesort");
        assertThat(descriptor.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactly("io.samplesort");
    }
}
