"""What all functions of batches have in common."""

from __future__ import annotations

import hashlib
import pickle
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import numpy as np

from ..arrow import Names, pa, parse, roles
from ..data import Dataset
from ..errors import Error

MEMORY = 2**30


class Shared:
    """An object that a process unpickles once, however many tasks bring it.

    Engines pickle a function anew for each task; the value of this stays in the process.
    """

    _MOST = 8
    _known: OrderedDict[bytes, Shared] = OrderedDict()
    _lock = threading.RLock()

    def __init__(self, value: Any) -> None:
        self.value = value
        self._bytes: bytes | None = None

    def __reduce__(self) -> tuple:
        if self._bytes is None:
            self._bytes = pickle.dumps(self.value)
        return _shared, (hashlib.sha256(self._bytes).digest(), self._bytes)


def _shared(digest: bytes, content: bytes) -> Shared:
    known = Shared._known
    with Shared._lock:
        if digest not in known:
            known[digest] = Shared(pickle.loads(content))
            known[digest]._bytes = content
        known.move_to_end(digest)
        while len(known) > Shared._MOST:
            known.popitem(last=False)
        return known[digest]


class BatchFunction:
    """What they have in common: reading the columns, and rows that are wrong.

    Parameters
    ----------
    tree, vectors : str, sequence of str or dict
        The columns that are needed, as in `Dataset.from_arrow`.
    on_error : {"raise", "null"}
        What to do about a row that is null, is no tree, or is beyond a limit: stop, or put null into
        the new columns and the reason into a column "error", which is null where all went well.
    names : dict, optional
        Other names for new columns.
    **options
        Those of `read`, for the strings of trees.
    """

    #: How many rows are processed at a time; larger batches are cut.
    rows = 2000

    def __init__(self, *, tree: Names = "tree", vectors: Names = None,
                 on_error: Literal["raise", "null"] = "raise",
                 names: dict[str, str] | None = None, **options: Any) -> None:
        if on_error not in ("raise", "null"):
            raise ValueError(f'on_error is "raise" or "null", not {on_error!r}')
        self._columns: dict[str, Any] = {"tree": tree, "vectors": vectors}
        self._on_error = on_error
        self._names = names or {}
        self._options = options

    def fields(self) -> list[pa.Field]:
        """The columns that it adds."""
        errors = [pa.field("error", pa.string())] if self._on_error == "null" else []
        return [field.with_name(self._names.get(field.name, field.name))
                for field in (*self._new_fields(), *errors)]

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """The columns of the result for an input with these columns."""
        for field in self.fields():
            if field.name in schema.names:
                raise Error(f"there already is a column {field.name!r}: drop or rename it first")
            schema = schema.append(field)
        return schema

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The batch with the new columns.

        Raises
        ------
        Error
            If a row is wrong, with ``on_error="raise"``.
        """
        parts = [self._piece(batch.slice(begin, self.rows))
                 for begin in range(0, max(1, batch.num_rows), self.rows)]
        arrays = [pa.concat_arrays([part[k] for part in parts]) for k in range(len(parts[0]))]
        return pa.RecordBatch.from_arrays([*batch.columns, *arrays], schema=self.schema(batch.schema))

    def map(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The results for many batches, one after the other, each no longer than `rows`."""
        for batch in batches:
            for begin in range(0, batch.num_rows, self.rows):
                yield self(batch.slice(begin, self.rows))

    def _new_fields(self) -> list[pa.Field]:
        raise NotImplementedError

    def _values(self, data: Any) -> list[pa.Array]:
        """The new columns for these examples, all of which have trees."""
        raise NotImplementedError

    def _piece(self, batch: pa.RecordBatch) -> list[pa.Array]:
        data, errors = self._parse(batch)
        if errors and self._on_error == "raise":
            row, message = min(errors.items())
            raise Error(f"row {row} of a batch of {batch.num_rows}, {message}; "
                        'on_error="null" goes on with the other rows')
        good = np.array([row for row in range(batch.num_rows) if row not in errors], dtype=np.intp)
        arrays, kept = self._compute(data, good, errors)
        if len(kept) < batch.num_rows:
            place = np.full(batch.num_rows, -1)
            place[kept] = np.arange(len(kept))
            chosen = pa.array(place, mask=place < 0)
            arrays = [array.take(chosen) for array in arrays]
        if self._on_error == "null":
            arrays.append(pa.array([errors.get(row) for row in range(batch.num_rows)], pa.string()))
        return arrays

    def _parse(self, batch: pa.RecordBatch) -> tuple[Any, dict[int, str]]:
        """The examples, and what is wrong about rows."""
        core, errors = parse([batch], roles(batch.schema, **self._columns), self._options,
                             collect_errors=True)
        return Dataset._of(core), dict(errors)

    def _compute(self, data: Any, rows: np.ndarray,
                 errors: dict[int, str]) -> tuple[list[pa.Array], np.ndarray]:
        """The columns of those of the rows that have values; the others go to `errors`."""
        if not len(rows):
            return [pa.array([], field.type) for field in self._new_fields()], rows
        try:
            return self._values(data if len(rows) == len(data) else data[rows]), rows
        except Error as error:
            if self._on_error == "raise":
                raise
            if len(rows) == 1:
                errors[int(rows[0])] = str(error)
                return self._compute(data, rows[:0], errors)
        # Which row it is does the text of the error not always say: look in both halves.
        half = len(rows) // 2
        (first, a), (second, b) = (self._compute(data, part, errors)
                                   for part in (rows[:half], rows[half:]))
        return [pa.concat_arrays(pair) for pair in zip(first, second)], np.concatenate([a, b])


def read_rows(table: Any, *, tree: Names = "tree", on_error: str = "raise",
              **options: Any) -> Dataset:
    """The examples of the rows that are right, for learning from a sample; `BatchFunction` has the
    parameters.
    """
    found = pa.table(table)
    core, errors = parse(found.to_batches(), roles(found.schema, tree=tree), options, True)
    if errors and on_error == "raise":
        raise Error(f"{errors[0][1]}; on_error=\"null\" goes on with the other rows")
    wrong = {row for row, _ in errors}
    data = Dataset._of(core)
    return data[[row for row in range(len(data)) if row not in wrong]] if wrong else data


def lists_of(values: np.ndarray) -> pa.Array:
    """A list for each row of an array."""
    rows = values.reshape(len(values), -1)
    begins = np.arange(len(rows) + 1, dtype=np.int32) * np.int32(rows.shape[1])
    return pa.ListArray.from_arrays(pa.array(begins), pa.array(np.ascontiguousarray(rows).ravel()))
