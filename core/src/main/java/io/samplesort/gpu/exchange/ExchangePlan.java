package io.samplesort.gpu.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Where the elements of each class go (border_classes.cuh): the arithmetic alone.
///
/// Places count in the array of all GPUs together. A GPU has the places of its own elements, and in the end the
/// elements that belong there. In the order of the classes, then of the GPUs, then of their places, every element has a
/// place of its own, so an element that is equal to a splitter has its last place at once. A class with an even number
/// goes to one GPU, its **owner**, which sorts it: the one that has the place in its middle. So each GPU receives
/// places that follow each other.
public final class ExchangePlan {
    private final long[] homes;
    private final long[][] counts;
    private final long[] classes;
    private final long[] owned;

    /// Places from `begin` to just before `end`.
    public record Range(long begin, long end) {
        public long count() {
            return end - begin;
        }

        public Range within(long from, long to) {
            return new Range(Math.max(begin, from), Math.min(end, to));
        }
    }

    /// Places that one GPU holds and another one, or the same, shall have.
    public record Move(int from, int to, Range places) {}

    /// Places that one GPU sends.
    ///
    /// @param to    which GPU receives them
    /// @param local where the first of them comes among all elements of the sending GPU, in the order of the classes
    public record Send(int to, Range places, long local) {}

    /// @param sizes  how many elements each GPU has
    /// @param counts how many elements each GPU has of each class
    public ExchangePlan(long[] sizes, long[][] counts) {
        this.counts = counts;
        homes = begins(sizes);
        classes = begins(Arrays.stream(counts).reduce(new long[counts[0].length], ExchangePlan::sum));
        if (total() != classes[classes.length - 1]) {
            throw new IllegalStateException("the classes have " + classes[classes.length - 1] + " elements, and there"
                    + " are " + total() + "; this is a defect of samplesort, please report it");
        }
        owned = new long[sizes.length + 1];
        for (int gpu = 1; gpu <= sizes.length; gpu++) {
            owned[gpu] = firstOwnedSince(gpu);
        }
    }

    private static long[] begins(long[] sizes) {
        long[] begins = new long[sizes.length + 1];
        for (int i = 0; i < sizes.length; i++) {
            begins[i + 1] = begins[i] + sizes[i];
        }
        return begins;
    }

    private static long[] sum(long[] a, long[] b) {
        long[] sums = new long[a.length];
        Arrays.setAll(sums, i -> a[i] + b[i]);
        return sums;
    }

    private int gpuCount() {
        return homes.length - 1;
    }

    private long total() {
        return homes[gpuCount()];
    }

    /// Returns the first place whose owner is this GPU or a later one.
    private long firstOwnedSince(int gpu) {
        for (int c = 0; c + 1 < classes.length; c++) {
            if (c % 2 == 1) {
                long first = Math.max(classes[c], homes[gpu]);
                if (first < classes[c + 1]) {
                    return first;
                }
            } else if (classes[c] < classes[c + 1] && homeOf(classes[c] + (classes[c + 1] - classes[c]) / 2) >= gpu) {
                return classes[c];
            }
        }
        return total();
    }

    private int homeOf(long place) {
        int gpu = 0;
        while (homes[gpu + 1] <= place) {
            gpu++;
        }
        return gpu;
    }

    /// Returns the places that a GPU has in the end.
    public Range home(int gpu) {
        return new Range(homes[gpu], homes[gpu + 1]);
    }

    /// Returns the places that a GPU receives.
    public Range received(int gpu) {
        return new Range(owned[gpu], owned[gpu + 1]);
    }

    /// Returns the place of the first element of each class that a GPU sends.
    public long[] sentBy(int gpu) {
        long[] starts = Arrays.copyOf(classes, classes.length - 1);
        for (int before = 0; before < gpu; before++) {
            starts = sum(starts, counts[before]);
        }
        return starts;
    }

    /// Returns where each class begins among the elements of one GPU in the order of the classes.
    public long[] localStarts(int gpu) {
        return Arrays.copyOf(begins(counts[gpu]), counts[gpu].length);
    }

    /// Returns what a GPU sends, in the order of the classes.
    public List<Send> sends(int gpu) {
        return sends(gpu, new long[counts[gpu].length], counts[gpu]);
    }

    /// Returns a part of what a GPU sends, in the order of the classes.
    ///
    /// @param from  the first element of each class that is sent, counted on this GPU
    /// @param until the first one behind those that are sent
    public List<Send> sends(int gpu, long[] from, long[] until) {
        List<Send> sends = new ArrayList<>();
        long[] starts = sentBy(gpu);
        long[] locals = localStarts(gpu);
        for (int c = 0; c < starts.length; c++) {
            Range sent = new Range(starts[c] + from[c], starts[c] + until[c]);
            for (int to = 0; to < gpuCount(); to++) {
                Range places = sent.within(owned[to], owned[to + 1]);
                if (places.count() > 0) {
                    sends.add(new Send(to, places, locals[c] + places.begin - starts[c]));
                }
            }
        }
        return sends;
    }

    /// Returns how many of its elements a GPU sends to itself. In the order of the classes they follow each other.
    public long keptBy(int gpu) {
        long kept = 0;
        for (Send send : sends(gpu)) {
            kept += send.to == gpu ? send.places.count() : 0;
        }
        return kept;
    }

    /// Returns the places that a GPU has to sort, one range for each class.
    public List<Range> sorts(int gpu) {
        List<Range> sorts = new ArrayList<>();
        for (int c = 0; c + 1 < classes.length; c += 2) {
            if (classes[c] < classes[c + 1] && owned[gpu] <= classes[c] && classes[c] < owned[gpu + 1]) {
                sorts.add(new Range(classes[c], classes[c + 1]));
            }
        }
        return sorts;
    }

    /// Returns whether all of these places are those of one GPU, which can sort them right there.
    public boolean isAtHome(int gpu, Range places) {
        return homes[gpu] <= places.begin && places.end <= homes[gpu + 1];
    }

    /// Returns what is left to copy where it belongs, once all is sorted: elements that are equal to a splitter, and
    /// classes around borders.
    public List<Move> moves() {
        List<Move> moves = new ArrayList<>();
        for (int from = 0; from < gpuCount(); from++) {
            for (int c = 0; c + 1 < classes.length; c++) {
                Range held = new Range(classes[c], classes[c + 1]).within(owned[from], owned[from + 1]);
                if (c % 2 == 1 || !isAtHome(from, held)) {
                    for (int to = 0; to < gpuCount(); to++) {
                        add(moves, from, to, held.within(homes[to], homes[to + 1]));
                    }
                }
            }
        }
        return moves;
    }

    private static void add(List<Move> moves, int from, int to, Range places) {
        if (places.count() > 0) {
            moves.add(new Move(from, to, places));
        }
    }
}
