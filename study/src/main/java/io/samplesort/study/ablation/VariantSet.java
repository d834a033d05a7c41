package io.samplesort.study.ablation;

import io.samplesort.cuda.Context;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Variants that are compiled once each. All cores compile at the same time, because the compiler takes far longer than
/// the sorts.
final class VariantSet implements AutoCloseable {
    private final Map<Variant, Variant.Compiled> compiled = new LinkedHashMap<>();
    private final Map<Variant, String> refusals = new LinkedHashMap<>();

    /// A compiled variant, or the reason why there is none.
    private record Outcome(Variant.Compiled compiled, String refusal) {}

    VariantSet(Context context, Collection<Variant> variants) {
        Map<Variant, Future<Outcome>> outcomes = new LinkedHashMap<>();
        try (ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            for (Variant variant : new LinkedHashSet<>(variants)) {
                outcomes.put(variant, threads.submit(() -> compile(context, variant)));
            }
        }
        RuntimeException failure = null;
        for (Map.Entry<Variant, Future<Outcome>> outcome : outcomes.entrySet()) {
            try {
                Outcome done = outcome.getValue().get();
                if (done.compiled == null) {
                    refusals.put(outcome.getKey(), done.refusal);
                } else {
                    compiled.put(outcome.getKey(), done.compiled);
                }
            } catch (ExecutionException e) {
                failure = new IllegalStateException("cannot compile " + outcome.getKey(), e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = new IllegalStateException("interrupted while compiling", e);
            }
        }
        if (failure != null) {
            close();
            throw failure;
        }
    }

    private static Outcome compile(Context context, Variant variant) {
        try (Context.Scope scope = context.enter()) {
            return new Outcome(variant.compile(context), null);
        } catch (IllegalArgumentException e) {
            return new Outcome(null, e.getMessage());
        }
    }

    /// Returns why the GPU cannot run a variant; empty if it can.
    Optional<String> refusal(Variant variant) {
        return Optional.ofNullable(refusals.get(variant));
    }

    /// Returns a variant that the GPU can run.
    Variant.Compiled get(Variant variant) {
        return compiled.get(variant);
    }

    @Override
    public void close() {
        compiled.values().forEach(Variant.Compiled::close);
    }
}
