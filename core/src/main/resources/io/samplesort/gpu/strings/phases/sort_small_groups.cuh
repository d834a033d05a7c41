// Groups of a few strings, which are compared with each other.
#pragma once

// What threads know of each other's strings, in shared memory. Each block also has the strings around its own, since
// groups lie across.
struct GroupMembers {
    u64 words[kGroupThreads];    // the next bytes
    u64 places[kGroupThreads];   // of these bytes
    u64 rests[kGroupThreads];    // how many bytes there are from these on
};

constexpr u32 kGroupSharedBytes = sizeof(GroupMembers);

// The strings that a block puts in their places at a time.
constexpr u32 kGroupTile = kGroupThreads - 2 * kSmallGroup;

// Puts the strings of small groups where they belong: each behind as many as come before it.
extern "C" __global__ void sort_small_groups(
    const Round round, const Text strings, const u64* small, u8* permutation, u64 index_bytes) {
    GroupMembers& members = *(GroupMembers*)shared_memory;
    const TextReader text(strings);
    const u64 count = round.state->small_members;
    for (u64 begin = (u64)blockIdx.x * kGroupTile; begin < count; begin += (u64)gridDim.x * kGroupTile) {
        // Numbers below 0 become very large ones.
        const u64 entry_at = begin + threadIdx.x - kSmallGroup;
        const bool exists = entry_at < count;
        const u64 entry = exists ? small[entry_at] : 0;
        const u64 i = (u32)entry;
        const u32 before = (u32)(entry >> kBeforeShift) & 0xff;
        const u32 size = (u32)(entry >> kSizeShift);
        u32 string = 0;
        u64 word = 0;
        u64 place = 0;
        u64 rest = 0;
        if (exists) {
            string = round.string(i);
            const Span span = text.span(string);
            place = span.begin + shared_bytes(round, strings, round.word(i));
            rest = span.end - place;
            word = text.bytes(place, span.end);
        }
        members.words[threadIdx.x] = word;
        members.places[threadIdx.x] = place;
        members.rests[threadIdx.x] = rest;
        __syncthreads();
        const bool is_own = exists && threadIdx.x >= kSmallGroup && threadIdx.x < kSmallGroup + kGroupTile;
        const u32 most = warp_max(is_own ? size : 0);
        u32 rank = 0;
        for (u32 k = 0; k < most; ++k) {
            const bool is_compared = is_own && k < size && k != before;
            const u32 other = is_compared ? threadIdx.x - before + k : threadIdx.x;
            const u64 other_word = members.words[other];
            const bool is_equal_word = other_word == word;
            // Where one of them ends within the word, nothing else is looked at.
            const Rest other_rest{members.places[other], members.rests[other]};
            const bool is_tied = is_equal_word && min_of(rest, other_rest.length) > kWordBytes;
            const int rest_order = compare_by_warp(text, other_rest, Rest{place, rest}, is_compared && is_tied);
            bool is_equal = is_tied && rest_order == 0;
            bool is_less = is_tied ? rest_order < 0 : other_word < word;
            if (is_equal_word && !is_tied) {
                is_equal = other_rest.length == rest;
                is_less = other_rest.length < rest;
            }
            // Equal strings are in the order of their indexes already.
            const bool comes_before = is_equal ? k < before : is_less != (strings.is_reversed != 0);
            rank += is_compared && comes_before ? 1 : 0;
        }
        if (is_own) {
            store_index(permutation, index_bytes, round.place(i - before + rank), string);
        }
        __syncthreads();
    }
}
