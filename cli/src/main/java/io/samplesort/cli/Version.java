package io.samplesort.cli;

import picocli.CommandLine.IVersionProvider;

/// The version in the jar's manifest.
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        Module module = Version.class.getModule();
        String version = module.isNamed()
                ? module.getDescriptor().rawVersion().orElse(null)
                : Version.class.getPackage().getImplementationVersion();
        return new String[] {"samplesort " + (version == null ? "(not from a jar)" : version)};
    }
}
