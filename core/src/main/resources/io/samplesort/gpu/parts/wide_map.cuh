// Cells of keys that are wider than their numbers: structs with several fields and sort keys with an index. Splitters
// with the same first number lie in different cells by their second numbers, while cells of first numbers alone could
// not tell them apart.
#pragma once
#include "parts/basics.cuh"
#include "parts/frequent_numbers.cuh"

// A monotone map of keys to cells.
struct WideMap {
    u64 least;         // number
    u64 range;         // of numbers
    u64 least_second;  // number, and
    u64 second_range;  // of second numbers, if all first numbers are the same
    u32 bits;  // how many bits do not fit the word, of distances of numbers or, if these are the same, of second ones
    u32 least_word;  // the words of the least and of the greatest key
    u32 greatest_word;
    u32 factor;  // cells for each unit of a distance, or of exponents, in units of 2^-32
    u32 by_exponents;
    FrequentNumbers frequent;  // if there are any, their cells lie between the others

    // Returns the map of the keys from `least` to `greatest` to cells 0 to cell_count - 1. Keys before and after these
    // go to the first and the last cell. If `by_exponents`, all powers of two of the distance from the least key have
    // the same number of cells, so cells are smaller the nearer they lie to that key.
    __device__ __forceinline__ static WideMap of(
        const OrderedKey& least, const OrderedKey& greatest, u32 cell_count, bool by_exponents) {
        WideMap map{};
        map.least = number_of(least);
        map.range = number_of(greatest) - (u64)number_of(least);
        map.least_second = second_number_of(least);
        map.second_range = second_number_of(greatest) - map.least_second;
        const bool are_alike = map.range == 0;
        const u64 range = are_alike ? map.second_range : map.range;
        const u32 range_bits = range == 0 ? 0 : 64 - (u32)__clzll((long long)range);
        map.bits = !are_alike ? range_bits : max_of(range_bits, 32u) - 32;
        map.least_word = map.word_of(least);
        map.greatest_word = map.word_of(greatest);
        map.by_exponents = by_exponents ? 1 : 0;
        const u32 last = map.place_at(map.greatest_word - map.least_word);
        // The margin keeps rounding from producing a cell beyond the last.
        const float scale = (float)cell_count * 4294967296.0f / ((float)last + 1.0f) * (1.0f - 1.0f / (1 << 20));
        map.factor = last < cell_count ? ~0u : (u32)scale;
        return map;
    }

    __device__ __forceinline__ u32 operator()(const OrderedKey& key) const {
        u32 cell = __umulhi(place_at(distance_of(word_of(key))), factor);
#pragma unroll
        for (u32 j = 0; j < FrequentNumbers::kMost; ++j) {
            cell += j < frequent.count ? frequent.at[j].cells_before(key) : 0;
        }
        return cell;
    }

    // Finds the cells of all elements of a thread; their look-ups are in flight at once.
    template <int kItems>
    __device__ __forceinline__ void find_cells(const Element (&elements)[kItems], u32 (&cells)[kItems]) const {
        if (range == 0) {
            find_words(elements, cells, [&](const OrderedKey& key) { return word_of_second(key); });
        } else if (bits <= 32) {
            find_words(elements, cells, [&](const OrderedKey& key) { return word_of_both(key); });
        } else {
            find_words(elements, cells, [&](const OrderedKey& key) { return word_of_first(key); });
        }
        if (by_exponents != 0) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                cells[i] = exponent_and_more(cells[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            cells[i] = __umulhi(cells[i], factor);
        }
#pragma unroll
        for (u32 j = 0; j < FrequentNumbers::kMost; ++j) {
            if (j < frequent.count) {
#pragma unroll
                for (int i = 0; i < kItems; ++i) {
                    cells[i] += frequent.at[j].cells_before(elements[i].key);
                }
            }
        }
    }

  private:
    template <int kItems, typename WordOf>
    __device__ __forceinline__ void find_words(
        const Element (&elements)[kItems], u32 (&words)[kItems], const WordOf& word_of_key) const {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            words[i] = distance_of(word_of_key(elements[i].key));
        }
    }

    // Returns 32 bits of the distance of a key from the least one, beginning with the first bit that can be 1 in the
    // greatest distance. Keys before or after all splitters have the least or the greatest word.
    __device__ __forceinline__ u32 word_of(const OrderedKey& key) const {
        return range == 0 ? word_of_second(key) : bits <= 32 ? word_of_both(key) : word_of_first(key);
    }

    __device__ __forceinline__ u32 word_of_second(const OrderedKey& key) const {
        const u64 first = number_of(key);
        const u64 second = second_number_of(key);
        const u64 distance = second - least_second;
        const u32 word = __funnelshift_rc((u32)distance, (u32)(distance >> 32), bits);
        const bool is_before = (first < least) | ((first == least) & (second < least_second));
        const bool is_between = (first == least) & (distance <= second_range);
        return is_between ? word : is_before ? 0 : ~0u;
    }

    __device__ __forceinline__ u32 word_of_both(const OrderedKey& key) const {
        const u64 first = number_of(key);
        const u64 distance = first - least;
        const u32 word = __funnelshift_rc((u32)(second_number_of(key) >> 32), (u32)distance, bits);
        return distance <= range ? word : first < least ? 0 : ~0u;
    }

    __device__ __forceinline__ u32 word_of_first(const OrderedKey& key) const {
        const u64 first = number_of(key);
        const u64 distance = first - least;
        const u32 word = __funnelshift_rc((u32)distance, (u32)(distance >> 32), bits - 32);
        return distance <= range ? word : first < least ? 0 : ~0u;
    }

    __device__ __forceinline__ u32 distance_of(u32 word) const {
        return min_of(max_of(word, least_word), greatest_word) - least_word;
    }

    __device__ __forceinline__ u32 place_at(u32 distance) const {
        return by_exponents != 0 ? exponent_and_more(distance) : distance;
    }

    // The bits of a float are in the order of the numbers. The bits of 1 are subtracted.
    __device__ __forceinline__ static u32 exponent_and_more(u32 distance) {
        return (u32)__float_as_int((float)(distance >> 1 | 1)) - 0x3f800000u;
    }
};
