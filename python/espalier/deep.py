"""Networks on kernels of trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .estimators import TreeClassifier

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class KernelDeepClassifier(TreeClassifier):
    """A network on the vectors that comparing with landmarks gives (KDA).

    Parameters
    ----------
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package.
    landmarks : int >= 0, default: 500
        Number of landmarks for Nystroem vectors; 0: none.
    policy : {"uniform", "kmeans++", "leverage", "classwise", "support"}, default: "uniform"
        How landmarks are sampled. Needs `landmarks`.
    sets : int >= 1, default: 1
        Sets of landmarks, whose vectors are concatenated. Needs `landmarks`.
    set_weights : {"equal", "error"}, default: "equal"
        Weights of the sets: equal, or by their approximation error. Needs `landmarks`.
    rank_tolerance : float in [0, 1), default: 1e-10
        Drop directions whose eigenvalue is below this fraction of the largest. Needs `landmarks`.
    random_state : int, RandomState or None, default: None
        Random seed; None: the default seed, 1.
    hidden : sequence of int, default: (0, 0)
        Sizes of the hidden layers, as in 600,300; 0: as wide as the input.
    dropout : float in [0, 1), default: 0.2
        Fraction of each hidden layer that is dropped in training.
    input_dropout : float in [0, 1), default: 0.2
        Fraction of the input that is dropped in training.
    l2 : float >= 0, default: 0.0
        L2 penalty on the weights.
    learning_rate : float > 0, default: 0.001
        Learning rate of Adam.
    schedule : {"constant", "linear"}, default: "constant"
        Learning-rate schedule: constant, or linear decay to 0.
    batch_size : int >= 1, default: 256
        Examples in a mini-batch.
    epochs : int >= 1, default: 500
        Passes over the training set, at most.
    patience : int >= 0, default: 50
        Early stopping after this many epochs without improvement; 0: never.
    train_projection : bool, default: False
        Train the Nystroem projection together with the network.
    validation_fraction : float in [0, 1), default: 0.1
        Fraction of the training set held out to select the best epoch; 0: none.
    validation_metric : str, optional
        Metric on the validation set that the best epoch has, as f1:HUM or map; by default accuracy
        or the squared error.
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
    curve_ : list of dict
        The loss of each epoch, and the loss and score on the validation set.

    See Also
    --------
    TreeNystroem : The vectors.
    espalier.plot.training_curve : Draws `curve_`.

    References
    ----------
    Croce, Filice, Castellucci and Basili, Deep learning in semantic kernel spaces, 2017.

    Examples
    --------
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> clf = espalier.KernelDeepClassifier("norm(sst())", landmarks=100, hidden=[30], epochs=40,
    ...                                     batch_size=64, learning_rate=0.01).fit(data)
    >>> test = espalier.read("examples/questions/test.tsv")
    >>> clf.predict_proba(test).shape, bool(clf.score(test, test.labels) > 0.6)
    ((180, 6), True)
    """

    _learner = {"learner": "kda"}

    def __init__(
        self, kernel: str | KernelTransformer = "norm(pt())", *, landmarks: int = 500,
        policy: Literal["uniform", "kmeans++", "leverage", "classwise", "support"] = "uniform",
        sets: int = 1, set_weights: Literal["equal", "error"] = "equal",
        rank_tolerance: float = 1e-10, random_state: Any = None, hidden: Sequence[int] = (0, 0),
        dropout: float = 0.2, input_dropout: float = 0.2, l2: float = 0.0,
        learning_rate: float = 0.001, schedule: Literal["constant", "linear"] = "constant",
        batch_size: int = 256, epochs: int = 500, patience: int = 50,
        train_projection: bool = False, validation_fraction: float = 0.1,
        validation_metric: str | None = None, n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def curve_(self) -> list[dict[str, float]]:
        """The loss of each epoch, and the loss and score on the validation set."""
        check_is_fitted(self, "model_")
        return self.model_.curve

    def predict_proba(self, X: Iterable[Any]) -> np.ndarray:
        """Compute the probability of each class.

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

    def _between(self, scores: np.ndarray) -> np.ndarray:
        return scores[:, 1] - scores[:, 0]
