package io.samplesort;

import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;

/// The sorters behind the one-shot methods: kept for the life of the process, lent to one thread at a time, and made when
/// all of a kind are lent.
final class SharedSorters {
    private record Kind(ElementType key, ElementType payload) {}

    private static final Map<Kind, Deque<Sorter>> IDLE = new ConcurrentHashMap<>();

    private SharedSorters() {}

    static SortReport with(ElementType key, ElementType payload, Function<Sorter, SortReport> sort) {
        Deque<Sorter> idle = IDLE.computeIfAbsent(new Kind(key, payload), k -> new ConcurrentLinkedDeque<>());
        Sorter sorter = idle.pollFirst();
        if (sorter == null) {
            Sorter.Builder builder = SampleSort.onBestDevice();
            sorter = (payload == null ? builder : builder.payload(payload)).build(key);
        }
        try {
            return sort.apply(sorter);
        } finally {
            idle.addFirst(sorter);
        }
    }
}
