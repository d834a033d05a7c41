// A quicksort of the indexes of strings by their words (J. L. Bentley and R. Sedgewick's multikey quicksort, 1997). The
// words are kept next to the indexes, so that the strings themselves are read once for each word.
#pragma once

#include "strings.hpp"

// Strings `from..to` of the order so far, which have `depth` bytes in common.
struct StringRange {
    int64_t from;
    int64_t to;
    int64_t depth;

    int64_t count() const { return to - from; }
};

// Ranges that are still to be sorted. The smallest is sorted first, so there are few.
class StringRanges {
  public:
    static constexpr int MOST = 96;

    void add(const StringRange& range) {
        if (range.count() > 1) {
            ranges[size++] = range;
        }
    }

    // Adds three ranges, the largest first.
    void addAll(StringRange a, StringRange b, StringRange c) {
        order(a, b);
        order(b, c);
        order(a, b);
        add(a);
        add(b);
        add(c);
    }

    bool take(StringRange& range) {
        if (size == 0) {
            return false;
        }
        range = ranges[--size];
        return true;
    }

  private:
    StringRange ranges[MOST];
    int size = 0;

    static void order(StringRange& a, StringRange& b) {
        if (a.count() < b.count()) {
            StringRange swapped = a;
            a = b;
            b = swapped;
        }
    }
};

class StringSort {
  public:
    // Ranges that other threads may sort, three numbers for each.
    static constexpr int64_t RANGE_FIELDS = 3;
    static constexpr int64_t MOST_LEFT = 3;

    StringSort(const Strings& strings, uint64_t* words, uint32_t* indexes)
        : strings(strings), words(words), indexes(indexes), random(reinterpret_cast<uint64_t>(words)) {}

    // Writes the indexes of the strings of a block, and reads their first words.
    void begin(int64_t from, int64_t to) {
        for (int64_t i = from; i < to; i++) {
            indexes[i] = static_cast<uint32_t>(i);
        }
        read({from, to, 0});
    }

    // Returns whether the strings of a block are in order, and none belongs before the string that precedes the block.
    // `begin` must have been called for all of these.
    bool isSorted(int64_t from, int64_t to) const {
        for (int64_t i = from == 0 ? 1 : from; i < to; i++) {
            if (words[i - 1] > words[i]
                || (words[i - 1] == words[i] && strings.goesOn(words[i]) && !strings.isOrdered(i - 1, i))) {
                return false;
            }
        }
        return true;
    }

    // Sorts a range whose words have been read. Strings that are equal come in the order of their indexes.
    void sort(const StringRange& range) {
        StringRanges pending;
        pending.add(range);
        StringRange next;
        while (pending.take(next)) {
            if (next.count() <= SMALL) {
                insert(next.from, next.to);
                for (int64_t from = next.from, to; from < next.to; from = to) {
                    to = equalEnd(from, next.to);
                    sortSmall({from, to, next.depth});
                }
            } else {
                StringRange parts[3];
                split(next, parts);
                pending.addAll(parts[0], parts[1], parts[2]);
            }
        }
    }

    // Splits a range whose words have been read into up to three, whose words are then read, too.
    //   left  takes the ranges
    // Returns how many there are.
    int64_t split(const StringRange& range, int64_t* left) {
        StringRange parts[3];
        split(range, parts);
        int64_t count = 0;
        for (const StringRange& part : parts) {
            if (part.count() > 1) {
                left[RANGE_FIELDS * count] = part.from;
                left[RANGE_FIELDS * count + 1] = part.to;
                left[RANGE_FIELDS * count + 2] = part.depth;
                count++;
            }
        }
        return count;
    }

  private:
    // An insertion sort takes up to this many strings.
    static constexpr int64_t SMALL = 20;
    // With more words than this, the pivot is the median of three medians.
    static constexpr int64_t SAMPLED = 128;
    // Strings with equal words are first compared in this many bytes, and then in twice as many each time.
    static constexpr int64_t WINDOW = 64;

    const Strings& strings;
    uint64_t* words;
    uint32_t* indexes;
    uint64_t random;

    void read(const StringRange& range) {
        Strings all = strings;
        for (int64_t i = range.from; i < range.to; i++) {
            words[i] = all.word(indexes[i], range.depth);
        }
    }

    void swap(int64_t i, int64_t j) {
        uint64_t word = words[i];
        words[i] = words[j];
        words[j] = word;
        uint32_t index = indexes[i];
        indexes[i] = indexes[j];
        indexes[j] = index;
    }

    void insert(int64_t from, int64_t to) {
        for (int64_t i = from + 1; i < to; i++) {
            uint64_t word = words[i];
            uint32_t index = indexes[i];
            int64_t free = i;
            for (; free > from && words[free - 1] > word; free--) {
                words[free] = words[free - 1];
                indexes[free] = indexes[free - 1];
            }
            words[free] = word;
            indexes[free] = index;
        }
    }

