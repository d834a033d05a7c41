// The words of later rounds (ties.cuh).
#pragma once

// Makes the word of each tied string. Where strings share more with the first one of their group than a thread looks
// at, warps find how much, and the least of that is skipped by all of them at once.
extern "C" __global__ void make_tied_words(const Text strings, const TiedStrings tied, u64 word_bytes, u64* words) {
    const TextReader text(strings);
    const u32 tail = kCodeBits + 8 * (u32)word_bytes + kDigitBits;
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 lane = threadIdx.x % kWarpSize;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i - lane < tied.count; i += stride) {
        const bool exists = i < tied.count;
        u64 group = 0;
        u64 place = 0;
        u64 first_place = 0;
        u64 rest = 0;
        u64 first_rest = 0;
        u64 common = 0;
        if (exists) {
            group = tied.groups[i];
            const u32 first_string = tied.firsts[group];
            const u32 string = tied.strings[i];
            const u64 depth = tied.depths[group];
            const Span span = text.span(string);
            const Span first = text.span(first_string);
            place = span.begin + depth;
            rest = span.end - place;
            first_place = first.begin + depth;
            first_rest = first.end - first_place;
            // The first string itself shares all with itself.
            common = string == first_string
                ? rest
                : common_bytes(text, place, first_place, min_of(rest, first_rest), kMostShared);
        }
        const bool is_same = common == rest && common == first_rest;
        const bool is_long = !is_same && common >= kMostShared;
        const u64 all_common = common_bytes_by_warp(text, place, first_place, min_of(rest, first_rest), is_long);
        if (!exists) {
            continue;
        }
        u64 word;
        if (common >= kMostShared) {
            // The first one, too, goes on with those that share much with it. Where all others share less, nobody asks
            // how much it shares.
            const u64 skipped = is_long ? all_common : common;
            if (skipped < *(volatile u64*)&tied.skips[group]) {
                atomicMin(&tied.skips[group], skipped);
            }
            word = kMiddleCode << (tail - kCodeBits) | 1;
        } else if (is_same) {
            word = kMiddleCode << (tail - kCodeBits);
        } else {
            const u64 begin = place + common;
            const u64 left = rest - common;
            const u64 used = min_of(left, word_bytes);
            const u64 next = text.bytes(begin, begin + used);
            const bool is_less = left == 0
                || (common < first_rest
                    && next >> 56 < text.bytes(first_place + common, first_place + common + 1) >> 56);
            const u64 code = is_less ? common : 2 * kMiddleCode - 1 - common;
            word = code << (tail - kCodeBits) | next >> (64 - 8 * word_bytes) << kDigitBits
                | (left > word_bytes ? word_bytes + 1 : used);
        }
        if (strings.is_reversed != 0) {
            word ^= (1ull << tail) - 1;
        }
        words[i] = word | group << tail;
    }
}
