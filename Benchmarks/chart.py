"""A plot of time against size as a standalone SVG: log-log, so that a straight line at 45 degrees is linear growth."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 80, 190, 50, 60
COLOURS = ("#1b6ca8", "#c4501b", "#4b8b3b", "#7a4fa3", "#8a6d1d", "#555555")


def _powers(values):
    """The powers of ten that enclose the values."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    high = math.ceil(math.log10(max(values)) - 1e-9)
    return low, max(high, low + 1)


def _number(exponent):
    return f"{10 ** exponent:,}" if exponent >= 0 else f"{10 ** exponent:.{-exponent}f}"


def plot(title: str, series: dict[str, list[tuple[int, float]]]) -> str:
    """SVG text. Each series is a name and its (receipts, seconds) points."""
    points = [point for line in series.values() for point in line]
    x0, x1 = _powers([x for x, _ in points])
    y0, y1 = _powers([y for _, y in points])

    def at(x, y):
        return (LEFT + (math.log10(x) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (math.log10(y) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="13" fill="#222">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           f'<text x="{LEFT}" y="28" font-size="16">{escape(title)}</text>']
    for exponent in range(x0, x1 + 1):
        x, _ = at(10 ** exponent, 10 ** y0)
        out.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{_number(exponent)}</text>')
    for exponent in range(y0, y1 + 1):
        _, y = at(10 ** x0, 10 ** exponent)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(exponent)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 16}" text-anchor="middle">receipts</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(f'<text transform="translate(22 {middle:.0f}) rotate(-90)" text-anchor="middle">seconds (median)</text>')

    # Slowest first, as the lines end from top to bottom; labels keep a line's height apart.
    lowest = 0.0
    ordered = sorted(series.items(), key=lambda item: at(*item[1][-1])[1])
    for colour, (name, line) in zip(COLOURS * len(ordered), ordered):
        path = "L".join("{:.1f} {:.1f}".format(*at(*point)) for point in line)
        out.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += ['<circle cx="{:.1f}" cy="{:.1f}" r="3.5" fill="{}"/>'.format(*at(*point), colour) for point in line]
        x, y = at(*line[-1])
        lowest = max(y + 4, lowest + 17)
        out.append(f'<text x="{x + 10:.1f}" y="{lowest:.1f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join(out + ["</svg>", ""])
