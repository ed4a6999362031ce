"""Line charts as SVG files."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Text stays text, and the same chart is the same file.
plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "espalier", "font.size": 9})
COLOURS = ("#1b6ca8", "#c8553d", "#5b8e3f", "#8a5fa8", "#b8860b", "#4a4a4a")


def chart(path, title, x_name, y_name, x_ticks, y_ticks, lines, log_x=False, log_y=False):
    """`lines` has a name and points (x, y) or (x, y, deviation) each."""
    figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
    for number, (name, points) in enumerate(lines):
        x, y, *deviation = zip(*points)
        ax.errorbar(x, y, yerr=deviation[0] if deviation else None, label=name, marker=".",
                    color=COLOURS[number % len(COLOURS)], linestyle="-" if number < len(COLOURS) else "--")
    ax.set(title=title, xlabel=x_name, ylabel=y_name)
    if log_x:
        ax.set_xscale("log")
    if log_y:
        ax.set_yscale("log")
    ax.set_xticks(x_ticks, [f"{tick:g}" for tick in x_ticks], minor=False)
    ax.set_yticks(y_ticks, [f"{tick:g}" for tick in y_ticks], minor=False)
    ax.minorticks_off()
    ax.set_ylim(y_ticks[0], y_ticks[-1])
    ax.grid(axis="y", color="#dddddd")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
