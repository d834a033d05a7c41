import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/// Checks a folder with the layout of a Maven repository for what the public one demands of a release, and for what
/// users expect of it: `CheckPublication FOLDER VERSION`.
public final class CheckPublication {
    /// What is published: the library and its bindings, the command, what the command needs, and the POM that all of
    /// them share.
    private static final List<String> JARS = List.of(
            "samplesort",
            "samplesort-cli",
            "samplesort-cuda",
            "samplesort-files",
            "samplesort-kernels",
            "samplesort-spark",
            "samplesort-testkit");

    private static final String PARENT = "samplesort-parent";

    /// Elements that a POM has itself or from its parent.
    private static final List<String> DEMANDED = List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");

    /// Addresses under a domain that can never be.
    private static final Pattern UNREAL = Pattern.compile("://[^/<]*\\.invalid\\b");

    private static final Map<String, String> CHECKSUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");

    private final Path group;
    private final String version;
    private final List<String> mistakes = new ArrayList<>();

    private CheckPublication(Path repository, String version) {
        this.group = repository.resolve("io/samplesort");
        this.version = version;
    }

    public static void main(String[] arguments) throws Exception {
        CheckPublication check = new CheckPublication(Path.of(arguments[0]), arguments[1]);
        check.modules();
        for (String jar : JARS) {
            check.entries(jar, "", "META-INF/MANIFEST.MF", ".class", 5);
            check.entries(jar, "-sources", "", ".java", 5);
            check.entries(jar, "-javadoc", "index.html", ".html", 5);
            check.pom(jar);
        }
        check.pom(PARENT);
        check.companions();
        if (!check.mistakes.isEmpty()) {
            check.mistakes.forEach(mistake -> System.err.println("CheckPublication: " + mistake));
            System.exit(1);
        }
    }

    private void modules() throws IOException {
        TreeSet<String> expected = new TreeSet<>(JARS);
        expected.add(PARENT);
        TreeSet<String> found = new TreeSet<>();
        try (Stream<Path> folders = Files.list(group)) {
            folders.forEach(folder -> found.add(folder.getFileName().toString()));
        }
        if (!found.equals(expected)) {
            mistakes.add("published are " + found + ", and should be " + expected);
        }
    }

    private Path file(String module, String suffix) {
        return group.resolve(module).resolve(version).resolve(module + "-" + version + suffix);
    }

    /// Checks that a jar has an entry, and at least this many others with a suffix.
    private void entries(String module, String classifier, String needed, String suffix, int least) throws IOException {
        Path path = file(module, classifier + ".jar");
        if (!Files.exists(path)) {
            mistakes.add(path + " is missing");
            return;
        }
        try (JarFile jar = new JarFile(path.toFile())) {
            long count = jar.stream()
                    .filter(entry -> entry.getName().endsWith(suffix) && entry.getSize() > 0)
                    .count();
            if (count < least) {
                mistakes.add(path + " has only " + count + " files " + suffix);
            }
            if (!needed.isEmpty() && jar.getEntry(needed) == null) {
                mistakes.add(path + " has no " + needed);
            }
            if (classifier.isEmpty()
                    && !version.equals(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))) {
                mistakes.add(path + " does not tell its version");
            }
        }
    }

    private void pom(String module) throws Exception {
        Path path = file(module, ".pom");
        if (!Files.exists(path)) {
            mistakes.add(path + " is missing");
            return;
        }
        String text = Files.readString(path);
        if (text.contains("SNAPSHOT") || UNREAL.matcher(text).find()) {
            mistakes.add(path + " names a snapshot, or an address that cannot be");
        }
        Element own = read(path);
        Element parent = module.equals(PARENT) ? own : read(file(PARENT, ".pom"));
        for (String element : DEMANDED) {
            // The name and the description are the module's own.
            boolean isOwn = element.equals("name") || element.equals("description");
            if (value(own, element).isEmpty()
                    && (isOwn || value(parent, element).isEmpty())) {
                mistakes.add(path + " lacks " + element);
            }
        }
    }

    private static Element read(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
    }

    /// Returns the text at a path of elements; empty if there is none.
    private static String value(Element element, String path) {
        Node node = element;
        for (String name : path.split("/")) {
            Node child = node.getFirstChild();
            while (child != null && !child.getNodeName().equals(name)) {
                child = child.getNextSibling();
            }
            if (child == null) {
                return "";
            }
            node = child;
        }
        return node.getTextContent().strip();
    }

    /// Checks that each file has a signature and the right checksums. That a signature is right, gpg says.
    private void companions() throws IOException, NoSuchAlgorithmException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(group)) {
            files = walk.filter(file ->
                            file.toString().endsWith(".jar") || file.toString().endsWith(".pom"))
                    .toList();
        }
        for (Path file : files) {
            if (!Files.exists(Path.of(file + ".asc"))) {
                mistakes.add(file + " is not signed");
            }
            for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
                Path sum = Path.of(file + checksum.getKey());
                String right = HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance(checksum.getValue()).digest(Files.readAllBytes(file)));
                if (!Files.exists(sum) || !Files.readString(sum).startsWith(right)) {
                    mistakes.add(sum + " is missing or wrong");
                }
            }
        }
    }
}