    int64_t equalEnd(int64_t from, int64_t limit) const {
        int64_t to = from + 1;
        while (to < limit && words[to] == words[from]) {
            to++;
        }
        return to;
    }

    // Sorts a few strings with equal words.
    void sortSmall(StringRange range) {
        while (range.count() > 1) {
            range = goOn(range);
            if (range.count() <= 1) {
                return;
            }
            insert(range.from, range.to);
            // All ranges of equal words but the last are sorted here. Each has fewer strings.
            int64_t from = range.from;
            int64_t to = equalEnd(from, range.to);
            for (; to < range.to; to = equalEnd(from, range.to)) {
                sortSmall({from, to, range.depth});
                from = to;
            }
            range.from = from;
        }
    }

    // Returns the range of strings with equal words, with their next words read; an empty range if it is sorted.
    StringRange goOn(const StringRange& range) {
        if (range.count() <= 1) {
            return {range.from, range.from, 0};
        }
        if (!strings.goesOn(words[range.from])) {
            sortIndexes(range.from, range.to);
            return {range.from, range.from, 0};
        }
        StringRange next = {range.from, range.to, range.depth + Strings::WORD_BYTES};
        next.depth += common(next);
        read(next);
        return next;
    }

    // Returns how many bytes after the first `depth` all strings of a range have in common. A string is read no further
    // than twice as far as all of them agree, since what two of them share may be much longer.
    int64_t common(const StringRange& range) const {
        int64_t first = indexes[range.from];
        int64_t common = 0;
        for (int64_t window = WINDOW;; window *= 2) {
            int64_t depth = range.depth + common;
            int64_t limit = least(window, strings.end(first) - strings.start(first) - depth);
            for (int64_t i = range.from + 1; i < range.to && limit > 0; i++) {
                int64_t other = indexes[i];
                limit = least(limit, strings.end(other) - strings.start(other) - depth);
                limit = strings.common(first, other, depth, limit);
            }
            common += limit;
            if (limit < window) {
                return common;
            }
        }
    }

    static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

    static uint64_t median(uint64_t a, uint64_t b, uint64_t c) {
        return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    }

    // Returns a word at a place that no input can predict: the seed is an address.
    uint64_t any(int64_t from, int64_t to) {
        random = random * 6364136223846793005 + 1442695040888963407;
        return words[from + static_cast<int64_t>((random >> 33) * static_cast<uint64_t>(to - from) >> 31)];
    }

    uint64_t medianOfThree(int64_t from, int64_t to) { return median(any(from, to), any(from, to), any(from, to)); }

    uint64_t pivot(int64_t from, int64_t to) {
        return to - from < SAMPLED ? medianOfThree(from, to)
                                   : median(medianOfThree(from, to), medianOfThree(from, to), medianOfThree(from, to));
    }

    // Moves the words that are `isFirst` before all others. Returns where the others begin. It cannot be predicted
    // whether a word has to be moved, so every word is.
    template <class First>
    int64_t moveFirst(int64_t from, int64_t to, First isFirst) {
        int64_t free = from;
        for (int64_t i = from; i < to; i++) {
            uint64_t word = words[i];
            swap(i, free);
            free += isFirst(word);
        }
        return free;
    }

    // Splits a range into the strings with lesser words than a pivot, those with greater words, and those with the same
    // word, whose next words are read.
    void split(const StringRange& range, StringRange* parts) {
        uint64_t word = pivot(range.from, range.to);
        int64_t equal = moveFirst(range.from, range.to, [=](uint64_t other) { return other < word; });
        int64_t greater = moveFirst(equal, range.to, [=](uint64_t other) { return other == word; });
        parts[0] = {range.from, equal, range.depth};
        parts[1] = {greater, range.to, range.depth};
        parts[2] = goOn({equal, greater, range.depth});
    }

    // Sorts the indexes of equal strings.
    void sortIndexes(int64_t from, int64_t to) {
        bool isSorted = true;
        for (int64_t i = from + 1; i < to; i++) {
            isSorted &= indexes[i - 1] < indexes[i];
        }
        if (isSorted) {
            return;
        }
        for (int64_t i = from; i < to; i++) {
            words[i] = indexes[i];
        }
        StringRanges pending;
        pending.add({from, to, 0});
        StringRange next;
        while (pending.take(next)) {
            if (next.count() <= SMALL) {
                insert(next.from, next.to);
                continue;
            }
            uint64_t word = pivot(next.from, next.to);
            int64_t middle = moveFirst(next.from, next.to, [=](uint64_t other) { return other < word; });
            // The pivot itself is the least of the second part.
            int64_t greater = moveFirst(middle, next.to, [=](uint64_t other) { return other == word; });
            pending.addAll({next.from, middle, 0}, {greater, next.to, 0}, {next.to, next.to, 0});
        }
    }
};
