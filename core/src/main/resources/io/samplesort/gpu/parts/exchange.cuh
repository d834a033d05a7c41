// The basic step of sorting networks: compare two items and exchange them, within a thread or between two lanes.
//
// The integer pipe bounds the small sort, and both comparisons and selects run there. So one half of each exchange is a
// move through the multiplier, which would otherwise be idle: a * 1 + 0, with a 1 that the compiler does not know to be
// one. The words of an item stay what they are; only `less` looks at keys.
#pragma once
#include "parts/basics.cuh"

// Whether items that compare equal are the same bit by bit, so that one may stand for the other. In a sample, keys
// always may stand for each other, since they are only compared.
template <typename Item>
constexpr bool kEqualItemsAreIdentical = true;
template <>
constexpr bool kEqualItemsAreIdentical<Element> = kEqualElementsAreIdentical;

// An item that no other item sorts after.
template <typename Item>
__device__ __forceinline__ Item greatest() {
    return Item{greatest_key()};
}

// Items of whole words, which is how the hardware moves them.
template <typename Item>
constexpr bool kIsWholeWords = sizeof(Item) % sizeof(u32) == 0;

template <typename Item>
struct Words {
    u32 word[sizeof(Item) / sizeof(u32)];
};

// Smaller items, as bits of a word.
template <int kBytes>
struct SmallBits;
template <>
struct SmallBits<1> {
    typedef u8 Type;
};
template <>
struct SmallBits<2> {
    typedef u16 Type;
};

#ifdef __CUDA_ARCH__

__device__ __forceinline__ u32 opaque_one() { return blockDim.z; }

__device__ __forceinline__ void move_if(bool condition, u32& to, u32 from) {
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.u32 p, %2, 0;\n\t"
        "@p mad.lo.u32 %0, %1, %3, 0;\n\t"
        "}"
        : "+r"(to)
        : "r"(from), "r"((u32)condition), "r"(opaque_one()));
}

// Sums for addresses, which go through the multiplier as well. The second one adds only if any of `bits` is set.
__device__ __forceinline__ u32 sum(u32 a, u32 b) { return a * opaque_one() + b; }

__device__ __forceinline__ void sum_if_any(u32 bits, u32& to, u32 a, u32 b) {
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.u32 p, %3, 0;\n\t"
        "@p mad.lo.u32 %0, %1, %4, %2;\n\t"
        "}"
        : "+r"(to)
        : "r"(a), "r"(b), "r"(bits), "r"(opaque_one()));
}

// Exchanges two words in one statement, so that the compiler evaluates the condition once.
__device__ __forceinline__ void exchange_if(bool condition, u32& a0, u32& a1, u32& b0, u32& b1) {
    u32 low0;
    u32 low1;
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.u32 p, %6, 0;\n\t"
        "selp.b32 %0, %2, %4, p;\n\t"
        "selp.b32 %1, %3, %5, p;\n\t"
        "@p mad.lo.u32 %2, %4, %7, 0;\n\t"
        "@p mad.lo.u32 %3, %5, %7, 0;\n\t"
        "}"
        : "=&r"(low0), "=&r"(low1), "+r"(b0), "+r"(b1)
        : "r"(a0), "r"(a1), "r"((u32)condition), "r"(opaque_one()));
    a0 = low0;
    a1 = low1;
}

#else  // not CUDA: the emulator

__device__ __forceinline__ void move_if(bool condition, u32& to, u32 from) { to = condition ? from : to; }

__device__ __forceinline__ u32 sum(u32 a, u32 b) { return a + b; }

__device__ __forceinline__ void sum_if_any(u32 bits, u32& to, u32 a, u32 b) { to = bits != 0 ? a + b : to; }

__device__ __forceinline__ void exchange_if(bool condition, u32& a0, u32& a1, u32& b0, u32& b1) {
    const u32 low0 = condition ? b0 : a0;
    const u32 low1 = condition ? b1 : a1;
    move_if(condition, b0, a0);
    move_if(condition, b1, a1);
    a0 = low0;
    a1 = low1;
}

