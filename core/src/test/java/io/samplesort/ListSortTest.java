package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Keys;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Stack;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// All that sorts a list, on lists of all kinds: the result is the very one of [List#sort], element by element, since
/// all of these sorts are stable.
class ListSortTest {
    /// Sizes at which elements are compared with each other and at which their keys are packed.
    private static final int[] SIZES = {0, 1, 2, 3, 50, 300};

    /// Also the least size, about, at which keys become columns.
    private static final int[] MORE_SIZES = {4, 50, 300, 9000};

    private static final Map<String, UnaryOperator<List<String>>> CHANGEABLE = new LinkedHashMap<>();
    private static final Map<String, UnaryOperator<List<String>>> UNCHANGEABLE = new LinkedHashMap<>();

    static {
        Map<String, UnaryOperator<List<String>>> bases = new LinkedHashMap<>();
        bases.put("ArrayList", ArrayList::new);
        bases.put("LinkedList", LinkedList::new);
        bases.put("Arrays.asList", list -> Arrays.asList(list.toArray(new String[0])));
        bases.put("CopyOnWriteArrayList", CopyOnWriteArrayList::new);
        bases.put("Vector", Vector::new);
        bases.put("Stack", list -> {
            Stack<String> stack = new Stack<>();
            stack.addAll(list);
            return stack;
        });
        bases.put("a list of one's own", OneWay::new);
        Map<String, UnaryOperator<List<String>>> views = new LinkedHashMap<>();
        views.put("", list -> list);
        views.put(" reversed", List::reversed);
        views.put(" subList", ListSortTest::middle);
        views.put(" subList reversed", list -> middle(list).reversed());
        views.put(" reversed subList", list -> middle(list.reversed()));
        views.put(" synchronized", Collections::synchronizedList);
        views.put(" checked", list -> Collections.checkedList(list, String.class));
        views.put(" reversed synchronized", list -> Collections.synchronizedList(list.reversed()));
        bases.forEach((base, make) -> views.forEach((view, wrap) -> {
            if (!base.startsWith("a list") || !view.contains("reversed") && !view.contains("checked")) {
                CHANGEABLE.put(base + view, list -> wrap.apply(make.apply(list)));
            }
        }));
        UNCHANGEABLE.put("List.of", List::copyOf);
        UNCHANGEABLE.put("Stream.toList", list -> list.stream().toList());
        UNCHANGEABLE.put("unmodifiableList", Collections::unmodifiableList);
        UNCHANGEABLE.put("nCopies", list -> Collections.nCopies(list.size(), "a"));
        UNCHANGEABLE.put("unmodifiable CopyOnWriteArrayList", list -> {
            List<String> copy = new CopyOnWriteArrayList<>(list);
            return Collections.unmodifiableList(copy);
        });
        UNCHANGEABLE.put("List.of reversed", list -> List.copyOf(list).reversed());
    }

    /// A list that sets what it is told to, and that calls the function of `replaceAll` from its end to its beginning,
    /// which the JDK allows.
    private static final class OneWay extends AbstractList<String> {
        private final String[] strings;

        OneWay(List<String> list) {
            strings = list.toArray(new String[0]);
        }

        @Override
        public String get(int index) {
            return strings[index];
        }

        @Override
        public int size() {
            return strings.length;
        }

        @Override
        public String set(int index, String string) {
            String before = strings[index];
            strings[index] = string;
            return before;
        }

        @Override
        public void replaceAll(UnaryOperator<String> operator) {
            for (int i = strings.length - 1; i >= 0; i--) {
                strings[i] = operator.apply(strings[i]);
            }
        }
    }

    private static List<String> middle(List<String> list) {
        return list.subList(list.size() / 4, list.size() - list.size() / 3);
    }

    @FunctionalInterface
    interface ListSort {
        void sort(List<String> list);
    }

    /// What sorts a list, and the order that it sorts by.
    record Entry(String name, Comparator<String> order, ListSort sort) {}

