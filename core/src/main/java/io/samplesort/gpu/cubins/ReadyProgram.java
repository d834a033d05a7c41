package io.samplesort.gpu.cubins;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A program whose code is made ready.
///
/// @param key    what identifies it ([ReadyMade])
/// @param family the name shared by programs of similar code: those with the same kernels, size of keys and form of
///     sorting
/// @param source its text
public record ReadyProgram(long key, String family, Nvrtc.Program source) {
    /// The types of keys. Characters are unsigned numbers of two bytes.
    private static final List<ElementType> KEYS = List.of(
            ElementType.INT,
            ElementType.LONG,
            ElementType.FLOAT,
            ElementType.DOUBLE,
            ElementType.SHORT,
            ElementType.BYTE);

    /// Payloads are moved as bits, so there is one for each size.
    private static final List<ElementType> PAYLOADS =
            List.of(ElementType.INT, ElementType.LONG, ElementType.SHORT, ElementType.BYTE);

    /// Compiles this program in one piece. Code that is compiled in parallel parts can differ from one time to the
    /// next.
    public byte[] compile(ReadyTarget target) {
        List<String> options = KernelSource.plainOptions(target.architecture());
        return target.isPtx() ? Nvrtc.compileToPtx(source, options) : Nvrtc.compile(source, options);
    }

    /// Returns what is made ready for a target: the programs that sort numbers in natural order, ascending and
    /// descending, alone, with a payload, stably, and by index, as `argsort` does. Sorts that have the same text share
    /// one program. Last come the programs of strings and of key columns.
    public static Collection<ReadyProgram> all(ReadyTarget target) {
        Map<Long, ReadyProgram> all = new LinkedHashMap<>();
        for (KernelElement element : elements()) {
            KernelSource.programs(element, target.tuning(element)).forEach((program, source) -> {
                String family = program.name().toLowerCase(Locale.ROOT) + "-" + element.keyBytes() + "-"
                        + element.form().name().toLowerCase(Locale.ROOT);
                long key = ReadyMade.key(source, target);
                all.putIfAbsent(key, new ReadyProgram(key, family, source));
            });
        }
        for (RowProgram program : RowProgram.values()) {
            long key = ReadyMade.key(program.source(), target);
            all.put(key, new ReadyProgram(key, program.title(), program.source()));
        }
        return all.values();
    }

    /// Returns what is sorted, the most common elements first, so that decoding a family can stop early.
    private static List<KernelElement> elements() {
        List<KernelElement> alone = new ArrayList<>();
        List<KernelElement> wholePairs = new ArrayList<>();
        List<KernelElement> others = new ArrayList<>();
        for (ElementType key : KEYS) {
            for (Order order : orders(key)) {
                alone.add(KernelElement.of(key, List.of(), order, false));
                alone.add(KernelElement.of(key, List.of(), order, true));
                for (ElementType payload : PAYLOADS) {
                    KernelElement pair = KernelElement.of(key, List.of(payload), order, false);
                    (pair.movesPairs() ? wholePairs : others).add(pair);
                    if (pair.movesPairs()) {
                        wholePairs.add(KernelElement.of(key, List.of(payload), order, true));
                    }
                }
            }
        }
        List<KernelElement> all = new ArrayList<>(alone);
        all.addAll(wholePairs);
        all.addAll(others);
        return all;
    }

    private static List<Order> orders(ElementType key) {
        List<Order> orders = new ArrayList<>(List.of(Order.natural()));
        if (!key.equals(ElementType.FLOAT) && !key.equals(ElementType.DOUBLE)) {
            orders.add(Order.unsigned());
        }
        for (Order order : List.copyOf(orders)) {
            orders.add(order.reversed());
        }
        return orders;
    }
}
