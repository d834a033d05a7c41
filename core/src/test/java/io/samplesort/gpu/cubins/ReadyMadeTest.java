package io.samplesort.gpu.cubins;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// When ready-made kernels are taken, and when not. Nothing is compiled here, and there is no driver.
class ReadyMadeTest {
    /// The keys of all programs of a target, whose sources take seconds to make.
    private static final Map<ReadyTarget, List<Long>> KEYS = new ConcurrentHashMap<>();

    private static final int DRIVER = 13000;
    private static final UnaryOperator<Tuning> AS_IT_IS = tuning -> tuning;
    private static final KernelElement INTS = element(ElementType.INT, Order.natural(), false);

    /// The numbers that a sort in natural order may be of, which all must be ready.
    private static final List<ElementType> ONE_OF_EACH_SIZE =
            List.of(ElementType.BYTE, ElementType.CHAR, ElementType.FLOAT, ElementType.DOUBLE);
    private static final List<ElementType> NUMBERS = List.of(
            ElementType.BYTE,
            ElementType.SHORT,
            ElementType.CHAR,
            ElementType.INT,
            ElementType.LONG,
            ElementType.FLOAT,
            ElementType.DOUBLE);

    /// Has code for all that is made ready for one target: the key of the program, as text.
    private static final class Store implements ReadyKernels {
        final String architecture;
        final String version;
        final Map<Long, byte[]> code = new HashMap<>();

        Store(ReadyTarget target, String version) {
            this.architecture = target.architecture();
            this.version = version;
            KEYS.computeIfAbsent(
                            target,
                            each -> ReadyProgram.all(each).stream()
                                    .map(ReadyProgram::key)
                                    .toList())
                    .forEach(key -> code.put(key, Long.toHexString(key).getBytes()));
        }

        @Override
        public String compilerVersion(String asked) {
            return asked.equals(architecture) ? version : null;
        }

        @Override
        public byte[] get(String asked, long key) {
            return asked.equals(architecture) ? code.get(key) : null;
        }
    }

    private final Store store = new Store(ReadyTarget.SM_90, "13.1");
    private final ReadyMade ready = new ReadyMade(store, new KernelCache(null));
    private final CudaDevice hopper = device(9, 0, 227);

    @Test
    void whatFitsIsTaken() {
        KernelCubins cubins = ready.cubins(hopper, DRIVER, INTS, AS_IT_IS, false);
        assertThat(cubins.isReadyMade()).isTrue();
        assertThat(cubins.compileTime()).isZero();
        assertThat(cubins.programs())
                .containsExactly(
                        KernelProgram.SPLITTERS,
                        KernelProgram.SCATTER,
                        KernelProgram.SMALL_SORT,
                        KernelProgram.MERGE_SORT);
        assertThat(ready.cubins(hopper, DRIVER, INTS, AS_IT_IS, true).programs())
                .contains(KernelProgram.EXCHANGE);
        // Only keys that are wider than their numbers have a small sort of few numbers, and only sort keys with indexes
        // are selected or merged.
        Set<KernelProgram> ofOthers = Set.of(KernelProgram.SMALL_SORT_FEW, KernelProgram.SELECT, KernelProgram.SORTED);
        assertThat(Stream.of(KernelProgram.values())
                        .filter(program -> !ofOthers.contains(program))
                        .map(cubins::of))
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(cubins.tuning()).isEqualTo(Tuning.defaultFor(ElementType.INT, null));
    }

    @Test
    void theKernelsForStringsAndKeyColumnsAreReady() {
        for (RowProgram program : RowProgram.values()) {
            assertThat(ready.code(program, hopper, DRIVER)).isNotNull();
            assertThat(ready.code(program, device(8, 0, 163), DRIVER)).isNull();
        }
    }

    @Test
    void everySortOfNumbersIsReadyForHopper() {
        everySortOfNumbersIsReady(ReadyTarget.SM_90);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SM_90")
    @Tag("exhaustive")
    void everySortOfNumbersIsReady(ReadyTarget target) {
        ReadyMade all = new ReadyMade(new Store(target, "13.1"), new KernelCache(null));
        CudaDevice device = deviceOf(target);
        for (ElementType key : NUMBERS) {
            boolean hasSigns = !List.of(ElementType.CHAR, ElementType.FLOAT, ElementType.DOUBLE)
                    .contains(key);
            // What is ready depends on the target by the sizes of elements alone.
            boolean hasAllOrders = target == ReadyTarget.SM_90;
            for (Order order :
                    hasSigns && hasAllOrders ? List.of(Order.natural(), Order.unsigned()) : List.of(Order.natural())) {
                for (Order directed : hasAllOrders ? List.of(order, order.reversed()) : List.of(order.reversed())) {
                    for (boolean isStable : new boolean[] {false, true}) {
                        assertReady(all, device, element(key, directed, isStable));
                        for (ElementType payload : ONE_OF_EACH_SIZE) {
                            assertReady(all, device, element(key, directed, isStable, payload));
                        }
                    }
                }
            }
        }
    }

    private static void assertReady(ReadyMade all, CudaDevice device, KernelElement element) {
        assertThat(all.cubins(device, 13010, element, AS_IT_IS, false))
                .as(element.declarations())
                .isNotNull();
    }

    @Test
    void otherOrdersAndTypesAreCompiled() {
        assertThat(ready.cubins(
                        hopper,
                        DRIVER,
                        element(ElementType.INT, Order.custom("a > b", (a, b) -> 0), false),
                        AS_IT_IS,
                        false))
                .isNull();
        assertThat(ready.cubins(
                        hopper,
                        DRIVER,
                        element(ElementType.INT, Order.natural(), false, ElementType.INT, ElementType.INT),
                        AS_IT_IS,
                        false))
                .as("two payloads are sorted by index, as argsort does")
                .isNotNull();
    }

    @Test
    void anotherTuningOfTheKernelsIsCompiled() {
        assertThat(ready.cubins(hopper, DRIVER, INTS, tuning -> tuning.with("distributionItems=8"), false))
                .isNull();
        assertThat(ready.cubins(hopper, DRIVER, INTS, tuning -> tuning.with("transferThreads=3"), false))
                .as("the kernels know nothing of transfers")
                .isNotNull();
    }

    @Test
    void codeIsForTheGpusThatRunIt() {
        assertThat(ready.cubins(device(8, 0, 163), DRIVER, INTS, AS_IT_IS, false))
                .isNull();
        assertThat(ready.cubins(device(8, 7, 163), DRIVER, INTS, AS_IT_IS, false))
                .isNull();
        assertThat(ready.cubins(device(10, 0, 227), DRIVER, INTS, AS_IT_IS, false))
                .isNull();
        // A GPU that says it is of this architecture and has less memory for blocks gets other kernels where that
        // matters.
        assertThat(ready.cubins(
                        device(9, 0, 48), DRIVER, element(ElementType.LONG, Order.natural(), true), AS_IT_IS, false))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "7, 5, SM_75",
        "8, 0, SM_80",
        "8, 6, SM_86",
        "8, 9, SM_86",
        "9, 0, SM_90",
        "10, 0, SM_100",
        "10, 3, SM_100",
        "12, 0, SM_120",
        "12, 1, SM_120",
        "11, 0, COMPUTE_100",
        "13, 0, COMPUTE_100",
        "7, 0,",
        "8, 7,"
    })
    void eachGpuHasItsTarget(int major, int minor, ReadyTarget target) {
        assertThat(ReadyTarget.of(major, minor)).isEqualTo(target);
    }

