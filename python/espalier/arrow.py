"""Data sets from Arrow tables and Parquet files, and to them. Needs pyarrow."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Union

import numpy as np

from . import _core
from .data import Dataset
from .errors import Error

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset
    import pyarrow.parquet
except ImportError as error:
    raise ImportError("Arrow and Parquet need pyarrow: pip install 'espalier[arrow]'") from error

Names = Union[str, Sequence[str], Mapping[str, str], None]
_ROLE = b"espalier"  # metadata of a field: what it is in a data set, as "tree:const"
_MEMBERS = ("a", "b")


class Role(NamedTuple):
    """What a column is in a data set. The kind is tree, text, vector or label."""

    kind: str
    name: str
    column: str


def roles(
    schema: pa.Schema, *, tree: Names = None, label: str | None = None, id: str | None = None,
    vectors: Names = None, texts: Names = None,
) -> list[Role]:
    """What the columns of a table are, by the arguments of `Dataset.from_arrow`.

    Examples
    --------
    >>> import pyarrow
    >>> from espalier.arrow import roles
    >>> roles(pyarrow.schema([("ast", "string"), ("y", "string")]), tree="ast", label="y")
    [Role(kind='tree', name='ast', column='ast'), Role(kind='label', name='', column='y')]
    """
    if tree is None and vectors is None:
        if noted := [_noted(field) for field in schema if _ROLE in (field.metadata or {})]:
            return noted
        tree = "tree"
    out = [Role("tree", name, column) for name, column in _pairs(tree)]
    out += [Role("vector", name, column) for name, column in _pairs(vectors)]
    out += [Role("text", name, column) for name, column in _pairs(texts)]
    out += [Role("text", "id", id)] if id is not None else []
    out += [Role("label", "", label)] if label is not None else []
    for role in out:
        if role.column not in schema.names:
            raise Error(f"there is no column {role.column!r} for the {role.kind}: name one of "
                        f"{', '.join(schema.names)}")
    return out


def _pairs(names: Names) -> list[tuple[str, str]]:
    """(name in the data set, column) of each."""
    if names is None:
        return []
    if isinstance(names, Mapping):
        return list(names.items())
    return [(name, name) for name in ([names] if isinstance(names, str) else names)]


def _noted(field: pa.Field) -> Role:
    kind, _, name = field.metadata[_ROLE].decode().partition(":")
    return Role(kind, name, field.name)


def parse(
    batches: Iterable[pa.RecordBatch], columns: Sequence[Role], options: dict[str, Any],
    collect_errors: bool = False,
) -> tuple[_core.Dataset, list[tuple[int, str]]]:
    """The examples of all rows. Strings are parsed where Arrow keeps them.

    With `collect_errors`, also (row, message) of each row that is wrong, whose example is empty.
    """
    parts = ((batch.num_rows, [_column(role, batch.column(role.column)) for role in columns])
             for batch in batches)
    core, errors, messages = _core.from_columns(parts, options, collect_errors)
    for message in messages:
        warnings.warn(message, stacklevel=4)
    return core, errors


def _column(role: Role, array: pa.Array) -> tuple[str, str, int, Any]:
    """What the compiled part takes: kind, name, member, data."""
    member, _, rest = role.name.partition("/")
    place = _MEMBERS.index(member) if rest and member in _MEMBERS else -1
    name = rest if place >= 0 else role.name
    try:
        if role.kind == "label":
            kind, data = _labels(array)
        elif role.kind == "vector":
            kind, data = "vector", _vectors(array)
        else:
            kind, data = role.kind, _strings(array)
    except (pa.ArrowException, ValueError) as error:
        raise Error(f"the column {role.column!r} of type {array.type} cannot be the {role.kind}: "
                    f"{error}") from None
    return kind, name, place, data


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return any(test(kind) for test in (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view,
        pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view))


def _strings(array: pa.Array) -> tuple[Any, Any]:
    if not _is_text(array.type):
        if pa.types.is_nested(array.type):
            raise ValueError("strings are wanted")
        array = array.cast(pa.string())
    return array.__arrow_c_array__()


def _labels(array: pa.Array) -> tuple[str, Any]:
    if pa.types.is_dictionary(array.type) and not _is_text(array.type):
        array = array.dictionary_decode()
    if _is_list(array.type):
        begins, present, values = _lists(array)
        return "class", (begins, present, _strings(values))
    begins, present = np.arange(len(array) + 1), _present(array)
    if _is_text(array.type) or pa.types.is_boolean(array.type):
        return "class", (begins, present, _strings(array))
    return "number", (begins, present, _numbers(array))


def _vectors(array: pa.Array) -> tuple[Any, ...]:
    """Lists of numbers are dense; maps, or lists of pairs, from features to numbers are sparse."""
    if pa.types.is_map(array.type):
        array = array.cast(pa.list_(pa.struct([("key", array.type.key_type),
                                               ("value", array.type.item_type)])))
    if not _is_list(array.type):
        raise ValueError("lists of numbers, or maps from features to numbers, are wanted")
    begins, present, values = _lists(array)
    if not pa.types.is_struct(values.type):
        return begins, present, _numbers(values)
    features, numbers = values.flatten()
    return begins, present, _numbers(numbers), _strings(features)


def _is_list(kind: pa.DataType) -> bool:
    return any(test(kind) for test in (
        pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list))


def _lists(array: pa.Array) -> tuple[np.ndarray, np.ndarray, pa.Array]:
    """Where each begins, whether it is there, and the elements of all."""
    lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
    begins = np.zeros(len(array) + 1, dtype=np.int64)
    np.cumsum(lengths, out=begins[1:])
    return begins, _present(array), array.flatten()


def _present(array: pa.Array) -> np.ndarray:
    return array.is_valid().to_numpy(zero_copy_only=False)


def _numbers(array: pa.Array) -> np.ndarray:
    return np.ascontiguousarray(array.cast(pa.float64()).to_numpy(zero_copy_only=False))


def to_table(data: _core.Dataset, labels: list[Any]) -> pa.Table:
    """The table of `Dataset.to_arrow`."""
    found: list[tuple[str, str, pa.Array]] = []
    if any(label is not None for label in labels):
        found.append(("label", "", _label_array(labels)))
    for name in data.text_names():
        found.append(("text", name, pa.array(data.texts(name), pa.string())))
    for index, name in enumerate(data.tree_names()):
        content, begins, present = _core.tree_strings(data, index)
        array = pa.LargeStringArray.from_buffers(
            len(present), pa.py_buffer(begins), pa.py_buffer(content), _bitmap(present))
        array.validate(full=True)
        found.append(("tree", name, array))
    for index, name in enumerate(data.vector_names()):
        found.append(("vector", name, _vector_array(*_core.vector_values(data, index))))
    fields: list[pa.Field] = []
    for kind, name, array in found:
        column = name or kind
        while column in [field.name for field in fields]:
            column = f"{kind}:{column}"
        fields.append(pa.field(column, array.type, metadata={_ROLE: f"{kind}:{name}"}))
    return pa.table([array for _, _, array in found], schema=pa.schema(fields))


def _bitmap(present: np.ndarray) -> pa.Buffer:
    return pa.py_buffer(np.packbits(present, bitorder="little"))


def _label_array(labels: list[Any]) -> pa.Array:
    if any(isinstance(label, tuple) for label in labels):
        raise Error("a column holds classes or numbers, not named numbers such as score:3.5")
    if any(isinstance(label, list) for label in labels):
        return pa.array([label if label is None or isinstance(label, list) else [label]
                         for label in labels], pa.list_(pa.string()))
    if all(label is None or isinstance(label, float) for label in labels):
        return pa.array(labels, pa.float64())
    return pa.array([label if label is None else str(label) for label in labels], pa.string())


def _vector_array(values: np.ndarray, begins: np.ndarray, present: np.ndarray,
                  names: list[str] | None) -> pa.Array:
    missing = present == 0
    if names is not None:
        starts = pa.array(begins.astype(np.int32), mask=np.append(missing, False))
        return pa.MapArray.from_arrays(starts, pa.array(names, pa.string()), pa.array(values))
    width = int(np.diff(begins).max(initial=0))
    dense = np.zeros((len(present), width))
    dense[present == 1] = values.reshape(-1, width) if width else 0
    return pa.FixedSizeListArray.from_arrays(dense.ravel(), width, mask=pa.array(missing))


def format_of(path: bytes, format: str | None) -> str:
    """What pyarrow calls the format of a file of tables."""
    is_parquet = format == "parquet" or (
        format is None and path.rstrip(b"/").endswith(b".parquet"))
    return "parquet" if is_parquet else "ipc"


def read_file(
    path: bytes, format: str, named: dict[str, Any], options: dict[str, Any]
) -> Dataset:
    """The examples of a file, or of all files in a folder as Spark writes it. Only the columns that
    are needed are read, a part of the rows at a time.
    """
    found = pa.dataset.dataset(os.fsdecode(path), format=format)
    columns = roles(found.schema, **named)
    batches = found.to_batches(columns=[role.column for role in columns])
    return Dataset._of(parse(batches, columns, options)[0])


def write_file(table: pa.Table, path: bytes, format: str) -> None:
    """Write a table to a file, which appears whole or not at all."""
    name = os.fsdecode(path)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(name))) as folder:
        part = os.path.join(folder, "part")
        if format == "parquet":
            pa.parquet.write_table(table, part)
        else:
            with pa.OSFile(part, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
        os.replace(part, name)