#endif

// Puts the smaller item first, if it `may`.
template <typename Item>
__device__ __forceinline__ void compare_exchange(Item& first, Item& second, bool may = true) {
    const bool swap = may && less(second, first);
    if constexpr (sizeof(Item) >= 8 && kIsWholeWords<Item>) {
        constexpr u32 kWords = sizeof(Item) / sizeof(u32);
        auto a = __builtin_bit_cast(Words<Item>, first);
        auto b = __builtin_bit_cast(Words<Item>, second);
#pragma unroll
        for (u32 w = 0; w + 1 < kWords; w += 2) {
            exchange_if(swap, a.word[w], a.word[w + 1], b.word[w], b.word[w + 1]);
        }
        if constexpr (kWords % 2 != 0) {
            const u32 low = swap ? b.word[kWords - 1] : a.word[kWords - 1];
            move_if(swap, b.word[kWords - 1], a.word[kWords - 1]);
            a.word[kWords - 1] = low;
        }
        first = __builtin_bit_cast(Item, a);
        second = __builtin_bit_cast(Item, b);
    } else {
        // For an item of one word this becomes a minimum and a maximum, of one instruction each.
        const Item low = swap ? second : first;
        second = swap ? first : second;
        first = low;
    }
}

// item = take ? other : item, word by word, so that both stay in registers.
template <typename Item>
__device__ __forceinline__ void move_item_if(bool take, Item& item, const Item& other) {
    if constexpr (kIsWholeWords<Item>) {
        auto own = __builtin_bit_cast(Words<Item>, item);
        const auto others = __builtin_bit_cast(Words<Item>, other);
#pragma unroll
        for (u32 w = 0; w < sizeof(Item) / sizeof(u32); ++w) {
            move_if(take, own.word[w], others.word[w]);
        }
        item = __builtin_bit_cast(Item, own);
    } else {
        item = take ? other : item;
    }
}

// Returns the item of another lane; `shuffle` says which lane, by a shuffle of one word.
template <typename Item, typename Shuffle>
__device__ __forceinline__ Item shuffle_words(const Item& item, const Shuffle& shuffle) {
    if constexpr (kIsWholeWords<Item>) {
        auto words = __builtin_bit_cast(Words<Item>, item);
#pragma unroll
        for (u32 w = 0; w < sizeof(Item) / sizeof(u32); ++w) {
            words.word[w] = shuffle(words.word[w]);
        }
        return __builtin_bit_cast(Item, words);
    } else {
        using Bits = typename SmallBits<sizeof(Item)>::Type;
        const u32 bits = __builtin_bit_cast(Bits, item);
        return __builtin_bit_cast(Item, (Bits)shuffle(bits));
    }
}

template <typename Item>
__device__ __forceinline__ Item shuffle_xor(const Item& item, u32 lane_mask) {
    return shuffle_words(item, [&](u32 word) { return __shfl_xor_sync(kAllLanes, word, (int)lane_mask); });
}

template <typename Item>
__device__ __forceinline__ Item shuffle(const Item& item, u32 lane) {
    return shuffle_words(item, [&](u32 word) { return __shfl_sync(kAllLanes, word, (int)lane); });
}

// Does half of a compare-exchange between two lanes, if it `may`: keeps the smaller one of the lane's own item and the
// partner's, or the larger one in the `upper` lane. Both lanes must decide alike, even between equal items and whatever
// `less` answers.
template <typename Item>
__device__ __forceinline__ void keep_side(Item& item, const Item& partner, bool upper, bool may = true) {
    bool take;
    if constexpr (kEqualItemsAreIdentical<Item>) {
        take = may && less(item, partner) == upper;
    } else {
        take = may && (upper ? less(item, partner) : less(partner, item));
    }
    move_item_if(take, item, partner);
}
