package io.samplesort.study.paper;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.plot.RateChart;
import io.samplesort.bench.workload.Subject;
import io.samplesort.study.historic.HistoricSort.Algorithm;
import io.samplesort.testkit.InputDistribution;
import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/// The figures of Section 6 of the paper, drawn from our rates.
final class StudyFigures {
    /// The colours of the systems, in the order of the legends. Those of the CPU are grey.
    private static final Map<String, Color> COLOURS = new LinkedHashMap<>();

    static {
        COLOURS.put(Contender.OURS.name(), new Color(0xd62728));
        COLOURS.put(Algorithm.SAMPLE_SORT_2009.toString(), new Color(0xff7f0e));
        COLOURS.put(Contender.CUB_RADIX.name(), new Color(0x1f77b4));
        COLOURS.put(Contender.CUB_MERGE.name(), new Color(0x17a2b8));
        COLOURS.put(Algorithm.GPU_QUICKSORT.toString(), new Color(0x2ca02c));
        COLOURS.put(Algorithm.HYBRID_SORT.toString(), new Color(0x9467bd));
        COLOURS.put(Algorithm.BBSORT.toString(), new Color(0xbc8f00));
        COLOURS.put(CpuContender.OURS, new Color(0x222222));
        COLOURS.put(CpuContender.JDK, new Color(0x666666));
        COLOURS.put(CpuContender.FASTUTIL_RADIX, new Color(0x999999));
        COLOURS.put(CpuContender.FASTUTIL_QUICK, new Color(0xbbbbbb));
    }

    /// The colours of GPUs that stand side by side.
    private static final List<Color> DEVICES =
            List.of(new Color(0xd62728), new Color(0x1f77b4), new Color(0x2ca02c), new Color(0x9467bd));

    private static final List<String> ON_TWO_GPUS = List.of(
            Contender.OURS.name(),
            Algorithm.SAMPLE_SORT_2009.toString(),
            Contender.CUB_RADIX.name(),
            Contender.CUB_MERGE.name());

    private StudyFigures() {}

    /// Returns the names of all systems of the study.
    static Set<String> systems() {
        return COLOURS.keySet();
    }

    /// A figure of several pictures.
    ///
    /// @param title   the number that the figure has in the paper
    /// @param caption what it is about
    /// @param panels  the pictures by name
    record Figure(String title, String caption, Map<String, Picture> panels) {}

    /// Returns the figures for which there are rates.
    static List<Figure> of(StudyRates rates) {
        List<Figure> figures = new ArrayList<>();
        add(figures, rates, StudyPlan.PAIRS, "Figure 3", "pairs of 32-bit keys and 32-bit payloads");
        add(figures, rates, StudyPlan.U64, "Figure 4", "64-bit keys");
        add(figures, rates, StudyPlan.U32, "Figure 5", "32-bit keys");
        add(figures, rates, StudyPlan.F32, "Figure 5, floats", "32-bit floating-point keys, as hybrid sort takes them");
        addDevices(figures, rates);
        return figures;
    }

    private static void add(List<Figure> figures, StudyRates rates, Subject subject, String title, String caption) {
        Map<String, Picture> panels = new LinkedHashMap<>();
        for (InputDistribution distribution : StudyPlan.DISTRIBUTIONS) {
            Map<String, NavigableMap<Long, Double>> curves = new LinkedHashMap<>();
            for (String system : COLOURS.keySet()) {
                NavigableMap<Long, Double> onCpu = rates.curve(StudyRates.CPU, system, subject, distribution);
                NavigableMap<Long, Double> curve =
                        onCpu.isEmpty() ? rates.onFirstGpu(system, subject, distribution) : onCpu;
                if (!curve.isEmpty()) {
                    curves.put(system, curve);
                }
            }
            if (!curves.isEmpty()) {
                panels.put(
                        subject.toString().replace('+', '-') + "-" + distribution,
                        RateChart.logarithmic(subject + ", " + distribution, curves, COLOURS));
            }
        }
        if (!panels.isEmpty()) {
            figures.add(new Figure(title, caption, panels));
        }
    }

    /// Adds Figure 6 if there are several GPUs.
    private static void addDevices(List<Figure> figures, StudyRates rates) {
        if (rates.devices().size() < 2) {
            return;
        }
        Map<String, Picture> panels = new LinkedHashMap<>();
        for (Subject subject : List.of(StudyPlan.U32, StudyPlan.PAIRS)) {
            for (String system : ON_TWO_GPUS) {
                Map<String, NavigableMap<Long, Double>> curves = new LinkedHashMap<>();
                Map<String, Color> colours = new LinkedHashMap<>();
                for (int device : rates.devices()) {
                    NavigableMap<Long, Double> curve = rates.curve(device, system, subject, InputDistribution.UNIFORM);
                    if (!curve.isEmpty()) {
                        colours.put("GPU " + device, DEVICES.get(colours.size() % DEVICES.size()));
                        curves.put("GPU " + device, curve);
                    }
                }
                if (!curves.isEmpty()) {
                    panels.put(
                            "devices-" + subject.toString().replace('+', '-') + "-" + system,
                            RateChart.logarithmic(subject + ", uniform, " + system, curves, colours));
                }
            }
        }
        if (!panels.isEmpty()) {
            figures.add(new Figure("Figure 6", "the same sorts on several GPUs", panels));
        }
    }
}
