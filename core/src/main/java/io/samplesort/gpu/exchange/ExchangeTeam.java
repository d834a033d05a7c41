package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The GPUs of one exchange. Each GPU is given its work by a thread of its own, with its context current, and errors
/// name the GPU.
public final class ExchangeTeam implements AutoCloseable {
    private final List<ExchangeMember> members;
    private final TeamThreads threads;
    private final String lost;
    private State state = State.READING;
    private boolean isAtRest = true;

    /// What a failure means for the user's memory.
    private enum State {
        READING,
        WRITING,
        DONE
    }

    /// @param threads one for each member
    /// @param lost    for errors: what is lost if a GPU fails while it writes the result
    public ExchangeTeam(List<ExchangeMember> members, TeamThreads threads, String lost) {
        this.members = members;
        this.threads = threads;
        this.lost = lost;
    }

    public List<ExchangeMember> members() {
        return members;
    }

    /// Gives all GPUs their work at the same time. For one GPU, `work` must not touch anything that it changes for
    /// another.
    public void onAll(Consumer<ExchangeMember> work) {
        isAtRest = false;
        rethrow(threads.run(number -> enter(members.get(number), work)));
    }

    /// Gives one GPU work from the calling thread.
    public void on(ExchangeMember member, Consumer<ExchangeMember> work) {
        isAtRest = false;
        try {
            enter(member, work);
        } catch (CudaException e) {
            throw named(member.gpu().name(), e);
        }
    }

    private static void enter(ExchangeMember member, Consumer<ExchangeMember> work) {
        try (Context.Scope scope = member.gpu().context().enter()) {
            work.accept(member);
        }
    }

    /// Throws the first of these failures, unless all are null. All GPUs that failed at the same time are named, since
    /// it is unknown which failure caused the others.
    private void rethrow(Throwable[] thrown) {
        CudaException first = null;
        List<String> names = new ArrayList<>();
        for (int number = 0; number < thrown.length; number++) {
            if (thrown[number] instanceof CudaException e) {
                names.add(members.get(number).gpu().name());
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            } else if (thrown[number] instanceof Error e) {
                throw e;
            } else if (thrown[number] != null) {
                throw (RuntimeException) thrown[number];
            }
        }
        if (first != null) {
            throw named(String.join(" and ", names), first);
        }
    }

    private SampleSortException named(String name, CudaException e) {
        return switch (state) {
            case READING -> {
                String text = e.getMessage().contains(name) ? e.getMessage() : name + ": " + e.getMessage();
                CudaException named = new CudaException(text + " The input on all GPUs is as it was.", e.code());
                named.initCause(e);
                yield named;
            }
            case WRITING -> new SampleSortException(name + " failed while the result was written: " + lost, e);
            case DONE -> new SampleSortException(name + " failed when the result was written: it is complete", e);
        };
    }

    /// Waits until all GPUs have done their work.
    public void finish() {
        onAll(ExchangeMember::finish);
        isAtRest = true;
    }

    /// Says that from here on the result is written.
    public void beginWriting() {
        state = State.WRITING;
    }

    /// Says that all of the result is written.
    public void endWriting() {
        state = State.DONE;
    }

    /// Gives the memory of the exchange back on all GPUs. If one of them has failed, the others may still be at work in
    /// each other's memory, so this waits for them first.
    @Override
    public void close() {
        Owned all = new Owned();
        for (ExchangeMember member : members) {
            all.add(() -> on(member, ExchangeMember::close));
        }
        if (!isAtRest) {
            members.forEach(ExchangeTeam::rest);
        }
        all.close();
    }

    private static void rest(ExchangeMember member) {
        try (Context.Scope scope = member.gpu().context().enter()) {
            member.finish();
        } catch (CudaException e) {
            // This GPU does no more work, and the failure that caused this is being thrown.
        }
    }
}
