"""Classifiers and regressors for trees, with the interface of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from .base import TreeEstimator, class_lists, targets, weighted
from .data import Dataset
from .kernels import expression_of
from .model import Model
from .training import train

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class TreeMachine(TreeEstimator):
    """Base of the estimators that hold a `Model`.

    Attributes
    ----------
    model_ : Model
        What was learned: for the program, or to go on with.
    """

    _learner: dict[str, str] = {}  # options of `train` that are no parameters

    def _train(self, data: Dataset, **options: Any) -> Model:
        options = {**self._learner, **self._options(), **options}
        return train(expression_of(self.kernel), data, **options, **self._work())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class TreeClassifier(ClassifierMixin, TreeMachine):
    """Base of the classifiers. The classes of the model are those of `classes_` as text."""

    def fit(self, X: Iterable[Any], y: Any = None) -> TreeClassifier:
        """Learn from trees and their classes.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence, optional
            The class of each; without it, the labels of a data set.

        Returns
        -------
        The classifier itself.
        """
        return self._fit(self._to_fit(X), y)

    def _fit(self, data: Dataset, y: Any, **options: Any) -> Any:
        self.multilabel_ = y is not None and type_of_target(y) == "multilabel-indicator"
        if self.multilabel_:
            labelled = self._several(data, y)
        else:
            y = targets(data, y)
            check_classification_targets(y)
            self.classes_ = np.unique(y)
            labelled = self._numbered(data, y)
        self.model_ = self._train(labelled, **options)
        self.n_iter_ = self.model_.training["iterations"]
        return self

    def predict(self, X: Iterable[Any]) -> np.ndarray:
        """Predict the class of each tree.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
            Of shape (trees,); (trees, classes) with 0 and 1 if `fit` was given such labels.
        """
        check_is_fitted(self)
        if self.multilabel_:
            return self._indicators(self._dataset(X))
        number: dict[Any, int] = {name: n for n, name in enumerate(self._class_names())}
        names = self.model_.predict(self._dataset(X), **self._work())
        return self.classes_[np.array([number[name] for name in names], dtype=np.intp)]

    def decision_function(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the scores that decide.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
            Of shape (trees, classes), the highest decides; between two classes of shape (trees,),
            above 0 for the second. Classes that no example had yet have -inf.
        """
        check_is_fitted(self)
        scores = self._in_order(self.model_.scores(self._dataset(X), **self._work()), -np.inf)
        return self._between(scores) if len(self.classes_) == 2 and not self.multilabel_ else scores

    def _between(self, scores: np.ndarray) -> np.ndarray:
        """The score of the second of two classes against the first, which is its opposite."""
        return scores[:, 1]

    def _train(self, data: Dataset, **options: Any) -> Model:
        return super()._train(data, task="classification", **options)  # names may look like numbers

    def _numbered(self, data: Dataset, y: np.ndarray) -> Dataset:
        names = self._class_names()
        numbers = np.searchsorted(self.classes_, y)
        return Dataset._of(data._core.with_classes([names[n] for n in numbers.tolist()]), data._part)

    def _several(self, data: Dataset, y: Any) -> Dataset:
        """The data with the classes of an indicator matrix, which are numbers of its columns."""
        if not self.__sklearn_tags__().classifier_tags.multi_label:
            raise ValueError(f"{type(self).__name__} takes one class for each tree, not a matrix of "
                             "several labels")
        lists, count = class_lists(data, y)
        self.classes_ = np.arange(count)
        return Dataset._of(data._core.with_class_lists(lists), data._part)

    def _indicators(self, data: Dataset) -> np.ndarray:
        out = np.zeros((len(data), len(self.classes_)), dtype=int)
        for row, names in zip(out, self.model_.predict(data, **self._work())):
            row[[int(name) for name in ([names] if isinstance(names, str) else names)]] = 1
        return out

    def _class_names(self) -> list[str]:
        """The classes as text, or as their numbers where two are the same text."""
        names = [str(label) for label in self.classes_.tolist()]
        return names if len(set(names)) == len(names) else [str(n) for n in range(len(names))]

    def _in_order(self, columns: np.ndarray, missing: float) -> np.ndarray:
        """Columns in the order of `classes_`; the model has those that were in its examples."""
        out = np.full((len(columns), len(self.classes_)), missing, dtype=float)
        number = {name: n for n, name in enumerate(self._class_names())}
        out[:, [number[name] for name in self.model_.classes]] = columns
        return out


