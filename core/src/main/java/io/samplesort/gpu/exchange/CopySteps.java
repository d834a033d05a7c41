package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;

/// In what order the GPUs of an exchange copy to each other. Each round has as many steps as a GPU has others. In a
/// step each GPU copies to another one, and another one copies to it. It begins a step behind its own last one, and
/// when the GPU that copied to the same one in the step before has done so.
///
/// So no GPU is copied to by two others at once. That would take their copies longer than one after the other, and hold
/// up what they have for the rest.
///
/// All GPUs are given a step before any of them is given the next one.
public final class CopySteps {
    private final int gpus;
    /// Of each GPU a mark at the end of each of its steps. While one thread adds a mark, others read those before it,
    /// so these are no lists that grow.
    private final Event[][] ends;

    public CopySteps(int gpus, int rounds) {
        this.gpus = gpus;
        ends = new Event[gpus][rounds * (gpus - 1)];
    }

    /// Returns the number of the last step of a round; the first one is 1.
    public int last() {
        return gpus - 1;
    }

    /// Returns which GPU another one copies to.
    public int target(int from, int step) {
        return (from + step) % gpus;
    }

    /// Returns which GPU copies to the same one in the step before, which may be the last step of the round before.
    int before(int from, int step) {
        int stepBefore = step > 1 ? step - 1 : last();
        return Math.floorMod(target(from, step) - stepBefore, gpus);
    }

    /// Has the copies that follow on a GPU wait until it is their turn.
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

    /// Returns a mark behind what one GPU copies to another one in a round.
    public Event arrival(int round, int from, int to) {
        return ends[from][index(round, Math.floorMod(to - from, gpus))];
    }

    /// Returns a mark behind all that a GPU copies; null if that is nothing.
    public Event end(int from) {
        Event[] all = ends[from];
        return all.length == 0 ? null : all[all.length - 1];
    }

    private int index(int round, int step) {
        return round * last() + step - 1;
    }
}
