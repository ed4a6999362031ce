"""Machine learning on trees.

`read` turns a file of trees into a `Dataset`, whose trees live in a `Forest` of distinct subtrees;
`gram` computes the kernel values between its examples; `train` learns a `Model` from their labels,
`cross_validate` and `tune` measure how good one would be.

Examples
--------
>>> import espalier
>>> data = espalier.read("examples/questions/train.tsv")
>>> sorted(data.class_names)
['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM']
"""

from ._core import __version__
from .data import Dataset, Trees, formats, read, read_sentences, write
from .distributed import DistributedTrees
from .errors import Error, InputError
from .forest import Forest
from .kernels import describe_kernels, diagonal, gram, kernel
from .model import Model
from .nystroem import Nystroem
from .subtree import SubtreeKernel, SubtreeWeight
from .training import train
from .validation import cross_validate, tune

__all__ = [
    "Dataset",
    "DistributedTrees",
    "Error",
    "Forest",
    "InputError",
    "Model",
    "Nystroem",
    "SubtreeKernel",
    "SubtreeWeight",
    "Trees",
    "__version__",
    "cross_validate",
    "describe_kernels",
    "diagonal",
    "formats",
    "gram",
    "kernel",
    "read",
    "read_sentences",
    "train",
    "tune",
    "write",
]
