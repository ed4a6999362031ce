"""Networks on kernels of trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .base import seed_of
from .estimators import TreeClassifier
from .kernels import _MEMORY

if TYPE_CHECKING:
    from .tree_kernels import KernelTransformer


class KernelDeepClassifier(TreeClassifier):
    """A network on the vectors that comparing with landmarks gives (KDA).

    Parameters
    ----------
    kernel : str or kernel
        A kernel expression, or one of the kernels of this package.
    landmarks : int
        How many examples all others are compared with, as `TreeNystroem` does.
    policy : {"uniform", "kmeans++", "leverage", "classwise", "support"}
        Which examples are landmarks.
    sets : int
        So many sets of landmarks, each with a vector of its own.
    set_weights : {"equal", "error"}
        Whether all sets count the same, or less where they are less exact.
    hidden : sequence of int, optional
        Widths of the hidden layers; without it two as wide as the vectors.
    dropout : float
        The share of each hidden layer that is left out at random in training.
    input_dropout : float
        The same of the vectors.
    l2 : float
        What large weights cost.
    learning_rate : float
        The length of a step.
    steps : {"constant", "linear"}
        Whether steps stay as long, or become shorter and shorter, to 0 in the last epoch.
    batch : int
        Examples in a step.
    epochs : int, optional
        How often each example is seen at most; without it 500 times.
    patience : int
        Stop after so many epochs that are no better; 0 for never.
    development : float
        The share of the examples that picks the epoch; with 0 the last one is kept.
    train_projection : bool
        Whether the projection to vectors is trained with the rest.
    random_state : int, RandomState or None
        For all that is random; None is the seed of the program, 1.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space.

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
    >>> clf = espalier.KernelDeepClassifier("norm(sst())", landmarks=100, hidden=[30], batch=64,
    ...                                     learning_rate=0.01, epochs=40).fit(data)
    >>> test = espalier.read("examples/questions/test.tsv")
    >>> clf.predict_proba(test).shape, bool(clf.score(test, test.labels) > 0.6)
    ((180, 6), True)
    """

    def __init__(self, kernel: str | KernelTransformer = "norm(pt())", *, landmarks: int = 500,
                 policy: str = "uniform", sets: int = 1, set_weights: str = "equal",
                 hidden: Sequence[int] | None = None, dropout: float = 0.2,
                 input_dropout: float = 0.2, l2: float = 0.0, learning_rate: float = 0.001,
                 steps: str = "constant", batch: int = 256, epochs: int | None = None,
                 patience: int = 50, development: float = 0.1, train_projection: bool = False,
                 random_state: Any = None, n_jobs: int | None = None, memory: int = _MEMORY) -> None:
        self.kernel = kernel
        self.landmarks = landmarks
        self.policy = policy
        self.sets = sets
        self.set_weights = set_weights
        self.hidden = hidden
        self.dropout = dropout
        self.input_dropout = input_dropout
        self.l2 = l2
        self.learning_rate = learning_rate
        self.steps = steps
        self.batch = batch
        self.epochs = epochs
        self.patience = patience
        self.development = development
        self.train_projection = train_projection
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.memory = memory

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

    def _options(self) -> dict[str, Any]:
        names = ("landmarks", "policy", "sets", "set_weights", "hidden", "dropout", "input_dropout",
                 "l2", "learning_rate", "steps", "batch", "epochs", "patience", "development", "train_projection")
        return {"learner": "kda", "seed": seed_of(self.random_state),
                **{name: getattr(self, name) for name in names}}
