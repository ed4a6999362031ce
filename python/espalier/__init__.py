"""Machine learning on trees.

`read` turns a file of trees into a `Dataset`, whose trees live in a `Forest` of distinct subtrees;
`gram` computes the kernel values between its examples.

Examples
--------
>>> import espalier
>>> data = espalier.read("examples/questions/train.tsv")
>>> sorted(data.class_names)
['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM']
"""

from ._core import __version__
from .data import Dataset, Trees, formats, read, write
from .errors import Error, InputError
from .forest import Forest
from .kernels import describe_kernels, diagonal, gram, kernel

__all__ = [
    "Dataset",
    "Error",
    "Forest",
    "InputError",
    "Trees",
    "__version__",
    "describe_kernels",
    "diagonal",
    "formats",
    "gram",
    "kernel",
    "read",
    "write",
]
