// Divides records among buckets in a copy, from where they come back in order. A bucket and what sorting it takes stay
// in a core's second cache, so that each record goes through the memory twice.
//
// Records have 16 or 32 bytes, so that a cache line holds several whole ones. Their keys are numbers.
#pragma once

#include "quicksort.hpp"
#include "records.hpp"

// The number of buckets: the number of a bucket fits a byte.
constexpr int64_t RECORD_BUCKETS = 256;

// How many records are sampled to choose splitters.
constexpr int64_t DRAWN_RECORDS = 4096;

// How many records' keys are read at a time.
constexpr int64_t RANKED_AT_A_TIME = 512;

// Returns a signed number in the order of the key of a record.
template <Read READ>
INLINE int64_t rankOf(const char* record, Packing how) {
    return static_cast<int64_t>(((readBits<READ>(record + how.offset) ^ how.flip) - how.least) ^ uint64_t{1} << 63);
}

// Chooses splitters, which begin all buckets but the first. Returns how many of them are distinct.
template <Read READ>
int64_t chooseRecordSplitters(const char* records, int64_t bytes, int64_t count, Packing how, int64_t* splitters) {
    alignas(64) int64_t sample[DRAWN_RECORDS];
    uint64_t random = 0x9e3779b97f4a7c15;
    for (int64_t i = 0; i < DRAWN_RECORDS; i++) {
        int64_t start = count * i / DRAWN_RECORDS;
        int64_t end = count * (i + 1) / DRAWN_RECORDS;
        random = random * 6364136223846793005 + 1442695040888963407;
        int64_t place = start + static_cast<int64_t>((random >> 33) % static_cast<uint64_t>(end - start));
        sample[i] = rankOf<READ>(records + place * bytes, how);
    }
    sort<Longs, false>(sample, DRAWN_RECORDS);
    int64_t distinct = 0;
    for (int64_t i = 1; i < RECORD_BUCKETS; i++) {
        splitters[i - 1] = sample[i * (DRAWN_RECORDS / RECORD_BUCKETS)];
        distinct += i == 1 || splitters[i - 1] != splitters[i - 2];
    }
    return distinct;
}

// Finds the buckets of eight keys at once by a binary search, whose first levels are in registers.
class BucketSearch {
    __m512i levels[4];
    __m512i fifth[2];
    const int64_t* splitters;

    // The splitters that level `level` compares with, from the node `from` on.
    INLINE __m512i nodes(int level, int from) const {
        int64_t step = RECORD_BUCKETS >> (level + 1);
        alignas(64) int64_t found[8];
        for (int i = 0; i < 8; i++) {
            found[i] = from + i < 1 << level ? splitters[2 * step * (from + i) + step - 1] : 0;
        }
        return _mm512_load_si512(found);
    }

  public:
    INLINE explicit BucketSearch(const int64_t* splitters) : splitters(splitters) {
        for (int level = 0; level < 4; level++) {
            levels[level] = nodes(level, 0);
        }
        fifth[0] = nodes(4, 0);
        fifth[1] = nodes(4, 8);
    }

    INLINE __m512i find(__m512i keys) const {
        __m512i node = _mm512_setzero_si512();
        auto descend = [&](__m512i splitter) {
            __m512i twice = _mm512_add_epi64(node, node);
            node = _mm512_mask_sub_epi64(twice, _mm512_cmple_epi64_mask(splitter, keys), twice, _mm512_set1_epi64(-1));
        };
        for (int level = 0; level < 4; level++) {
            descend(_mm512_permutexvar_epi64(node, levels[level]));
        }
        descend(_mm512_permutex2var_epi64(fifth[0], node, fifth[1]));
        // The part of a node begins with its number times the buckets of a node, and its splitter lies in the middle.
        descend(_mm512_i64gather_epi64(_mm512_slli_epi64(node, 3), splitters + 3, 8));
        descend(_mm512_i64gather_epi64(_mm512_slli_epi64(node, 2), splitters + 1, 8));
        descend(_mm512_i64gather_epi64(_mm512_slli_epi64(node, 1), splitters, 8));
        return node;
    }
};

// Writes the bucket of each record to `buckets`, and how many records each bucket has to `counts`.
template <Read READ>
void findRecordBuckets(
    const char* records, int64_t bytes, int64_t count, Packing how, const int64_t* splitters, uint8_t* buckets,
    int64_t* counts) {
    BucketSearch search(splitters);
    alignas(64) int64_t ranks[RANKED_AT_A_TIME];
    for (int64_t i = 0; i < RECORD_BUCKETS; i++) {
        counts[i] = 0;
    }
    for (int64_t done = 0; done < count; done += RANKED_AT_A_TIME) {
        int64_t size = RANKED_AT_A_TIME < count - done ? RANKED_AT_A_TIME : count - done;
        for (int64_t i = 0; i < size; i++) {
            ranks[i] = rankOf<READ>(records + (done + i) * bytes, how);
        }
        for (int64_t i = 0; i < size; i += 8) {
            __m128i found = _mm512_cvtepi64_epi8(search.find(_mm512_load_si512(ranks + i)));
            __mmask16 valid = static_cast<__mmask16>(size - i < 8 ? (1 << (size - i)) - 1 : 0xff);
            _mm_mask_storeu_epi8(buckets + done + i, valid, found);
        }
        for (int64_t i = 0; i < size; i++) {
            counts[buckets[done + i]]++;
        }
    }
}

