package io.samplesort.lines.runs;

import java.io.IOException;
import java.util.List;

/// Repeatedly finds the least of the lines at which several cursors are. Each node of the tree keeps the cursor that
/// lost there, so that a new line meets only those on its way to the root. Of equal lines, that of the first cursor
/// comes first.
final class LoserTree {
    private final LineCursor[] cursors;
    /// The first bytes of each cursor's key after those that all keys have in common.
    private final long[] prefixes;
    private final int depth;
    private final RangeComparison ranges;
    /// The losers of the nodes 1 and up, and the winner in entry 0.
    private final int[] nodes;

    /// @param cursors before their first lines
    /// @param depth   how many bytes all keys have in common at their beginning
    /// @param ranges  compares long lines
    LoserTree(List<LineCursor> cursors, int depth, RangeComparison ranges) throws IOException {
        this.cursors = cursors.toArray(LineCursor[]::new);
        this.depth = depth;
        this.ranges = ranges;
        this.prefixes = new long[this.cursors.length];
        this.nodes = new int[Math.max(1, this.cursors.length)];
        for (int i = 0; i < this.cursors.length; i++) {
            advance(i);
        }
        if (this.cursors.length > 0) {
            nodes[0] = winner(1);
        }
    }

    /// Returns the cursor with the least line of a subtree, whose nodes remember the others.
    private int winner(int node) throws IOException {
        if (node >= cursors.length) {
            return node - cursors.length;
        }
        int left = winner(2 * node);
        int right = winner(2 * node + 1);
        boolean isLeft = isBefore(left, right);
        nodes[node] = isLeft ? right : left;
        return isLeft ? left : right;
    }

    private void advance(int cursor) throws IOException {
        prefixes[cursor] = cursors[cursor].next() ? cursors[cursor].prefix(depth) : -1;
    }

    private boolean isBefore(int one, int other) throws IOException {
        long prefix = prefixes[one];
        long otherPrefix = prefixes[other];
        if (prefix != otherPrefix) {
            return Long.compareUnsigned(prefix, otherPrefix) < 0;
        }
        if (cursors[one].isAtEnd() || cursors[other].isAtEnd()) {
            return cursors[other].isAtEnd() && (!cursors[one].isAtEnd() || one < other);
        }
        int difference = cursors[one].compare(cursors[other], depth + Long.BYTES, ranges);
        return difference != 0 ? difference < 0 : one < other;
    }

    /// Returns the cursor at the least line; null at the end.
    LineCursor least() {
        return cursors.length == 0 || cursors[nodes[0]].isAtEnd() ? null : cursors[nodes[0]];
    }

    /// Moves the cursor at the least line on.
    void next() throws IOException {
        int winner = nodes[0];
        advance(winner);
        for (int node = (winner + cursors.length) / 2; node >= 1; node /= 2) {
            if (isBefore(nodes[node], winner)) {
                int loser = winner;
                winner = nodes[node];
                nodes[node] = loser;
            }
        }
        nodes[0] = winner;
    }
}
