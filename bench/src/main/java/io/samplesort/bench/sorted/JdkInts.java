package io.samplesort.bench.sorted;

import java.util.Arrays;

/// Operations on sorted `int` in plain Java.
final class JdkInts implements JdkSorted {
    @Override
    public void merge(Object first, Object second, Object target) {
        int[] all = (int[]) target;
        int count = ((int[]) first).length;
        System.arraycopy(first, 0, all, 0, count);
        System.arraycopy(second, 0, all, count, ((int[]) second).length);
        Arrays.parallelSort(all, 0, count + ((int[]) second).length);
    }

    @Override
    public int counts(Object keys, Object target, int[] counts) {
        int[] all = (int[]) keys;
        int[] distinct = (int[]) target;
        int found = 0;
        for (int from = 0, to; from < all.length; from = to) {
            to = from + 1;
            while (to < all.length && all[to] == all[from]) {
                to++;
            }
            distinct[found] = all[from];
            counts[found++] = to - from;
        }
        return found;
    }

    @Override
    public void lowerBounds(Object keys, Object queries, int[] bounds) {
        int[] all = (int[]) keys;
        int[] wanted = (int[]) queries;
        for (int i = 0; i < wanted.length; i++) {
            int place = Arrays.binarySearch(all, wanted[i]);
            place = place < 0 ? -place - 1 : place;
            while (place > 0 && all[place - 1] == wanted[i]) {
                place--;
            }
            bounds[i] = place;
        }
    }

    @Override
    public int combine(Object first, Object second, Object target, boolean isUnion) {
        int[] one = (int[]) first;
        int[] other = (int[]) second;
        int[] all = (int[]) target;
        int found = 0;
        int i = 0;
        int j = 0;
        while (i < one.length && j < other.length) {
            if (one[i] == other[j]) {
                all[found++] = one[i++];
                j++;
            } else if (one[i] < other[j]) {
                if (isUnion) {
                    all[found++] = one[i];
                }
                i++;
            } else {
                if (isUnion) {
                    all[found++] = other[j];
                }
                j++;
            }
        }
        if (isUnion) {
            System.arraycopy(one, i, all, found, one.length - i);
            System.arraycopy(other, j, all, found + one.length - i, other.length - j);
            found += one.length - i + other.length - j;
        }
        return found;
    }
}
