// Keys of several words: structs that are moved, and sort keys with an index. Generated code uses these functions to
// make unsigned integers from their fields, in the order of the numbers.
#pragma once
#include "parts/float_order.cuh"

template <int kWords>
struct alignas(
    kWords % 4 == 0       ? 16
        : kWords % 2 == 0 ? 8
                          : 4) WordKey {
    unsigned words[kWords];
};

// Returns a sort key with another index, which is its first word.
template <typename SortKey>
__device__ __forceinline__ SortKey with_index(const SortKey& key, unsigned index) {
    auto words = __builtin_bit_cast(WordKey<(int)(sizeof(SortKey) / sizeof(unsigned))>, key);
    words.words[0] = index;
    return __builtin_bit_cast(SortKey, words);
}

// These return parts of a key, by the number of their first word or byte.

template <int kWords>
__device__ __forceinline__ unsigned bits32(const WordKey<kWords>& key, int word) {
    return key.words[word];
}

template <int kWords>
__device__ __forceinline__ unsigned long long bits64(const WordKey<kWords>& key, int word) {
    return (unsigned long long)key.words[word + 1] << 32 | key.words[word];
}

template <int kWords>
__device__ __forceinline__ unsigned short_at(const WordKey<kWords>& key, int byte) {
    return key.words[byte / 4] >> byte % 4 * 8 & 0xffffu;
}

template <int kWords>
__device__ __forceinline__ unsigned byte_at(const WordKey<kWords>& key, int byte) {
    return key.words[byte / 4] >> byte % 4 * 8 & 0xffu;
}

template <int kWords>
__device__ __forceinline__ void put_bits32(WordKey<kWords>& key, int word, unsigned long long bits) {
    key.words[word] = (unsigned)bits;
}

template <int kWords>
__device__ __forceinline__ void put_bits64(WordKey<kWords>& key, int word, unsigned long long bits) {
    key.words[word] = (unsigned)bits;
    key.words[word + 1] = (unsigned)(bits >> 32);
}

template <int kWords>
__device__ __forceinline__ void put_byte(WordKey<kWords>& key, int byte, unsigned value) {
    key.words[byte / 4] = (key.words[byte / 4] & ~(0xffu << byte % 4 * 8)) | value << byte % 4 * 8;
}

// Adds a number at bit `position`, counted from the least significant bit of word 0. The key must be 0 there.
template <int kWords>
__device__ __forceinline__ void add_bits(WordKey<kWords>& key, int position, unsigned long long bits) {
    const int word = position / 32;
    const int shift = position % 32;
    const unsigned long long low = bits << shift;
    key.words[word] |= (unsigned)low;
    if (word + 1 < kWords) {
        key.words[word + 1] |= (unsigned)(low >> 32);
    }
    if (shift != 0 && word + 2 < kWords) {
        key.words[word + 2] |= (unsigned)(bits >> (64 - shift));
    }
}

__device__ __forceinline__ unsigned swap_bytes16(unsigned bits) { return bits >> 8 | (bits & 0xffu) << 8; }

// Makes the first of four or eight bytes the most significant one.

__device__ __forceinline__ unsigned swap_bytes(unsigned word) {
    return word << 24 | (word & 0xff00u) << 8 | (word >> 8 & 0xff00u) | word >> 24;
}

__device__ __forceinline__ unsigned long long swap_bytes(unsigned long long bits) {
    return (unsigned long long)swap_bytes((unsigned)bits) << 32 | swap_bytes((unsigned)(bits >> 32));
}

// Returns the value of a field at a byte offset that is a multiple of its size, or of 4.
template <typename Value, int kWords>
__device__ __forceinline__ Value value_at(const WordKey<kWords>& key, int byte) {
    if constexpr (sizeof(Value) == 8) {
        return __builtin_bit_cast(Value, bits64(key, byte / 4));
    } else if constexpr (sizeof(Value) == 4) {
        return __builtin_bit_cast(Value, bits32(key, byte / 4));
    } else if constexpr (sizeof(Value) == 2) {
        return (Value)short_at(key, byte);
    } else {
        return (Value)byte_at(key, byte);
    }
}