    private static List<Entry> entries() {
        Comparator<String> byLength = Comparator.comparingInt(String::length);
        Keys<String> keys = Keys.comparingInt(String::length);
        Keys<String> twoKeys = Keys.<String, Character>comparing(s -> s.charAt(s.length() - 1))
                .reversed()
                .thenComparing(s -> s);
        return List.of(
                new Entry("strings", Comparator.naturalOrder(), SampleSort::sort),
                new Entry("comparator", byLength, list -> SampleSort.sort(list, byLength)),
                new Entry("keys", byLength, list -> SampleSort.sort(list, keys)),
                new Entry("two keys", twoKeys, list -> SampleSort.sort(list, twoKeys)),
                new Entry("sorter", twoKeys, list -> {
                    try (ObjectSorter<String> sorter = SampleSort.onCpu().buildObjects(twoKeys)) {
                        assertThat(sorter.sort(list).elementCount()).isEqualTo(list.size());
                    }
                }));
    }

    /// Strings that are often equal, but never the same object.
    private static List<String> strings(int size) {
        Random random = new Random(size);
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            strings.add(new String("x".repeat(1 + random.nextInt(4)) + random.nextInt(50)));
        }
        return strings;
    }

    private static Stream<String> changeable() {
        return CHANGEABLE.keySet().stream();
    }

    private static Stream<String> unchangeable() {
        return UNCHANGEABLE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("changeable")
    void sortsAsTheListItselfDoes(String kind) {
        for (int size : kind.equals("ArrayList") ? MORE_SIZES : SIZES) {
            for (Entry entry : entries()) {
                List<String> strings = strings(size);
                List<String> sorted = CHANGEABLE.get(kind).apply(new ArrayList<>(strings));
                List<String> expected = new ArrayList<>(sorted);
                expected.sort(entry.order);
                entry.sort.sort(sorted);
                assertThat(sorted).as("%d by %s", size, entry.name).hasSameSizeAs(expected);
                int place = 0;
                for (String string : sorted) {
                    assertThat(string)
                            .as("place %d of %d by %s", place, size, entry.name)
                            .isSameAs(expected.get(place++));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("unchangeable")
    void refusesListsThatCannotBeChangedBeforeAnythingIsCompared(String kind) {
        Comparator<String> none = (a, b) -> {
            throw new AssertionError("something was compared");
        };
        for (int size : new int[] {1, 2, 300}) {
            List<String> list = UNCHANGEABLE.get(kind).apply(strings(size));
            List<String> before = new ArrayList<>(list);
            assertThatThrownBy(() -> SampleSort.sort(list, none))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage(
                            "the list cannot be changed, and so not sorted: sort a copy, such as new ArrayList<>(list)");
            assertThatThrownBy(() -> SampleSort.sort(list))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("sort a copy");
            assertThat(list).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("changeable")
    void listsWithANullStayAsTheyWere(String kind) {
        for (int size : kind.equals("ArrayList") ? MORE_SIZES : new int[] {4, 300}) {
            for (Entry entry : entries()) {
                List<String> strings = strings(size);
                strings.set(size / 2, null);
                List<String> list = CHANGEABLE.get(kind).apply(strings);
                List<String> before = new ArrayList<>(list);
                assertThatThrownBy(() -> entry.sort.sort(list))
                        .as("%d by %s", size, entry.name)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("at index " + before.indexOf(null) + " is null");
                assertThat(list).isEqualTo(before);
            }
        }
    }

    /// Whoever reads such a list sees all of it in one order or in the other.
    @Test
    void listsThatAreCopiedWhenWrittenChangeAtOnce() {
        List<String> list = new CopyOnWriteArrayList<>(strings(500));
        List<String> before = new ArrayList<>(list);
        List<String> expected = new ArrayList<>(list);
        expected.sort(null);
        Iterator<String> reader = list.iterator();
        SampleSort.sort(list);
        assertThat(list).isEqualTo(expected);
        assertThat(reader).toIterable().isEqualTo(before);
    }
}
