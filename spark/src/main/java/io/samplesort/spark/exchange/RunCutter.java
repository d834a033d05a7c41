package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/// Cuts sorted runs into pieces for the partitions of the result. Pieces share the memory of their run.
final class RunCutter<B> implements PairFlatMapFunction<Iterator<Run<B>>, Integer, Piece<B>> {
    private static final long serialVersionUID = 1;

    private final BlockType<B> type;
    private final Broadcast<Splitters> splitters;

    RunCutter(BlockType<B> type, Broadcast<Splitters> splitters) {
        this.type = type;
        this.splitters = splitters;
    }

    @Override
    public Iterator<Tuple2<Integer, Piece<B>>> call(Iterator<Run<B>> runs) {
        return new Pieces(runs);
    }

    private final class Pieces implements Iterator<Tuple2<Integer, Piece<B>>> {
        private final Iterator<Run<B>> runs;
        private Run<B> run;
        private int[] ends = {};
        private int target;
        private int from;

        Pieces(Iterator<Run<B>> runs) {
            this.runs = runs;
        }

        @Override
        public boolean hasNext() {
            while (true) {
                while (target < ends.length && ends[target] == from) {
                    target++;
                }
                if (target < ends.length) {
                    return true;
                }
                if (!runs.hasNext()) {
                    return false;
                }
                run = runs.next();
                ends = splitters.value().cuts(run.partition(), run.number(), type.keys(run.block()));
                target = 0;
                from = 0;
            }
        }

        @Override
        public Tuple2<Integer, Piece<B>> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the runs have no more pieces");
            }
            int count = ends[target] - from;
            Piece<B> piece = new Piece<>(run.partition(), run.number(), run.block(), from, count);
            from += count;
            return new Tuple2<>(target, piece);
        }
    }
}
