"""What all estimators have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import column_or_1d

from .data import Dataset, as_dataset


class TreeEstimator(BaseEstimator):
    """Base of all estimators: their input is trees, not an array.

    What is compiled lives in `_compiled`, is left out when an estimator is pickled, and is made
    again by `_compile` when it is needed.
    """

    # What scikit-learn calls differently from the parameter table.
    _names = {"tol": "tolerance", "probability": "probabilities", "max_iter": "max_iterations",
              "n_clusters": "clusters", "n_init": "restarts", "random_state": "seed"}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        # Trees are checked when they are read, in words of this package.
        tags.no_validation = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in super().__getstate__().items() if key != "_compiled"}

    def _keep(self, values: dict[str, Any]) -> None:
        """Make the arguments of a constructor, from its locals(), attributes."""
        self.__dict__.update((name, value) for name, value in values.items() if name != "self")

    def _core_object(self) -> Any:
        if not hasattr(self, "_compiled"):
            self._compiled = self._compile()
        return self._compiled

    def _compile(self) -> Any:
        raise NotImplementedError

    def _options(self) -> dict[str, Any]:
        """The parameters that the table has, under its names."""
        values = {self._names.get(name, name): value
                  for name, value in self.get_params(deep=False).items()
                  if name not in ("kernel", "tree", "n_jobs", "memory", "normalize", "on_error")}
        return {**values, "seed": seed_of(values["seed"])} if "seed" in values else values

    def _work(self) -> dict[str, Any]:
        return {"threads": threads_of(self.n_jobs), "memory": self.memory}

    def _dataset(self, X: Any) -> Dataset:
        """What was given, as a data set."""
        return as_dataset(X)

    def _to_fit(self, X: Any) -> Dataset:
        """The trees to fit to, of which there must be some."""
        data = self._dataset(X)
        if not len(data):
            raise ValueError("there are no trees: found an array with 0 sample(s)")
        return data


class TreeTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, TreeEstimator):
    """Base of what turns trees into arrays."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # trees have none
        return tags


def keywords(function: Any, values: dict[str, Any], *others: str) -> dict[str, Any]:
    """The options of a call, from its locals(): all keyword-only arguments but `others`."""
    names = [n for n in function.__kwdefaults__ if n not in ("threads", "memory", *others)]
    return {name: values[name] for name in names}


def threads_of(n_jobs: int | None) -> int:
    """Threads for `n_jobs`; None and -1 mean one per processor, which is 0 in the compiled part."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs < 1:
        raise ValueError(f"n_jobs = {n_jobs} must be 1 or more, or -1 or None for all processors")
    return int(n_jobs)


def seed_of(random_state: Any) -> int:
    """The seed for `random_state`: a number is itself, None is the seed of the program."""
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def class_numbers(labels: Iterable[Any]) -> list[int]:
    """The number of each label's class, by name, as in the program."""
    labels = list(labels)
    names = sorted(set(labels), key=lambda label: str(label).encode("utf-8", "surrogateescape"))
    numbers = {name: number for number, name in enumerate(names)}
    return [numbers[label] for label in labels]


def targets(data: Dataset, y: Any) -> np.ndarray:
    """One target for each example: those given, or the labels of the data."""
    if y is None:
        y = data.labels
        if any(label is None or isinstance(label, (list, tuple)) for label in y):
            raise ValueError("requires y to be passed, but the target y is None: a label for each "
                             "tree, please, in y or in the data set")
    y = column_or_1d(y, warn=True)
    if len(y) != len(data):
        raise ValueError(f"{len(data)} trees, but {len(y)} labels in y")
    return y


def numbered(data: Dataset, y: Any) -> tuple[np.ndarray, list[int]]:
    """The classes there are, sorted, and the number of each example's class."""
    classes, numbers = np.unique(targets(data, y), return_inverse=True)
    return classes, numbers.tolist()
