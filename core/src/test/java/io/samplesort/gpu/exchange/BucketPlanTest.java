package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.exchange.BucketPlan.Copy;
import io.samplesort.gpu.exchange.BucketPlan.Move;
import io.samplesort.gpu.exchange.BucketPlan.Segment;
import io.samplesort.gpu.exchange.BucketRooms.Counted;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The exchange of buckets on random keys, with arrays of the host for those of the GPUs: what each GPU sorts lies in
/// one piece and in the order of the GPUs, and every place ends where it belongs.
class BucketPlanTest {
    private static final Tuning TUNING =
            Tuning.defaultFor(ElementType.LONG, null).with("maxBucketCount=64,bucketTarget=50");

    /// Elements of all GPUs by turns, those of one GPU next to each other.
    private record Input(long[] sizes, int[] keys, int[] gpus) {
        static Input random(SplittableRandom random) {
            long[] sizes = new long[2 + random.nextInt(4)];
            Arrays.setAll(sizes, gpu -> random.nextInt(4) == 0 ? 0 : 400 + random.nextInt(2000));
            int count = (int) LongStream.of(sizes).sum();
            int distinct = random.nextBoolean() ? 1 << 20 : 1 + random.nextInt(12);
            boolean isSorted = random.nextInt(4) == 0;
            int[] keys = new int[count];
            Arrays.setAll(keys, i -> random.nextInt(3) == 0 ? distinct / 2 : random.nextInt(distinct));
            if (isSorted) {
                Arrays.sort(keys);
            }
            int[] gpus = new int[count];
            int begin = 0;
            for (int gpu = 0; gpu < sizes.length; gpu++) {
                Arrays.fill(gpus, begin, begin + (int) sizes[gpu], gpu);
                begin += (int) sizes[gpu];
            }
            return new Input(sizes, keys, gpus);
        }
    }

    @Test
    void everyElementEndsAtHome() {
        SplittableRandom random = new SplittableRandom(31);
        int planned = 0;
        int trials = 2000;
        for (int trial = 0; trial < trials; trial++) {
            Input input = Input.random(random);
            if (input.keys.length > 0 && check(input, "trial " + trial + " " + Arrays.toString(input.sizes))) {
                planned++;
            }
        }
        assertThat(planned)
                .as("inputs of %d that are exchanged in buckets", trials)
                .isGreaterThan(trials / 2);
    }

