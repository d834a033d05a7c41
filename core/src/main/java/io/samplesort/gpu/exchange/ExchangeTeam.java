package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.types.CudaException;
import io.samplesort.types.SampleSortException;
import java.util.List;
import java.util.function.Consumer;

/// The GPUs of one exchange. One thread gives all of them their work, each with its context current, and says which
/// GPU it was where something fails.
final class ExchangeTeam implements AutoCloseable {
    private final List<ExchangeMember> members;
    private final String lost;
    private State state = State.READING;
    private boolean isAtRest = true;

    /// What a failure means for the user's memory.
    private enum State {
        READING,
        WRITING,
        DONE
    }

    /// @param lost what is lost where a GPU fails while it writes the result, for errors
    ExchangeTeam(List<ExchangeMember> members, String lost) {
        this.members = members;
        this.lost = lost;
    }

    List<ExchangeMember> members() {
        return members;
    }

    /// Gives all GPUs their work, one after the other. They do it side by side.
    void onAll(Consumer<ExchangeMember> work) {
        for (ExchangeMember member : members) {
            on(member, work);
        }
    }

    void on(ExchangeMember member, Consumer<ExchangeMember> work) {
        isAtRest = false;
        try (Context.Scope scope = member.gpu().context().enter()) {
            work.accept(member);
        } catch (CudaException e) {
            throw named(member, e);
        }
    }

    private SampleSortException named(ExchangeMember member, CudaException e) {
        String name = member.gpu().name();
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
    void finish() {
        onAll(ExchangeMember::finish);
        isAtRest = true;
    }

    /// From here on the result is written.
    void beginWriting() {
        state = State.WRITING;
    }

    /// All of the result is written.
    void endWriting() {
        state = State.DONE;
    }

    /// Gives the memory of the exchange back on all GPUs. Where one of them has failed, the others may still be at work
    /// in each other's memory, so this waits for them first.
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
            // This GPU does no more work. What made it fail is being thrown.
        }
    }
}
