package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;

/// The order in which the GPUs of an exchange copy to each other. A round of G GPUs has G - 1 steps. In a step each GPU
/// copies to one other GPU and receives from one other. It begins a step after its own last one, and after the GPU that
/// copied to the same target in the step before has finished.
///
/// So no two GPUs ever copy to the same one at once, which would take longer than one copy after the other and delay
/// what they have for the rest.
///
/// All GPUs are given a step before any of them is given the next one.
public final class CopySteps {
    private final int gpus;
    /// For each GPU a mark at the end of each of its steps. These are arrays and not growing lists, since threads read
    /// earlier marks while one thread adds a mark.
    private final Event[][] ends;

    public CopySteps(int gpus, int rounds) {
        this.gpus = gpus;
        ends = new Event[gpus][rounds * (gpus - 1)];
    }

    /// Returns the number of the last step of a round; the first one is 1.
    public int last() {
        return gpus - 1;
    }

    /// Returns the GPU to which another one copies in a step.
    public int target(int from, int step) {
        return (from + step) % gpus;
    }

    /// Returns which GPU copies to the same one in the step before, which may be the last step of the round before.
    int before(int from, int step) {
        int stepBefore = step > 1 ? step - 1 : last();
        return Math.floorMod(target(from, step) - stepBefore, gpus);
    }

    /// Makes the copies that follow on a GPU wait for their turn.
    public void begin(ExchangeMember member, int round, int step) {
        int index = index(round, step);
        int before = before(member.number(), step);
        if (index > 0 && before != member.number()) {
            member.copies().waitFor(ends[before][index - 1]);
        }
    }

    /// Marks the end of the copies of a GPU in a step.
    public void end(ExchangeMember member, int round, int step) {
        ends[member.number()][index(round, step)] = member.mark(member.copies());
    }

    /// Returns a mark after what one GPU copies to another one in a round.
    public Event arrival(int round, int from, int to) {
        return ends[from][index(round, Math.floorMod(to - from, gpus))];
    }

    /// Returns a mark after all that a GPU copies; null if it copies nothing.
    public Event end(int from) {
        Event[] all = ends[from];
        return all.length == 0 ? null : all[all.length - 1];
    }

    private int index(int round, int step) {
        return round * last() + step - 1;
    }
}
