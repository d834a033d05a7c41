// Copies bytes from any place of a text to any place of shared memory. Reads are 16 bytes at multiples of 16, and
// writes are words of four bytes, so most of the work is shifting.
#pragma once

// What a thread reads at once. Reads at random places wait for memory, so several wait together.
struct alignas(16) Chunk {
    u32 words[4];
};
constexpr u32 kChunkWords = sizeof(Chunk) / sizeof(u32);
constexpr u32 kChunksAtOnce = 3;

// Bytes of the text, and where they go in shared memory.
struct Piece {
    u64 source;
    u32 place;
    u32 length;
};

// Writes the words of one piece. The first and the last one may be shared with other pieces, so they are kept until the
// end, when their bits are added: the memory is zero before.
struct PieceWriter {
    u32* words;   // from the first word of the piece on
    u32 skipped;  // bytes of the first word that are not of the piece
    u32 end;      // its last byte, counted from the first word on
    u32 shift;    // bits of the source's words before the first byte of a word
    u32 inner;    // how many words lie between the first and the last one
    u32 first = 0;
    u32 last = 0;

    __device__ __forceinline__ PieceWriter(u32* memory, const Piece& piece, u64 address) {
        skipped = piece.place % sizeof(u32);
        end = skipped + piece.length - 1;
        inner = max_of<u32>(end / sizeof(u32), 1) - 1;
        words = memory + piece.place / sizeof(u32);
        shift = 8 * (u32)((address - skipped) % sizeof(u32));
    }

    // Writes word `w` from the two words of the source that it has bytes of. Does nothing if there is no such word.
    __device__ __forceinline__ void write(u32 w, u32 low, u32 high) {
        const u32 value = (u32)(((u64)high << 32 | low) >> shift);
        // Numbers below 0 become very large ones.
        if (w - 1 < inner) {
            words[w] = value;
        }
        first = w == 0 ? value : first;
        last = w == inner + 1 ? value : last;
    }

    __device__ __forceinline__ void finish() const {
        const u32 last_word = end / sizeof(u32);
        const u32 first_mask = ~0u << 8 * skipped;
        const u32 last_mask = ~0u >> 8 * (sizeof(u32) - 1 - end % sizeof(u32));
        atomicOr(&words[0], first & first_mask & (last_word == 0 ? last_mask : ~0u));
        if (last_word != 0) {
            atomicOr(&words[last_word], last & last_mask);
        }
    }
};

// Copies a piece that may lie at the edge of the text, beyond which nothing may be read.
__device__ __forceinline__ void copy_single_bytes(const TextReader& text, const Piece& piece, u32* memory) {
    for (u32 i = 0; i < piece.length; ++i) {
        const u32 place = piece.place + i;
        atomicOr(&memory[place / sizeof(u32)], (u32)text.text.bytes[piece.source + i] << 8 * (place % sizeof(u32)));
    }
}

__device__ __forceinline__ void copy_piece(const TextReader& text, const Piece& piece, u32* memory) {
    if (piece.length == 0) {
        return;
    }
    const u64 bytes = (u64)text.text.bytes;
    const u64 address = bytes + piece.source;
    const u64 begin = address & ~(u64)(sizeof(Chunk) - 1);
    const u64 end = (address + piece.length + sizeof(Chunk) - 1) & ~(u64)(sizeof(Chunk) - 1);
    if (begin < bytes + text.text_begin || end > bytes + text.text_end) {
        copy_single_bytes(text, piece, memory);
        return;
    }
    PieceWriter writer(memory, piece, address);
    const Chunk* chunks = (const Chunk*)begin;
    const u32 count = (u32)((end - begin) / sizeof(Chunk));
    // Word w of the piece has bytes of the words `w + skipped - 1` and `w + skipped` of the chunks. A number below 0
    // becomes a very large one.
    const u32 skipped =
        1 + (u32)((long long)((address - piece.place % sizeof(u32)) / sizeof(u32)) - (long long)(begin / sizeof(u32)));
    u32 before = 0;
    for (u32 done = 0; done < count; done += kChunksAtOnce) {
        Chunk read[kChunksAtOnce];
#pragma unroll
        for (u32 c = 0; c < kChunksAtOnce; ++c) {
            if (done + c < count) {
                read[c] = chunks[done + c];
            }
        }
#pragma unroll
        for (u32 c = 0; c < kChunksAtOnce; ++c) {
            if (done + c < count) {
#pragma unroll
                for (u32 k = 0; k < kChunkWords; ++k) {
                    writer.write((done + c) * kChunkWords + k - skipped, before, read[c].words[k]);
                    before = read[c].words[k];
                }
            }
        }
    }
    // The last word may need none of what comes behind.
    writer.write(count * kChunkWords - skipped, before, 0);
    writer.finish();
}
