package io.samplesort.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// The rules between the packages of this module, from the bottom to the top.
class ArchitectureTest {
    private static final String ROOT = "io.samplesort.spark";

    private static final List<String> OUTSIDE = List.of(
            "java..",
            "scala..",
            "io.samplesort",
            "io.samplesort.errors",
            "io.samplesort.types",
            "io.samplesort.files",
            "io.samplesort.files.types",
            "org.apache.spark..",
            "org.slf4j",
            "org.apache.hadoop..");

    private final JavaClasses classes = new ClassFileImporter()
            .importUrl(
                    SampleSortSpark.class.getProtectionDomain().getCodeSource().getLocation());

    private final List<String> checked = new ArrayList<>();

    @Test
    void importsRunOneWay() {
        allow("blocks");
        allow("task", "blocks");
        allow("shuffle");
        allow("exchange", "shuffle", "task", "blocks");
        allow("files");
        allow("rows", "task");
        allow("ranges", "shuffle", "rows", "task", "blocks");
        allow("plan", "rows");
        allow("", "exchange", "ranges", "plan", "rows", "blocks");
        allow("terasort", "", "files", "blocks", "task");
        allow("bench", "", "blocks", "rows");
        Set<String> packages =
                classes.stream().map(type -> type.getPackageName()).collect(Collectors.toSet());
        Assertions.assertThat(packages).containsExactlyInAnyOrderElementsOf(checked);
    }

    private static String name(String room) {
        return room.isEmpty() ? ROOT : ROOT + "." + room;
    }

    private void allow(String room, String... others) {
        List<String> allowed = new ArrayList<>(OUTSIDE);
        allowed.add(name(room));
        for (String other : others) {
            allowed.add(name(other));
        }
        checked.add(name(room));
        classes()
                .that()
                .resideInAPackage(name(room))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new)))
                .check(classes);
    }
}
