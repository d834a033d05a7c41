#include "engine/launch.h"

#include <algorithm>

#include "engine/fault.h"
#include "engine/module.h"
#include "engine/settings.h"
#include "engine/work_order.h"

namespace emulator {
namespace {

// A launch counts as hanging after this many turns in a row that neither reach a barrier nor end a block.
constexpr uint64_t kMostTurns = 200000;

// On average, in one launch of this many the blocks take turns.
constexpr uint32_t kLaunchesBetweenTurns = 4;

std::vector<Index3> shuffled_blocks(const Launch& launch, Random& random) {
    std::vector<Index3> blocks;
    for (unsigned z = 0; z < launch.grid.z; ++z) {
        for (unsigned y = 0; y < launch.grid.y; ++y) {
            for (unsigned x = 0; x < launch.grid.x; ++x) {
                blocks.push_back({x, y, z});
            }
        }
    }
    for (size_t i = blocks.size(); i > 1; --i) {
        std::swap(blocks[i - 1], blocks[random.below((uint32_t)i)]);
    }
    return blocks;
}

void report_hang(const Launch& launch) {
    lose_device(
        kLaunchFailed,
        std::string("kernel ") + launch.kernel->name + " hangs: its threads wait for memory that nobody writes"
            + launch.name);
}

void run_in_order(Launch& launch, const std::vector<Index3>& indexes, Random& random) {
    static Block& block = *new Block;
    for (const Index3 index : indexes) {
        block.start(launch, index);
        Block::Status status;
        uint64_t turns = 0;
        while ((status = block.run(random)) == Block::Status::kSpinning) {
            if (++turns > kMostTurns) {
                report_hang(launch);
                return;
            }
        }
        if (status == Block::Status::kFailed) {
            return;
        }
    }
}

// Runs a launch in turns. The blocks that are resident at once take turns, each until it waits for another block or is
// interrupted. When one ends, the next block begins.
void run_in_turns(Launch& launch, const std::vector<Index3>& indexes, Random& random) {
    // The pool is never destroyed, as other threads may still use it when the process ends.
    static auto& pool = *new std::vector<std::unique_ptr<Block>>;
    while (pool.size() < launch.resident_blocks) {
        pool.push_back(std::make_unique<Block>());
    }
    std::vector<Block*> unfinished;
    size_t begun = 0;
    const auto begin_next = [&](Block* block) {
        block->start(launch, indexes[begun++]);
        block->leave_shared_memory();
    };
    while (begun < indexes.size() && begun < launch.resident_blocks) {
        unfinished.push_back(pool[begun].get());
        begin_next(unfinished.back());
    }
    uint64_t turns = 0;
    while (!unfinished.empty()) {
        const uint32_t chosen = random.below((uint32_t)unfinished.size());
        Block* block = unfinished[chosen];
        block->enter_shared_memory();
        const Block::Status status = block->run(random);
        if (status == Block::Status::kFailed) {
            return;
        }
        block->leave_shared_memory();
        turns = status == Block::Status::kSpinning ? turns + 1 : 0;
        if (status == Block::Status::kFinished && begun < indexes.size()) {
            begin_next(block);
        } else if (status == Block::Status::kFinished) {
            unfinished.erase(unfinished.begin() + chosen);
        } else if (turns > kMostTurns) {
            report_hang(launch);
            return;
        }
    }
}

}  // namespace

void run_launch(Launch& launch) {
    const uint64_t base = seed();
    const uint64_t number = next_launch();
    launch.name = "; launch " + std::to_string(number) + ", seed " + std::to_string(base);
    launch.is_beside_others = WorkOrder::instance().is_beside_others();
    launch.first_epoch = next_epoch();
    launch.shared = launch.module->shared_region();
    Random random(base * 1000003 + number);
    const std::vector<Index3> indexes = shuffled_blocks(launch, random);
    launch.in_turns = random.below(kLaunchesBetweenTurns) == 0;
    if (launch.in_turns) {
        run_in_turns(launch, indexes, random);
    } else {
        run_in_order(launch, indexes, random);
    }
}

}  // namespace emulator
