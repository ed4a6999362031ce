"""Machine learning on trees.

A `Dataset` is made of trees as people have them, or by `read` from a file; its trees live in a
`Forest` of distinct subtrees. Kernels, embeddings, classifiers and clusters are estimators of
scikit-learn that take a data set or a list of trees. `gram` computes the kernel values between
examples; `train` learns a `Model`, `cross_validate` and `tune` measure how good one would be, as
the program does.

Examples
--------
>>> import espalier
>>> data = espalier.read("examples/questions/train.tsv")
>>> sorted(data.class_names)
['ABBR', 'DESC', 'ENTY', 'HUM', 'LOC', 'NUM']
"""

from . import plot
from ._core import __version__
from .clustering import TreeKMeans
from .data import Dataset, Trees
from .deep import KernelDeepClassifier
from .distributed import DistributedTrees
from .errors import ElementError, Error, InputError
from .estimators import TreeSVC, TreeSVR
from .evaluation import compare, estimate, metrics
from .explain import contributions
from .files import formats, read, write
from .forest import Forest
from .fragment_features import FragmentFeatures, HashedFragments
from .fragments import Fragments
from .kernels import describe_kernels, diagonal, gram, kernel
from .model import Model
from .named_kernels import (
    CompositionalTreeKernel,
    PartialTreeKernel,
    SmoothedPartialTreeKernel,
    SubpathKernel,
    SubsetTreeKernel,
)
from .nystroem import TreeNystroem
from .online import TreePassiveAggressive
from .pairs import lexical, mark_related, prune, read_pairs, shallow
from .selection import compare_kernels, select_labels
from .subtree import SubtreeFeatures, SubtreeKernel, SubtreeWeight
from .training import train
from .tree_kernels import TreeKernel
from .validation import cross_validate, learning_curve, stratified_folds, tune

__all__ = [
    "CompositionalTreeKernel",
    "Dataset",
    "DistributedTrees",
    "ElementError",
    "Error",
    "Forest",
    "FragmentFeatures",
    "Fragments",
    "HashedFragments",
    "InputError",
    "KernelDeepClassifier",
    "Model",
    "PartialTreeKernel",
    "SmoothedPartialTreeKernel",
    "SubpathKernel",
    "SubsetTreeKernel",
    "SubtreeFeatures",
    "SubtreeKernel",
    "SubtreeWeight",
    "TreeKMeans",
    "TreeKernel",
    "TreeNystroem",
    "TreePassiveAggressive",
    "TreeSVC",
    "TreeSVR",
    "Trees",
    "__version__",
    "compare",
    "compare_kernels",
    "contributions",
    "cross_validate",
    "describe_kernels",
    "diagonal",
    "estimate",
    "formats",
    "gram",
    "kernel",
    "learning_curve",
    "lexical",
    "mark_related",
    "metrics",
    "plot",
    "prune",
    "read",
    "read_pairs",
    "select_labels",
    "shallow",
    "stratified_folds",
    "train",
    "tune",
    "write",
]