// Copies memory that lies within one cache line.
INLINE void copyPart(char* target, const char* source, int64_t bytes) {
    __mmask64 some = (uint64_t{1} << bytes) - 1;
    _mm512_mask_storeu_epi8(target, some, _mm512_maskz_loadu_epi8(some, source));
}

// Moves each record to its bucket in the copy, by whole lines past the caches. `next` says where in the copy the first
// record of each bucket goes, and then where the next one would go.
inline void scatterRecords(
    char* copy, const char* records, int64_t bytes, int64_t count, const uint8_t* buckets, int64_t* next) {
    alignas(LINE) char lines[RECORD_BUCKETS * LINE];
    char* start[RECORD_BUCKETS];
    char* to[RECORD_BUCKETS];
    for (int64_t i = 0; i < RECORD_BUCKETS; i++) {
        start[i] = copy + next[i] * bytes;
        to[i] = start[i];
    }
    auto inLine = [](char* at) { return static_cast<int64_t>(reinterpret_cast<uintptr_t>(at) & (LINE - 1)); };
    for (int64_t i = 0; i < count; i++) {
        int64_t bucket = buckets[i];
        char* line = lines + bucket * LINE;
        copyRecord(line + inLine(to[bucket]), records + i * bytes, bytes);
        to[bucket] += bytes;
        if (inLine(to[bucket]) == 0) {
            char* full = to[bucket] - LINE;
            if (full >= start[bucket]) {
                _mm512_stream_si512(reinterpret_cast<__m512i*>(full), _mm512_load_si512(line));
            } else {
                int64_t before = start[bucket] - full;
                copyPart(start[bucket], line + before, LINE - before);
            }
        }
    }
    for (int64_t i = 0; i < RECORD_BUCKETS; i++) {
        char* last = to[i] - inLine(to[i]);
        int64_t before = last < start[i] ? start[i] - last : 0;
        copyPart(last + before, lines + i * LINE + before, inLine(to[i]) - before);
        next[i] += (to[i] - start[i]) / bytes;
    }
    _mm_sfence();
}

// Writes the records of a bucket to `target` in the order of their keys, stably.
template <class V, Read READ>
void sortRecordBucket(char* target, const char* bucket, int64_t* longs, int64_t bytes, int64_t count, Packing how) {
    if (count == 0) {
        return;
    }
    int64_t least = rankOf<READ>(bucket, how);
    int64_t greatest = least;
    for (int64_t i = 0; i < count; i++) {
        int64_t rank = rankOf<READ>(bucket + i * bytes, how);
        longs[i] = rank;
        least = rank < least ? rank : least;
        greatest = rank > greatest ? rank : greatest;
    }
    auto bitsOf = [](uint64_t number) { return number == 0 ? 0 : 64 - __builtin_clzll(number); };
    auto from = static_cast<uint64_t>(least);
    int placeBits = bitsOf(static_cast<uint64_t>(count - 1));
    int left = bitsOf(static_cast<uint64_t>(greatest) - from) + placeBits - 64;
    left = left > 0 ? left : 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t leading = (static_cast<uint64_t>(longs[i]) - from) >> left;
        longs[i] = static_cast<int64_t>((leading << placeBits | static_cast<uint64_t>(i)) ^ uint64_t{1} << 63);
    }
    sort<V, false>(longs, count);
    int64_t places = (int64_t{1} << placeBits) - 1;
    // Where leading bits are equal, the remaining bits decide. There are no more of them than bits of a place.
    for (int64_t tie = left == 0 ? count : nextTie(longs, placeBits, 1, count); tie < count;) {
        int64_t start = tie - 1;
        int64_t leading = longs[start] >> placeBits;
        int64_t end = start;
        for (; end < count && longs[end] >> placeBits == leading; end++) {
            int64_t place = longs[end] & places;
            uint64_t rest = static_cast<uint64_t>(rankOf<READ>(bucket + place * bytes, how)) - from;
            longs[end] = static_cast<int64_t>((rest & ((uint64_t{1} << left) - 1)) << placeBits) | place;
        }
        sort<V, false>(longs + start, end - start);
        tie = end + 1 < count ? nextTie(longs, placeBits, end + 1, count) : count;
    }
    gather(target, bucket, longs, places, bytes, count);
}
