package io.samplesort.gpu;

import java.util.Collections;
import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// The order of the classes of tests that processes share: all have the classes on one circle, and the process
/// `-Dtests.process=3/28` begins with the third of 28 equal parts of it. So processes seldom begin with tests of the
/// same
/// class, which need the same kernels, and each class is begun early.
public final class SharedTestOrder implements ClassOrderer {
    private static final String PROCESS = System.getProperty("tests.process", "1/1");

    @Override
    public void orderClasses(ClassOrdererContext context) {
        var classes = context.getClassDescriptors();
        classes.sort(Comparator.comparing(SharedTestOrder::name));
        String[] process = PROCESS.split("/", 2);
        int number = Integer.parseInt(process[0]) - 1;
        int processes = Integer.parseInt(process[1]);
        Collections.rotate(classes, -(classes.size() * number / processes));
    }

    private static String name(ClassDescriptor described) {
        return described.getTestClass().getName();
    }
}
