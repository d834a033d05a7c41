package io.samplesort.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The rules between the packages of a module: what each package may import, and that there are no cycles.
public final class PackageRules {
    /// The packages of the library, and the drawing and checking of inputs.
    public static final String LIBRARY =
            "io.samplesort io.samplesort.cuda io.samplesort.errors io.samplesort.types io.samplesort.testkit";

    private final String root;
    private final JavaClasses classes;
    private final Map<String, List<String>> mayImport = new LinkedHashMap<>();

    /// @param main a class in the root package of the module
    public PackageRules(Class<?> main) {
        root = main.getPackageName();
        classes = new ClassFileImporter()
                .importUrl(main.getProtectionDomain().getCodeSource().getLocation());
    }

    /// Adds a package and what it may import in addition to itself and the JDK.
    ///
    /// @param name    the name below the root package, with a dot in front; empty for the root package
    /// @param imports lists of packages with blanks between them; those of this module have a dot in front
    public PackageRules allow(String name, String... imports) {
        mayImport.put(
                name,
                Stream.of(imports).flatMap(list -> Stream.of(list.split(" "))).toList());
        return this;
    }

    /// Checks all rules. A package without a rule breaks them.
    public void check() {
        assertThat(classes.stream().map(JavaClass::getPackageName).distinct())
                .as("the packages that have a place in the architecture")
                .containsExactlyInAnyOrderElementsOf(
                        mayImport.keySet().stream().map(this::fullName).toList());
        mayImport.forEach((name, imports) -> classes()
                .that()
                .resideInAPackage(fullName(name))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(
                                Stream.of(fullName(name), "java..", "javax.imageio"),
                                imports.stream().map(this::fullName))
                        .toArray(String[]::new))
                .check(classes));
        slices().matching(root + ".(*)..").should().beFreeOfCycles().check(classes);
    }

    private String fullName(String name) {
        return name.isEmpty() || name.startsWith(".") ? root + name : name;
    }
}
