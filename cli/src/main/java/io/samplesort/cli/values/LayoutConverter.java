package io.samplesort.cli.values;

import io.samplesort.cli.data.RecordLayout;

/// Reads the fields of a record; [LayoutParser] says how they are written.
public final class LayoutConverter extends TextConverter<RecordLayout> {
    public LayoutConverter() {
        super(LayoutParser::parse);
    }
}
