// Sorts groups of a few strings by comparing them with each other.
#pragma once
#include "parts/user_indexes.cuh"
#include "strings/parts/ties.cuh"

// The next bytes of a string in words, which tell most strings apart.
constexpr u32 kNextWords = 3;
constexpr u32 kNextBytes = kNextWords * kWordBytes;

// The strings that the threads of a group show each other, in shared memory.
struct GroupMembers {
    u64 words[kNextWords][kGroupThreads];
    u64 places[kGroupThreads];  // where the next bytes lie
    u64 rests[kGroupThreads];   // how many bytes there are from these on
};
constexpr u32 kGroupSharedBytes = sizeof(GroupMembers);

// A block works on the groups that begin among this many entries. It also has the other strings of the last group.
constexpr u32 kGroupTile = kGroupThreads - kSmallGroup;

// The next bytes of a thread's own string.
struct NextBytes {
    u64 words[kNextWords];
    u64 rest;
};

// The comparison of the next bytes of two strings.
struct NextBytesOrder {
    bool is_known;
    int order;  // negative if the first one comes first byte by byte, 0 if they are equal
};

// Compares string `a` of the members, whose first word is the same, with the thread's own string.
__device__ __forceinline__ NextBytesOrder compare_next_bytes(const GroupMembers& members, u32 a, const NextBytes& own) {
    const u64 rest_a = members.rests[a];
    const u64 least_rest = min_of(rest_a, own.rest);
#pragma unroll
    for (u32 w = 0; w < kNextWords; ++w) {
        const u64 word_a = members.words[w][a];
        if (word_a != own.words[w]) {
            return NextBytesOrder{true, word_a < own.words[w] ? -1 : 1};
        }
        // If one of them ends within this word, nothing else counts.
        if (least_rest <= (w + 1) * kWordBytes) {
            return NextBytesOrder{true, rest_a < own.rest ? -1 : rest_a > own.rest};
        }
    }
    return NextBytesOrder{false, 0};
}

// Puts the strings of small groups where they belong, by counting for each how many come before it.
extern "C" __global__ void __launch_bounds__(kGroupThreads)
    sort_small_groups(const Round round, const Text strings, const u64* small, u8* permutation, u64 index_bytes) {
    GroupMembers& members = *(GroupMembers*)shared_memory;
    const TextReader text(strings);
    const u64 count = round.state->small_members;
    const u32 own = threadIdx.x;
    for (u64 begin = (u64)blockIdx.x * kGroupTile; begin < count; begin += (u64)gridDim.x * kGroupTile) {
        const bool exists = begin + own < count;
        const u64 entry = exists ? small[begin + own] : 0;
        const u64 i = (u32)entry;
        const u32 before = (u32)(entry >> kBeforeShift) & 0xff;
        const u32 size = (u32)(entry >> kSizeShift);
        u32 string = 0;
        NextBytes next_bytes{};
        if (exists) {
            string = round.string(i);
            const Span span = text.span(string);
            const u64 place = span.begin + shared_bytes(round, strings, round.word(i));
#pragma unroll
            for (u32 w = 0; w < kNextWords; ++w) {
                next_bytes.words[w] = text.bytes(place + w * kWordBytes, span.end);
                members.words[w][own] = next_bytes.words[w];
            }
            next_bytes.rest = span.end - place;
            members.places[own] = place;
            members.rests[own] = next_bytes.rest;
        }
        __syncthreads();
        // Groups that begin before the tile belong to another block.
        const bool is_own = exists && own >= before && own - before < kGroupTile;
        const u32 most = warp_max(is_own ? size : 0);
        const bool is_reversed = strings.is_reversed != 0;
        u32 rank = 0;
        // The strings of the group with the same first word as this one.
        u32 alike = 0;
        for (u32 k = 0; k < most; ++k) {
            if (is_own && k < size) {
                const u64 other_word = members.words[0][own - before + k];
                rank += other_word != next_bytes.words[0] && other_word < next_bytes.words[0] != is_reversed ? 1 : 0;
                alike |= other_word == next_bytes.words[0] && k != before ? 1u << k : 0;
            }
        }
        while (__ballot_sync(kAllLanes, alike != 0) != 0) {
            const bool is_compared = alike != 0;
            const u32 k = is_compared ? (u32)__ffs((int)alike) - 1 : 0;
            const u32 other = is_compared ? own - before + k : own;
            alike &= alike - 1;
            const NextBytesOrder next =
                is_compared ? compare_next_bytes(members, other, next_bytes) : NextBytesOrder{true, 0};
            int order = next.order;
            if (__ballot_sync(kAllLanes, !next.is_known) != 0) {
                Rest rest{};
                Rest other_rest{};
                if (!next.is_known) {
                    rest = Rest{members.places[own] + kNextBytes, next_bytes.rest - kNextBytes};
                    other_rest = Rest{members.places[other] + kNextBytes, members.rests[other] - kNextBytes};
                }
                const int rest_order = compare_by_warp(text, other_rest, rest, !next.is_known);
                order = next.is_known ? order : rest_order;
            }
            // Equal strings already are in the order of their indexes.
            const bool comes_before = order == 0 ? k < before : order < 0 != is_reversed;
            rank += is_compared && comes_before ? 1 : 0;
        }
        if (is_own) {
            store_index(permutation, index_bytes, round.place(i - before + rank), string);
        }
        __syncthreads();
    }
}