// Returns the value of a big-endian field of more than one byte in the same way.
template <typename Value, int kWords>
__device__ __forceinline__ Value swapped_value_at(const WordKey<kWords>& key, int byte) {
    if constexpr (sizeof(Value) == 8) {
        return __builtin_bit_cast(Value, swap_bytes(bits64(key, byte / 4)));
    } else if constexpr (sizeof(Value) == 4) {
        return __builtin_bit_cast(Value, swap_bytes(bits32(key, byte / 4)));
    } else {
        return (Value)swap_bytes16(short_at(key, byte));
    }
}

// These read and write fields of an element in device memory.

__device__ __forceinline__ unsigned load_bits8(const unsigned char* field) { return *field; }

__device__ __forceinline__ unsigned load_bits16(const unsigned char* field) { return *(const unsigned short*)field; }

__device__ __forceinline__ unsigned load_bits32(const unsigned char* field) { return *(const unsigned*)field; }

__device__ __forceinline__ unsigned long long load_bits64(const unsigned char* field) {
    return *(const unsigned long long*)field;
}

__device__ __forceinline__ void store_bits8(unsigned char* field, unsigned bits) { *field = (unsigned char)bits; }

__device__ __forceinline__ void store_bits16(unsigned char* field, unsigned bits) {
    *(unsigned short*)field = (unsigned short)bits;
}

__device__ __forceinline__ void store_bits32(unsigned char* field, unsigned bits) { *(unsigned*)field = bits; }

__device__ __forceinline__ void store_bits64(unsigned char* field, unsigned long long bits) {
    *(unsigned long long*)field = bits;
}

// These map numbers of four or eight bytes to unsigned integers of the same order, and back.

__device__ __forceinline__ unsigned map_unsigned(unsigned bits) { return bits; }

__device__ __forceinline__ unsigned restore_unsigned(unsigned bits) { return bits; }

__device__ __forceinline__ unsigned long long map_unsigned(unsigned long long bits) { return bits; }

__device__ __forceinline__ unsigned long long restore_unsigned(unsigned long long bits) { return bits; }

__device__ __forceinline__ unsigned map_signed(unsigned bits) { return bits ^ 0x80000000u; }

__device__ __forceinline__ unsigned restore_signed(unsigned bits) { return bits ^ 0x80000000u; }

__device__ __forceinline__ unsigned long long map_signed(unsigned long long bits) {
    return bits ^ 0x8000000000000000ull;
}

__device__ __forceinline__ unsigned long long restore_signed(unsigned long long bits) {
    return bits ^ 0x8000000000000000ull;
}

__device__ __forceinline__ unsigned map_float(unsigned bits) { return order_key(__int_as_float((int)bits)); }

__device__ __forceinline__ unsigned restore_float(unsigned bits) {
    float number;
    restore_key(bits, number);
    return (unsigned)__float_as_int(number);
}

__device__ __forceinline__ unsigned long long map_double(unsigned long long bits) {
    return order_key(__longlong_as_double((long long)bits));
}

__device__ __forceinline__ unsigned long long restore_double(unsigned long long bits) {
    double number;
    restore_key(bits, number);
    return (unsigned long long)__double_as_longlong(number);
}

#define REVERSED_MAP(name)                                              \
    template <typename Bits>                                            \
    __device__ __forceinline__ Bits map_##name##_reversed(Bits b) {     \
        return ~map_##name(b);                                          \
    }                                                                   \
    template <typename Bits>                                            \
    __device__ __forceinline__ Bits restore_##name##_reversed(Bits b) { \
        return restore_##name((Bits)~b);                                \
    }

REVERSED_MAP(unsigned)
REVERSED_MAP(signed)
REVERSED_MAP(float)
REVERSED_MAP(double)

#undef REVERSED_MAP
