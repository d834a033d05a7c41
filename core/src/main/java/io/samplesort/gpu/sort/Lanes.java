package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;

/// Two streams that groups of buckets are sorted on in turn, so that one group keeps the GPU busy where the kernels of
/// the other end. The one stream is that of the sort, the other one is here.
public final class Lanes implements AutoCloseable {
    static final int COUNT = 2;

    private final Owned owned = new Owned();
    private final Stream second;
    private final Event forked;
    private final Event joined;

    public Lanes(Context context) {
        try {
            second = owned.add(Stream.create(context));
            forked = owned.add(Event.create(context, false));
            joined = owned.add(Event.create(context, false));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Lets the second stream begin where `first` is now.
    void fork(Stream first) {
        forked.record(first);
        second.waitFor(forked);
    }

    Stream stream(Stream first, int lane) {
        return lane == 0 ? first : second;
    }

    /// Has `first` wait for the second stream.
    void join(Stream first) {
        try {
            joined.record(second);
            first.waitFor(joined);
        } catch (RuntimeException | Error e) {
            // What comes next on `first` may rely on it.
            second.synchronize();
            throw e;
        }
    }

    /// The same where something has failed, which is what the caller has to know.
    void joinAfter(Stream first, Throwable failure) {
        try {
            join(first);
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
