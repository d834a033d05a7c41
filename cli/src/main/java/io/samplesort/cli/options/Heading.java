package io.samplesort.cli.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Begins a section of a command's help with an option: this one and those that follow, up to the next heading.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Heading {
    /// The line above the section.
    String value();
}
