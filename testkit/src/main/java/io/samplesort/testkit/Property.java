package io.samplesort.testkit;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/// A claim that should hold for every case of a kind. It is tried on random cases, and a case that breaks it is made as
/// simple as possible before it is shown.
///
/// @param generate makes a random case
/// @param simpler  cases that are simpler than a given one, the boldest simplifications first; all must lead to cases
///     without simpler ones
/// @param check    throws if the claim does not hold
/// @param <C>      a case, whose text is enough to make it again
public record Property<C>(Function<SplittableRandom, C> generate, Function<C, Stream<C>> simpler, Check<C> check) {
    /// Enough to simplify any case, but few enough that a slow case does not take all day.
    private static final int MOST_ATTEMPTS = 2000;

    /// Checks a case.
    @FunctionalInterface
    public interface Check<C> {
        void accept(C tried) throws Exception;
    }

    /// Tries random cases.
    ///
    /// @throws AssertionError if one fails; the message has the simplest case that fails, and the seed
    public void tryCases(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            C tried = generate.apply(random.split());
            Throwable failure = failure(tried);
            if (failure != null) {
                throw simplest(tried, failure, "case " + i + " of seed " + seed);
            }
        }
    }

    private AssertionError simplest(C first, Throwable firstFailure, String where) {
        C simplest = first;
        Throwable failure = firstFailure;
        int attempts = 0;
        boolean isSimpler = true;
        while (isSimpler) {
            isSimpler = false;
            for (C candidate : simpler.apply(simplest).toList()) {
                Throwable next = attempts++ < MOST_ATTEMPTS ? failure(candidate) : null;
                if (next != null) {
                    simplest = candidate;
                    failure = next;
                    isSimpler = true;
                    break;
                }
            }
        }
        return new AssertionError(
                "%s fails:%n    %s%nThe simplest case like it, found in %d attempts; replay it with -Dtests.case='…':%n    %s%n%s"
                        .formatted(where, first, attempts, simplest, failure),
                failure);
    }

    private Throwable failure(C tried) {
        try {
            check.accept(tried);
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }
}