class TreeSVC(TreeClassifier):
    """Support vector machines that classify trees.

    Parameters
    ----------
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package: then the parameters of the kernel
        can be searched for, as ``kernel__decay``.
    solver : {"auto", "matrix", "working-set"}, default: "auto"
        On the Gram matrix, or without it for any number of examples; auto: the matrix if it fits
        the memory.
    C : float > 0, default: 1.0
        Cost of errors against a wide margin; smaller values regularise more.
    multi_class : {"one-vs-rest", "one-vs-one"}, default: "one-vs-rest"
        One binary classifier for each class, or for each pair of classes.
    tol : float > 0, default: 0.001
        Stop when the optimality conditions are violated by at most this, in units of the decision
        values.
    shrinking : bool, default: True
        Set variables aside that are at their bounds: faster.
    max_iter : int >= 0, default: 0
        Limit for the solver; 0: ten million, or 100 per example.
    class_weight : {"balanced"} or dict, optional
        Factors of C: balanced, or by class.
    probability : bool, default: False
        Estimate class probabilities (Platt scaling), which takes six times as long.
    calibration_folds : int in [2, 1000000], default: 5
        Cross-validation folds that probabilities are estimated on. Needs `probabilities`.
    random_state : int, RandomState or None, default: None
        Random seed; None: the default seed, 1.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    classes_ : numpy.ndarray
        The classes, sorted.
    model_ : Model
        What was learned.
    n_iter_ : int
        Iterations of the solver, of all binary classifiers together.

    See Also
    --------
    train : The same learner, and more of them.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> clf = espalier.TreeSVC(espalier.SubsetTreeKernel(), C=3).fit(data, data.labels)
    >>> test = espalier.read("examples/questions/test.tsv")
    >>> bool(clf.score(test, test.labels) > 0.9)
    True
    """

    def __init__(
        self, kernel: str | KernelTransformer = "norm(pt())", *,
        solver: Literal["auto", "matrix", "working-set"] = "auto", C: float = 1.0,
        multi_class: Literal["one-vs-rest", "one-vs-one"] = "one-vs-rest", tol: float = 0.001,
        shrinking: bool = True, max_iter: int = 0,
        class_weight: Literal["balanced"] | dict[Any, float] | None = None,
        probability: bool = False, calibration_folds: int = 5, random_state: Any = None,
        n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def _options(self) -> dict[str, Any]:
        weights = self.class_weight
        if isinstance(weights, Mapping):
            names = dict(zip(self.classes_.tolist(), self._class_names()))
            unknown = [label for label in weights if label not in names]
            if unknown:
                raise ValueError(f"class_weight has {unknown[0]!r}, which is none of the classes")
            weights = {names[label]: weight for label, weight in weights.items()}
        return {**super()._options(), "class_weight": weights}

    def fit(self, X: Iterable[Any], y: Any = None, sample_weight: Any = None) -> TreeSVC:
        """Learn from trees and their classes.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence or matrix, optional
            The class of each, or for several labels a matrix of 0 and 1 with a column for each
            class; without it, the labels of a data set.
        sample_weight : sequence of float, optional
            A factor of C for each tree; those with 0 are left out.

        Returns
        -------
        TreeSVC
            Itself.
        """
        data, y, weights = weighted(self._to_fit(X), y, sample_weight)
        return self._fit(data, y, sample_weight=weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @available_if(lambda self: self.probability)
    def predict_proba(self, X: Iterable[Any]) -> np.ndarray:
        """Estimate the probability of each class, if `probability` was set.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
            Of shape (trees, classes); rows sum up to 1.
        """
        check_is_fitted(self)
        return self._in_order(self.model_.probabilities(self._dataset(X), **self._work()), 0)


class TreeSVR(RegressorMixin, TreeMachine):
    """Support vector regression: numbers predicted from trees.

    Parameters
    ----------
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package.
    solver : {"auto", "matrix", "working-set"}, default: "auto"
        On the Gram matrix, or without it for any number of examples; auto: the matrix if it fits
        the memory.
    C : float > 0, default: 1.0
        Cost of errors against a wide margin; smaller values regularise more.
    tol : float > 0, default: 0.001
        Stop when the optimality conditions are violated by at most this, in units of the decision
        values.
    shrinking : bool, default: True
        Set variables aside that are at their bounds: faster.
    max_iter : int >= 0, default: 0
        Limit for the solver; 0: ten million, or 100 per example.
    calibration_folds : int in [2, 1000000], default: 5
        Cross-validation folds that probabilities are estimated on. Needs `probabilities`.
    epsilon : float >= 0, default: 0.1
        Regression: errors up to this cost nothing.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    model_ : Model
        What was learned.
    n_iter_ : int
        Iterations of the solver.

    Examples
    --------
    >>> trees = ["(a)", "(a a)", "(a a a)", "(a a a a)"]
    >>> regressor = espalier.TreeSVR("subpath(lambda=1)", C=100, epsilon=0.01).fit(trees, [1, 2, 3, 4])
    >>> regressor.predict(["(a a a a a)"]).round(1).tolist()
    [5.0]
    """

    _learner = {"task": "regression"}

    def __init__(
        self, kernel: str | KernelTransformer = "norm(pt())", *,
        solver: Literal["auto", "matrix", "working-set"] = "auto", C: float = 1.0,
        tol: float = 0.001, shrinking: bool = True, max_iter: int = 0, calibration_folds: int = 5,
        epsilon: float = 0.1, n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def fit(self, X: Iterable[Any], y: Any = None, sample_weight: Any = None) -> TreeSVR:
        """Learn from trees and their numbers.

        Parameters
        ----------
        X : Dataset or sequence of trees
        y : sequence of float, optional
            The number of each; without it, the labels of a data set.
        sample_weight : sequence of float, optional
            A factor of C for each tree; those with 0 are left out.

        Returns
        -------
        TreeSVR
            Itself.
        """
        data, y, weights = weighted(self._to_fit(X), y, sample_weight)
        numbers = np.asarray(targets(data, y), dtype=float)
        if not np.isfinite(numbers).all():
            raise ValueError("y contains NaN or infinity")
        self.model_ = self._train(Dataset._of(data._core.with_numbers(numbers.tolist()), data._part),
                                  sample_weight=weights)
        self.n_iter_ = self.model_.training["iterations"]
        return self

    def predict(self, X: Iterable[Any]) -> np.ndarray:
        """Predict the number of each tree.

        Parameters
        ----------
        X : Dataset or sequence of trees

        Returns
        -------
        numpy.ndarray
        """
        check_is_fitted(self)
        return self.model_.scores(self._dataset(X), **self._work())
