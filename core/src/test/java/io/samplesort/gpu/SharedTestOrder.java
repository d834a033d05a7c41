package io.samplesort.gpu;

import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// The order of the classes of tests that processes share: first those that `-Dtests.first` names, with commas between
/// them, and then all others by their names. Long ones belong first, so that no process works on one when all others
/// are done.
public final class SharedTestOrder implements ClassOrderer {
    private static final List<String> FIRST =
            List.of(System.getProperty("tests.first", "").split(","));

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors()
                .sort(Comparator.comparingInt(SharedTestOrder::place).thenComparing(SharedTestOrder::name));
    }

    private static int place(ClassDescriptor described) {
        int place = FIRST.indexOf(described.getTestClass().getSimpleName());
        return place < 0 ? FIRST.size() : place;
    }

    private static String name(ClassDescriptor described) {
        return described.getTestClass().getName();
    }
}
