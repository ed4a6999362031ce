"""The checks that scikit-learn has for estimators, on trees.

scikit-learn runs its checks on arrays of numbers only. Here each row becomes a tree on its way into the
estimator. All checks run then, but for those in SKIPPED.
"""
import warnings

import espalier
import numpy as np
import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import estimator_checks_generator

SKIPPED = {
    # X is an array in these, and what is wrong about it is lost on the way.
    "check_estimator_sparse_tag": "trees are no sparse matrix",
    "check_estimator_sparse_array": "trees are no sparse matrix",
    "check_estimator_sparse_matrix": "trees are no sparse matrix",
    "check_n_features_in_after_fitting": "trees have no number of features",
    "check_estimators_partial_fit_n_features": "trees have no number of features",
    "check_positive_only_tag_during_fit": "trees have no sign",
    "check_estimators_dtypes": "trees have no dtype",
    # Weights do what copies do up to `tol`: test_scikit_learn.py has a test with a small one.
    "check_sample_weight_equivalence_on_dense_data": "both are solved to a tolerance of 0.001",
}


STEPS = np.linspace(-2, 2, 9)
LINEAR = "subpath(lambda=1)"


def trees_of(X):
    """A node for each feature, with as many leaves as steps are below its value."""
    rows = np.asarray(X, dtype=float)
    if rows.ndim != 2:
        raise ValueError("Reshape your data: a tree for each row")
    if not np.isfinite(rows).all():
        raise ValueError("NaN or infinity in X")
    return [("row", *((f"f{j}", *(f"{step}" for step in STEPS[value > STEPS])) for j, value in enumerate(row)))
            for row in rows]


def on_rows(base):
    """The estimator with rows of numbers for trees."""

    class OnRows(base):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.two_d_array = True
            tags.input_tags.one_d_array = tags.input_tags.string = False
            return tags

        def _to_fit(self, X):
            self._width = None
            return super()._to_fit(X)

        def _dataset(self, X):
            if isinstance(X, espalier.Dataset):
                return X
            trees = trees_of(X)
            width = len(trees[0]) if trees else None
            if (getattr(self, "_width", None) or width) != width:
                raise ValueError("rows of another length than those of fit")
            self._width = width
            return super()._dataset(trees)

    OnRows.__init__ = base.__init__
    OnRows.__name__ = OnRows.__qualname__ = base.__name__
    globals()[base.__name__] = OnRows  # where pickle looks for it
    return OnRows


ESTIMATORS = [
    (espalier.SubtreeKernel, {}), (espalier.SubsetTreeKernel, {}), (espalier.PartialTreeKernel, {}),
    (espalier.SubpathKernel, {}), (espalier.TreeKernel, {}), (espalier.SubtreeFeatures, {}),
    (espalier.FragmentFeatures, {"kernel": LINEAR}), (espalier.HashedFragments, {"hash_dim": 64}),
    (espalier.DistributedTrees, {"dim": 64}), (espalier.TreeNystroem, {"landmarks": 20}),
    (espalier.TreeKMeans, {"n_clusters": 3, "kernel": LINEAR}), (espalier.TreeSVC, {"kernel": LINEAR}),
    (espalier.TreeSVR, {"kernel": LINEAR}), (espalier.TreePassiveAggressive, {"kernel": LINEAR}),
    (espalier.KernelDeepClassifier, {"kernel": LINEAR, "hidden": (16,), "epochs": 100, "learning_rate": 0.02}),
]


def cases():
    for base, parameters in ESTIMATORS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SkipTestWarning)
            for estimator, check in estimator_checks_generator(on_rows(base)(**parameters)):
                name = getattr(check, "func", check).__name__
                yield pytest.param(estimator, check, id=f"{base.__name__}-{name}")


@pytest.mark.parametrize("estimator, check", list(cases()))
def test_check(estimator, check):
    name = getattr(check, "func", check).__name__
    if name in SKIPPED:
        pytest.skip(SKIPPED[name])
    check(estimator)


@pytest.mark.parametrize("base", [base for base, _ in ESTIMATORS], ids=lambda base: base.__name__)
def test_tags_say_that_input_is_no_array(base):
    tags = base().__sklearn_tags__().input_tags
    assert tags.string and tags.one_d_array and not tags.two_d_array