    private static boolean check(Input input, String trial) {
        int gpus = input.sizes.length;
        BorderSample drawn = new BorderSample(input.sizes, input.keys.length);
        SharedBuckets buckets = SharedBuckets.of(drawn, TUNING);
        if (buckets == null) {
            return false;
        }
        int[] sorted = input.keys.clone();
        Arrays.sort(sorted);
        int[] ranks = buckets.ranks();
        assertThat(ranks).as(trial).isSorted();
        int[] splitters = Arrays.stream(ranks).map(rank -> sorted[rank]).toArray();
        boolean[] areEqual = new boolean[buckets.count()];
        for (int bucket = 1; bucket + 1 < buckets.count(); bucket++) {
            areEqual[bucket] = splitters[bucket - 1] == splitters[bucket];
        }
        int[] found = Arrays.stream(input.keys)
                .map(key -> bucketOf(key, splitters, areEqual))
                .toArray();
        long[][] counts = new long[gpus][buckets.count()];
        for (int i = 0; i < found.length; i++) {
            counts[input.gpus[i]][found[i]]++;
        }
        Counted[] counted = new Counted[gpus];
        Arrays.setAll(counted, gpu -> new Counted(counts[gpu], 1, input.sizes[gpu]));
        BucketOwners owners = new BucketOwners(buckets, areEqual, counted);
        BucketRooms[] rooms = new BucketRooms[gpus];
        Arrays.setAll(rooms, gpu -> new BucketRooms(gpu, owners, counted, 1));
        BucketPlan plan = BucketPlan.of(owners, input.sizes, rooms, counts);
        assertThat(plan).as(trial).isNotNull();
        int[][] arrays = firstPasses(found, input, rooms);
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (Segment segment : segments(plan, gpu)) {
                for (Copy copy : segment.copies()) {
                    for (int i = 0; i < copy.count(); i++) {
                        assertThat(arrays[gpu][(int) copy.target() + i])
                                .as(trial)
                                .isEqualTo(-1);
                        arrays[gpu][(int) copy.target() + i] = arrays[copy.from()][(int) copy.source() + i];
                    }
                }
            }
        }
        int[] stable = stableOrder(found);
        int[] ends = new int[found.length];
        for (int gpu = 0; gpu < gpus; gpu++) {
            for (Segment segment : segments(plan, gpu)) {
                for (long place = segment.places().begin();
                        place < segment.places().end();
                        place++) {
                    int at = (int) (segment.index() + place - segment.places().begin());
                    assertThat(arrays[gpu][at]).as("%s, place %d", trial, place).isEqualTo(stable[(int) place]);
                }
                List<Move> moves = plan.moves(gpu, segment.places());
                assertThat(segment.isAside())
                        .as(trial)
                        .isEqualTo(moves.size() > 1 || moves.getFirst().to() != gpu);
                for (Move move : moves) {
                    for (long place = move.places().begin();
                            place < move.places().end();
                            place++) {
                        assertThat(input.gpus[(int) place]).as(trial).isEqualTo(move.to());
                        ends[(int) place]++;
                    }
                }
            }
        }
        assertThat(ends).as(trial).containsOnly(1);
        return true;
    }

    private static int bucketOf(int key, int[] splitters, boolean[] areEqual) {
        int bucket = 0;
        while (bucket < splitters.length && splitters[bucket] < key) {
            bucket++;
        }
        boolean isEqual = bucket < splitters.length && splitters[bucket] == key && areEqual[bucket + 1];
        return isEqual ? bucket + 1 : bucket;
    }

    /// Returns the array of each GPU with the numbers of its elements where its first pass puts them.
    private static int[][] firstPasses(int[] found, Input input, BucketRooms[] rooms) {
        int[][] arrays = new int[rooms.length][];
        long[][] positions = new long[rooms.length][];
        for (int gpu = 0; gpu < rooms.length; gpu++) {
            arrays[gpu] = new int[(int) rooms[gpu].size()];
            Arrays.fill(arrays[gpu], -1);
            positions[gpu] = rooms[gpu].begins().clone();
        }
        for (int i = 0; i < found.length; i++) {
            int gpu = input.gpus[i];
            assertThat(positions[gpu][found[i]]).isLessThan(rooms[gpu].ends()[found[i]]);
            arrays[gpu][(int) positions[gpu][found[i]]++] = i;
        }
        return arrays;
    }

    /// Returns what a GPU sorts, and checks that its groups are one piece each.
    private static List<Segment> segments(BucketPlan plan, int gpu) {
        List<Segment> all = new ArrayList<>();
        long limit = plan.received(gpu) / 5;
        List<List<Segment>> groups = plan.groups(gpu, 100, limit);
        for (int number = 0; number < groups.size(); number++) {
            List<Segment> group = groups.get(number);
            // What is sorted aside follows behind the first group.
            if (number >= 2 && group.getFirst().isAside()) {
                assertThat(groups.get(number - 1).getFirst().isAside()).isTrue();
            }
            for (int i = 1; i < group.size(); i++) {
                assertThat(group.get(i).places().begin())
                        .isEqualTo(group.get(i - 1).places().end());
                assertThat(group.get(i).index())
                        .isGreaterThanOrEqualTo(group.get(i - 1).index()
                                + group.get(i - 1).places().count());
            }
            assertThat(group.size() > 1 && group.stream().anyMatch(Segment::isAside))
                    .isFalse();
            assertThat(group.size() > 1 && BucketPlan.count(group) > limit).isFalse();
            all.addAll(group);
        }
        assertThat(BucketPlan.count(all)).isEqualTo(plan.received(gpu));
        return all;
    }

    private static int[] stableOrder(int[] found) {
        Integer[] order = new Integer[found.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Integer.compare(found[a], found[b]));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    @Test
    void aKeyThatTheSampleDidNotTellIsNoPlan() {
        long[] sizes = {1000, 1000};
        BorderSample drawn = new BorderSample(sizes, 2000);
        SharedBuckets buckets = SharedBuckets.of(drawn, TUNING);
        boolean[] areEqual = new boolean[buckets.count()];
        areEqual[1] = true;
        Counted[] counted = new Counted[2];
        long[][] counts = new long[2][buckets.count()];
        counts[0][1] = 1000;
        counts[1][1] = 1000;
        Arrays.setAll(counted, gpu -> new Counted(counts[gpu], 1, 1000));
        BucketOwners owners = new BucketOwners(buckets, areEqual, counted);
        BucketRooms[] rooms = new BucketRooms[2];
        Arrays.setAll(rooms, gpu -> new BucketRooms(gpu, owners, counted, 6));
        assertThat(BucketPlan.of(owners, sizes, rooms, counts))
                .as("an equality bucket inside the first GPU that reaches into the second")
                .isNull();
    }
}