    @Test
    void driversThatAreTooOldGetNothing() {
        assertThat(ready.cubins(hopper, 12090, INTS, AS_IT_IS, false)).isNull();
        assertThat(ready.cubins(hopper, 13000, INTS, AS_IT_IS, false)).isNotNull();
        assertThat(ready.cubins(hopper, 14000, INTS, AS_IT_IS, false)).isNotNull();
        assertThat(ReadyTarget.COMPUTE_100.isLoadedBy(13000, "13.1")).isFalse();
        assertThat(ReadyTarget.COMPUTE_100.isLoadedBy(13010, "13.1")).isTrue();
        assertThat(ReadyTarget.SM_90.isLoadedBy(12040, "12.9")).isTrue();
    }

    /// A jar of another version of samplesort has other keys, and one that is damaged lacks some.
    @Test
    void aPartIsNotEnough() {
        KernelElement longs = element(ElementType.LONG, Order.natural(), false);
        var needed = keys(longs);
        List<Long> tried = new ArrayList<>(needed);
        store.code.keySet().stream()
                .filter(key -> !needed.contains(key))
                .limit(20)
                .forEach(tried::add);
        for (Long key : tried) {
            byte[] code = store.code.remove(key);
            assertThat(ready.cubins(hopper, DRIVER, longs, AS_IT_IS, false) == null)
                    .isEqualTo(needed.contains(key));
            store.code.put(key, code);
        }
        assertThat(ReadyMade.NONE.cubins(hopper, DRIVER, INTS, AS_IT_IS, false)).isNull();
        assertThat(ReadyMade.NONE.isThere()).isFalse();
        assertThat(ready.isThere()).isTrue();
    }

    @Test
    void everyChangeOfAFileOrAnOptionIsAnotherKey() {
        var source = KernelSource.programs(INTS, ReadyTarget.SM_90.tuning(INTS)).get(KernelProgram.SCATTER);
        Set<Long> keys = new HashSet<>();
        assertThat(keys.add(ReadyMade.key(source, ReadyTarget.SM_90))).isTrue();
        assertThat(keys.add(ReadyMade.key(source, ReadyTarget.SM_80))).isTrue();
        source.headers().forEach((name, text) -> {
            Map<String, String> changed = new HashMap<>(source.headers());
            changed.put(name, text + "constexpr int kOther = 1;\n");
            var other = new Nvrtc.Program(source.name(), source.source(), changed);
            assertThat(keys.add(ReadyMade.key(other, ReadyTarget.SM_90)))
                    .as(name)
                    .isTrue();
        });
    }

    private static Set<Long> keys(KernelElement element) {
        Set<Long> keys = new HashSet<>();
        KernelSource.programs(element, ReadyTarget.SM_90.tuning(element))
                .values()
                .forEach(source -> keys.add(ReadyMade.key(source, ReadyTarget.SM_90)));
        return keys;
    }

    private static KernelElement element(ElementType key, Order order, boolean isStable, ElementType... payloads) {
        return KernelElement.of(key, List.of(payloads), order, isStable);
    }

    private static CudaDevice deviceOf(ReadyTarget target) {
        return switch (target) {
            case SM_75 -> device(7, 5, 64);
            case SM_80 -> device(8, 0, 163);
            case SM_86 -> device(8, 9, 99);
            case SM_90 -> device(9, 0, 227);
            case SM_100 -> device(10, 3, 227);
            case SM_120 -> device(12, 0, 99);
            case COMPUTE_100 -> device(13, 0, 227);
        };
    }

    private static CudaDevice device(int major, int minor, int sharedKilobytes) {
        return new CudaDevice(
                0, "a GPU", major, minor, 100, sharedKilobytes << 10, sharedKilobytes << 10, 65536, 1L << 36, true);
    }
}
