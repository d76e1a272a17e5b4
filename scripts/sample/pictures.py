"""A small drawing language: what a picture block says, as shapes any painter can draw.

Free drawing: `box X Y W H label`, `line X1 Y1 X2 Y2`, `arrow X1 Y1 X2 Y2 label`, `text X Y label`.
Sequence chart: `actors A; B; C`, then `msg A > B label` and `note A label` from top to bottom.
"""

from dataclasses import dataclass, field

LANE = 190
STEP = 44
BOX_HEIGHT = 34


@dataclass
class Picture:
    """Shapes in pixels: boxes (x, y, w, h), lines, arrow heads (triangles), texts (x, y, text)."""

    width: int
    height: int
    boxes: list = field(default_factory=list)
    lines: list = field(default_factory=list)
    heads: list = field(default_factory=list)
    texts: list = field(default_factory=list)

    def box(self, x, y, width, height, label):
        self.boxes.append((x, y, width, height))
        words = label.split("/")
        top = y + height // 2 + 5 - 8 * (len(words) - 1)
        for index, part in enumerate(words):
            self.texts.append((x + width // 2, top + 16 * index, part))

    def arrow(self, x1, y1, x2, y2, label=""):
        self.lines.append((x1, y1, x2, y2))
        self.heads.append(head(x1, y1, x2, y2))
        if label:
            beside = 26 if abs(x2 - x1) < abs(y2 - y1) else 0
            self.texts.append(((x1 + x2) // 2 + beside, (y1 + y2) // 2 - 6, label))

    @property
    def labels(self):
        return [text for _, _, text in self.texts]


def head(x1, y1, x2, y2):
    """The triangle at the end of an arrow along either axis or any slope."""
    dx, dy = x2 - x1, y2 - y1
    length = max(1, round((dx * dx + dy * dy) ** 0.5))
    ux, uy = dx * 10 // length, dy * 10 // length
    px, py = -uy * 4 // 10, ux * 4 // 10
    return ((x2, y2), (x2 - ux + px, y2 - uy + py), (x2 - ux - px, y2 - uy - py))


def read(options, lines):
    """The picture of a block; `options` is `FORMAT` or `FORMAT WxH`."""
    if lines[0].startswith("actors "):
        return chart(lines)
    width, height = (int(n) for n in options.split(" ")[1].split("x"))
    picture = Picture(width, height)
    for line in lines:
        draw(picture, line)
    return picture


def draw(picture, line):
    word, _, rest = line.partition(" ")
    count = {"box": 4, "line": 4, "arrow": 4, "text": 2}[word]
    parts = rest.split(" ", count)
    numbers = [int(n) for n in parts[:count]]
    label = parts[count] if len(parts) > count else ""
    if word == "box":
        picture.box(*numbers, label)
    elif word == "arrow":
        picture.arrow(*numbers, label)
    elif word == "line":
        picture.lines.append(tuple(numbers))
    else:
        picture.texts.append((*numbers, label))


def chart(lines):
    """A message sequence chart."""
    actors = lines[0].removeprefix("actors ").split("; ")
    steps = lines[1:]
    height = 20 + BOX_HEIGHT + STEP * (len(steps) + 1)
    picture = Picture(LANE * len(actors), height)
    centre = {name: LANE * index + LANE // 2 for index, name in enumerate(actors)}
    for name, x in centre.items():
        picture.box(x - 60, 10, 120, BOX_HEIGHT, name)
        picture.lines.append((x, 10 + BOX_HEIGHT, x, height - 10))
    for index, line in enumerate(steps):
        y = 20 + BOX_HEIGHT + STEP * (index + 1)
        step(picture, centre, y, line)
    return picture


def step(picture, centre, y, line):
    word, _, rest = line.partition(" ")
    if word == "note":
        name, _, label = rest.partition(" ")
        picture.box(centre[name] - 85, y - 18, 170, 28, label)
        return
    source, target = rest.split(" > ", 1)
    name, _, label = target.partition(" ")
    picture.arrow(centre[source], y, centre[name], y, label)
