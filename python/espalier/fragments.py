"""Fragments: what a tree kernel counts, and a model weighs."""

from __future__ import annotations

import html
from typing import Any


class Fragments(list):
    """The heaviest fragments of a model, made by `Model.fragments`: a list with a dict for each, so
    that ``pandas.DataFrame(fragments)`` is a table. A notebook draws them.

    Attributes
    ----------
    exact : dict
        By class: whether no other fragment is heavier. Not if a limit has ended the search.
    bounds : dict
        By class: fragments that were not looked at weigh at most this, in absolute value.
    svgs : list of str
        A picture of each fragment; frontier nodes have a dashed line below.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> fragments = espalier.train("norm(sst())", data, C=3).fragments(class_name="HUM", min_size=2)
    >>> fragments[0]["fragment"], fragments.exact
    ('(WHNP (WP Who))', {'HUM': True})
    """

    def __init__(
        self,
        records: list[dict[str, Any]],
        exact: dict[str, bool],
        bounds: dict[str, float],
        svgs: list[str],
    ) -> None:
        super().__init__(records)
        self.exact = exact
        self.bounds = bounds
        self.svgs = svgs

    def _repr_html_(self) -> str:
        names = [name for name in (self[0] if self else {}) if name != "fragment"]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in [*names, "fragment"])
        rows = [
            "<tr>"
            + "".join(f"<td>{html.escape(_shown(record[name]))}</td>" for name in names)
            + f"<td>{svg}</td></tr>"
            for record, svg in zip(self, self.svgs)
        ]
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
