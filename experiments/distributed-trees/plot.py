"""Line charts as SVG files, without any library."""

COLOURS = ("#1b6ca8", "#c8553d", "#5b8e3f", "#8a5fa8", "#b8860b", "#4a4a4a")
WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 150, 34, 46


def text(x, y, content, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{content}</text>'


class Axis:
    """From values to places; logarithmic where the values are."""

    def __init__(self, ticks, begin, end, log=False):
        self.ticks, self.begin, self.end, self.log = ticks, begin, end, log

    def place(self, value):
        from math import log
        low, high = self.ticks[0], self.ticks[-1]
        share = log(value / low) / log(high / low) if self.log else (value - low) / (high - low)
        return self.begin + share * (self.end - self.begin)


def grid(title, x_name, y_name, x, y):
    out = [text(LEFT, 20, title, "start", ' font-weight="bold"')]
    for tick in x.ticks:
        out.append(f'<line x1="{x.place(tick):.1f}" x2="{x.place(tick):.1f}" y1="{HEIGHT - BOTTOM}" '
                   f'y2="{HEIGHT - BOTTOM + 4}" stroke="#444"/>')
        out.append(text(x.place(tick), HEIGHT - BOTTOM + 17, f"{tick:g}"))
    for tick in y.ticks:
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y.place(tick):.1f}" y2="{y.place(tick):.1f}" '
                   'stroke="#ddd"/>')
        out.append(text(LEFT - 7, y.place(tick) + 4, f"{tick:g}", "end"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 9, x_name))
    out.append(text(15, middle, y_name, extra=f' transform="rotate(-90 15 {middle:.0f})"'))
    return out


def chart(path, title, x_name, y_name, x_ticks, y_ticks, lines, log_x=False, log_y=False):
    """`lines` has a name and points (x, y) each, and may have a width of each point (a spread)."""
    x = Axis(x_ticks, LEFT + 8, WIDTH - RIGHT - 8, log_x)
    y = Axis(y_ticks, HEIGHT - BOTTOM, TOP, log_y)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
           f'height="{HEIGHT}" font-family="sans-serif" font-size="11" fill="#222">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *grid(title, x_name, y_name, x, y)]
    for number, (name, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        dashes = ' stroke-dasharray="5 3"' if number >= len(COLOURS) else ""
        places = [(x.place(point[0]), y.place(point[1])) for point in points]
        for point, (at, _) in zip(points, places):
            if len(point) > 2:
                low, high = (y.place(point[1] + sign * point[2]) for sign in (-1, 1))
                out.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="{colour}"/>')
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6"{dashes} points="'
                   + " ".join(f"{a:.1f},{b:.1f}" for a, b in places) + '"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.4" fill="{colour}"/>' for a, b in places]
        row = TOP + 8 + 17 * number
        out.append(f'<line x1="{WIDTH - RIGHT + 14}" x2="{WIDTH - RIGHT + 34}" y1="{row}" y2="{row}" '
                   f'stroke="{colour}" stroke-width="1.6"{dashes}/>')
        out.append(text(WIDTH - RIGHT + 39, row + 4, name, "start"))
    path.write_text("\n".join([*out, "</svg>"]) + "\n")
