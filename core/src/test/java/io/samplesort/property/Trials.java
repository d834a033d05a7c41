package io.samplesort.property;

import io.samplesort.testkit.KeyArrangement;
import io.samplesort.testkit.KeyShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Makes random trials.
///
/// @param mostElements sizes are spread evenly over the orders of magnitude up to it
public record Trials(int mostElements) {
    private static final String[] VALUES = {"i8", "i16", "u16", "i32", "i64", "f32", "f64", "f32", "f64"};
    private static final String[] SHAPES = {"random", "random", "sorted", "reversed", "nearly"};

    /// Returns a trial on the CPU.
    public Trial onCpu(SplittableRandom random) {
        return onCpu(one(random, "cpu", "tiny"), one(random, "sort", "sort", "argsort", "copy"), random);
    }

    /// Returns a trial of files on the CPU.
    public Trial ofFiles(SplittableRandom random) {
        return onCpu("cpu", "file", random);
    }

    private Trial onCpu(String engine, String operation, SplittableRandom random) {
        boolean isValue = random.nextInt(3) > 0;
        String type = isValue ? one(random, VALUES) : struct(random);
        String order = isValue ? orderOfValues(type, random) : orderOfFields(type, random);
        List<String> payloads = new ArrayList<>();
        boolean isSort = operation.equals("sort") || operation.equals("file");
        if (isSort && random.nextBoolean()) {
            for (int count = 1 + random.nextInt(3) * random.nextInt(2); count > 0; count--) {
                payloads.add(random.nextInt(5) == 0 ? struct(random) : one(random, VALUES));
            }
        }
        return finished(engine, operation, type, order, random.nextInt(3) == 0, payloads, random);
    }

    /// Returns a trial on a GPU. There are few kinds, since each takes kernels of its own. Most are those of other
    /// tests.
    public Trial onGpu(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> finished("gpu", "sort", "f32", "n", false, List.of(), random);
            case 1 -> finished("gpu", "copy", "i64", "n", false, List.of(), random);
            case 2 -> finished("gpu", "sort", "i32", "n", false, List.of("i32"), random);
            case 3 -> finished("gpu", "sort", "i32", "n", true, List.of("f32"), random);
            case 4 -> finished("gpu", "argsort", "f64", "n", false, List.of(), random);
            default -> finished("gpu", "sort", "{f32,s7,bool}", "0l2,1-", true, List.of("i64", "{i16,s3}"), random);
        };
    }

    private Trial finished(
            String engine,
            String operation,
            String type,
            String order,
            boolean stable,
            List<String> payloads,
            SplittableRandom random) {
        return new Trial(
                engine,
                operation,
                type,
                order,
                stable,
                payloads,
                // A comparator may read aligned values.
                order.startsWith("c") || random.nextInt(4) > 0
                        ? one(random, "heap", "heap", "native", "confined", "mapped")
                        : one(random, "bytes", "shifted", "odd"),
                random.nextInt(3),
                size(random),
                random.nextInt(3) == 0 ? 0 : 1 + (int) Math.pow(1000, random.nextDouble()),
                shape(type, random),
                random.nextInt(1000));
    }

    /// Values have one of the shapes that break sorts as often as any other.
    private static String shape(String type, SplittableRandom random) {
        if (type.startsWith("{") || random.nextBoolean()) {
            return one(random, SHAPES);
        }
        KeyShape[] shapes = KeyShape.values();
        KeyArrangement[] arrangements = KeyArrangement.values();
        return shapes[random.nextInt(shapes.length)] + "/" + arrangements[random.nextInt(arrangements.length)];
    }

    private int size(SplittableRandom random) {
        // Sizes around powers of two are those where something changes.
        int size = (int) Math.pow(mostElements + 1.0, random.nextDouble()) - 1;
        return random.nextInt(4) == 0 ? Math.max(0, Integer.highestOneBit(size) + random.nextInt(3) - 1) : size;
    }

    private static String struct(SplittableRandom random) {
        List<String> fields = new ArrayList<>();
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            fields.add(
                    switch (random.nextInt(4)) {
                        case 0 -> "s" + (1 + random.nextInt(20));
                        case 1 -> "bool";
                        default -> field(random);
                    });
        }
        return "{" + String.join(",", fields) + "}";
    }

    /// A value of a struct, of more than one byte often big-endian.
    private static String field(SplittableRandom random) {
        String value = one(random, VALUES);
        return value.equals("i8") || random.nextInt(3) > 0 ? value : value + "b";
    }

    private static String orderOfValues(String type, SplittableRandom random) {
        String kind = random.nextInt(6) == 0 ? "c" : !type.startsWith("f") && random.nextBoolean() ? "u" : "n";
        return kind + (random.nextInt(3) == 0 ? "-" : "");
    }

    private static String orderOfFields(String type, SplittableRandom random) {
        String[] fields = type.substring(1, type.length() - 1).split(",");
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < fields.length; i++) {
            if (i == 0 || random.nextBoolean()) {
                boolean canBeUnsigned = fields[i].startsWith("i");
                String term = i + (canBeUnsigned && random.nextInt(3) == 0 ? "u" : "");
                term += random.nextInt(3) == 0 ? "-" : "";
                int validity = random.nextInt(fields.length);
                boolean isByte = fields[validity].equals("bool") || fields[validity].equals("i8");
                term += validity != i && isByte ? one(random, "f", "l") + validity : "";
                terms.add(random.nextInt(terms.size() + 1), term);
            }
        }
        return (random.nextInt(6) == 0 ? "c" : "") + String.join(",", terms);
    }

    private static String one(SplittableRandom random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
