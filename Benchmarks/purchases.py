"""Genuine receipts with many purchases of one kind: what `Benchmarks/hostile` compares with as many plain ones."""

import datetime

import containers as c

COUNT = 2000
PRODUCTS = ("com.example.bench.gold", "com.example.bench.silver")
START = datetime.datetime(2019, 1, 1)
# Between two purchases, and how long a period lasts.
STEP, PERIOD = datetime.timedelta(hours=6), datetime.timedelta(days=1)
SHORT = datetime.timedelta(minutes=10)
NONCONSUMABLE, CONSUMABLE, RENEWABLE = 0, 1, 3


def attribute(number, value):
    return c.element(0x30, c.integer(number), c.integer(1), c.element(4, value))


def text(number, value):
    return attribute(number, c.element(0x0C, value.encode()))


def date(number, value):
    return attribute(number, c.element(0x16, value.strftime("%Y-%m-%dT%H:%M:%SZ").encode()))


def purchase(claim, number, kind, *, one, lasts=None, cancelled=None, trial=False, other=False):
    """The attribute of one purchase. `one`: all purchases of a receipt have one original transaction."""
    first = 100_000_000_000_000 + claim * 10_000
    bought = START + number * STEP
    attributes = [
        attribute(1701, c.integer(1)),
        text(1702, PRODUCTS[number % 2 if other else 0]),
        text(1703, str(first + number)),
        date(1704, bought),
        text(1705, str(first if one else first + number)),
        date(1706, START if one else bought),
        attribute(1707, c.integer(kind)),
        attribute(1713, c.integer(int(trial))),
        attribute(1719, c.integer(0)),
    ]
    if lasts:
        attributes += [date(1708, bought + lasts), attribute(1711, c.integer(first + number))]
    if cancelled:
        attributes.append(date(1712, bought + cancelled))
    return attribute(17, c.element(0x31, *attributes))


# What `purchase` makes of each kind.
KINDS = {
    "plain": dict(kind=NONCONSUMABLE),
    "consumable": dict(kind=CONSUMABLE),
    "cancelled": dict(kind=NONCONSUMABLE, cancelled=STEP),
    "periods": dict(kind=RENEWABLE, lasts=PERIOD),
    "cancelled periods": dict(kind=RENEWABLE, lasts=PERIOD, cancelled=STEP / 2),
    "upgraded periods": dict(kind=RENEWABLE, lasts=PERIOD, cancelled=STEP, other=True),
    "short periods": dict(kind=RENEWABLE, lasts=SHORT),
    "trials": dict(kind=RENEWABLE, lasts=PERIOD, trial=True),
}


def kinds(store):
    """Names of kinds, each with what makes the n-th claim's receipt; plain ones come first."""

    def make(one, fields):
        def receipt(number):
            place = number % len(store.contents)
            kept = b"".join(
                one for one in c.children(c.element(0x31, c.contents(store.contents[place])))
                if c.children(one)[0] != c.integer(17)
            )  # fmt: skip
            bought = b"".join(purchase(number, each, one=one, **fields) for each in range(COUNT))
            return store.container(c.element(0x31, kept, bought))

        return receipt

    for label, fields in KINDS.items():
        for one in (False, True):
            yield f"{label}, {'one original transaction' if one else 'each its own'}", make(one, fields)
