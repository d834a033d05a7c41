package io.samplesort.study.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// Reads the report of a study.
public final class StudyPage {
    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"(?!#)|url\\((?!#)");

    private StudyPage() {}

    static Document parse(Path folder) throws IOException, SAXException, ParserConfigurationException {
        return parse(Files.readString(folder.resolve("study.html")));
    }

    /// Parses a page, and checks that each element is closed, that each name occurs once, and that the page needs no
    /// other file.
    static Document parse(String page) throws IOException, SAXException, ParserConfigurationException {
        assertThat(page).startsWith("<!DOCTYPE html>").doesNotContainPattern(REFERENCE);
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        Document document = factory.newDocumentBuilder()
                .parse(new InputSource(new StringReader(page.substring(page.indexOf('\n')))));
        Set<String> names = new HashSet<>();
        for (Element element : elements(document, "*")) {
            if (element.hasAttribute("id")) {
                assertThat(names.add(element.getAttribute("id")))
                        .as(element.getAttribute("id"))
                        .isTrue();
            }
        }
        return document;
    }

    static List<Element> elements(Document document, String tag) {
        NodeList nodes = document.getElementsByTagName(tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
