"""Metrics, intervals and tests against scikit-learn and SciPy."""
import warnings

import espalier
import numpy as np
import pytest
import sklearn.metrics as sk
from espalier import _core
from scipy import stats

# 100 random cases; all but the first ten take their time.
CASES = [case if case < 10 else pytest.param(case, marks=pytest.mark.slow) for case in range(100)]
MASK = 2**64 - 1


class SplitMix:
    """The generator of the program, written anew."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


def resample_seeds(seed, resamples):
    generator = SplitMix(seed)
    return [generator.next() for _ in range(resamples)]


class GivenResamples(np.random.RandomState):
    """Lets SciPy draw what the program draws."""

    def __init__(self, units, resamples, seed):
        super().__init__(0)
        self.rows = []
        for each in resample_seeds(seed, resamples):
            generator = SplitMix(each)
            self.rows.append([generator.next() % units for _ in range(units)])
        self.at = 0

    def randint(self, low, high=None, size=None, dtype=int):
        count = size[0]
        out = np.array(self.rows[self.at:self.at + count])
        self.at += count
        assert out.shape == tuple(size)
        return out


def random_classes(seed, examples=None, classes=None, groups=0):
    rng = np.random.RandomState(seed)
    examples = examples or rng.randint(20, 60)
    classes = classes or rng.randint(2, 5)
    names = [f"c{c}" for c in range(classes)]
    truth = np.concatenate([np.arange(classes), rng.randint(classes, size=examples - classes)])
    scores = rng.randint(8, size=(examples, classes)) + 3.0 * (truth[:, None] == np.arange(classes))
    predicted = scores.argmax(1)
    label = np.array(names)
    group = rng.randint(groups, size=examples) if groups else None
    return names, label[truth], label[predicted], scores, group


def macro_f1(truth, predicted):
    """What f1_score computes, without its checks, which take most of the time."""
    scores = []
    for c in set(truth) | set(predicted):
        both = ((truth == c) & (predicted == c)).sum()
        scores.append(2 * both / ((truth == c).sum() + (predicted == c).sum()))
    return np.mean(scores)


def value(metric, system, truth, **options):
    return espalier.estimate(system, truth, metric=metric, resamples=0, **options)[0]["value"]


@pytest.mark.parametrize("seed", CASES)
def test_metrics_of_classes(seed):
    names, truth, predicted, scores, _ = random_classes(seed)
    of = {"truth": truth, "classes": names}
    system = (predicted, scores)
    zero = {"zero_division": 0}
    expected = {
        "accuracy": sk.accuracy_score(truth, predicted),
        "macro_precision": sk.precision_score(truth, predicted, average="macro", **zero),
        "macro_recall": sk.recall_score(truth, predicted, average="macro", **zero),
        "macro_f1": sk.f1_score(truth, predicted, average="macro", **zero),
        "micro_f1": sk.f1_score(truth, predicted, average="micro"),
    }
    for c, name in enumerate(names):
        binary = truth == name
        expected[f"f1:{name}"] = sk.f1_score(binary, predicted == name, zero_division=0)
        expected[f"roc_auc:{name}"] = sk.roc_auc_score(binary, scores[:, c])
        expected[f"average_precision:{name}"] = sk.average_precision_score(binary, scores[:, c])
    one_hot = np.array([truth == name for name in names]).T
    expected["roc_auc"] = sk.roc_auc_score(one_hot, scores, average="macro")
    expected["average_precision"] = sk.average_precision_score(one_hot, scores, average="macro")
    for metric, number in expected.items():
        assert value(metric, system, **of) == pytest.approx(number, abs=1e-9), metric


@pytest.mark.parametrize("seed", CASES)
def test_metrics_of_numbers(seed):
    rng = np.random.RandomState(seed)
    truth = rng.randint(20, size=rng.randint(5, 50)) / 4.0
    predicted = truth + rng.randint(8, size=len(truth)) / 4.0
    expected = {
        "r2": sk.r2_score(truth, predicted), "mse": sk.mean_squared_error(truth, predicted),
        "mae": sk.mean_absolute_error(truth, predicted),
        "pearson": stats.pearsonr(truth, predicted)[0],
        "spearman": stats.spearmanr(truth, predicted)[0],
    }
    for metric, number in expected.items():
        assert value(metric, predicted, truth) == pytest.approx(number, abs=1e-9), metric


@pytest.mark.parametrize("seed", CASES)
def test_metrics_of_rankings(seed):
    names, truth, predicted, scores, groups = random_classes(seed, groups=6)
    scores = scores + np.random.RandomState(seed).uniform(size=scores.shape) / 10  # no ties
    precisions, ranks, at_three = [], [], []
    for group in set(groups):
        relevant, score = truth[groups == group] == "c1", scores[groups == group, 1]
        if not relevant.any():
            continue
        precisions.append(sk.average_precision_score(relevant, score))
        ranked = relevant[np.argsort(-score)]
        ranks.append(1 / (1 + np.argmax(ranked)))
        at_three.append(ranked[:3].sum() / 3)
    options = {"classes": names, "groups": groups, "relevant": "c1"}
    for metric, expected in (("map", precisions), ("mrr", ranks), ("precision_at:3", at_three)):
        found = value(metric, (predicted, scores), truth, **options)
        assert found == pytest.approx(np.mean(expected), abs=1e-9), metric


def test_metrics_of_several_labels():
    truth, predicted = [["a"], ["a", "b"], [], ["b"]], [["a"], ["a"], ["b"], ["b"]]
    one_hot = [[["a" in one, "b" in one] for one in each] for each in (truth, predicted)]
    for metric, average in (("micro_f1", "micro"), ("macro_f1", "macro")):
        assert value(metric, predicted, truth) == pytest.approx(sk.f1_score(*one_hot, average=average))
    assert value("accuracy", predicted, truth) == sk.accuracy_score(*one_hot)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", CASES)
@pytest.mark.parametrize("metric, function", [
    ("accuracy", lambda truth, predicted: np.mean(truth == predicted)),
    ("macro_f1", macro_f1),
])
def test_bootstrap_interval(metric, function, seed):
    names, truth, predicted, scores, _ = random_classes(seed)
    found = espalier.estimate((predicted, scores), truth, classes=names, metric=metric,
                              resamples=50, seed=seed)[0]
    expected = stats.bootstrap(
        (np.arange(len(truth)),), lambda i: function(truth[i], predicted[i]),
        vectorized=False, n_resamples=50, method="BCa", axis=0,
        random_state=GivenResamples(len(truth), 50, seed)).confidence_interval
    assert_interval(found, expected)


def assert_interval(found, expected):
    """SciPy has nan where all resamples have the same value."""
    ends = (None, None) if np.isnan(expected.low) else pytest.approx(tuple(expected), abs=1e-9)
    assert (found["low"], found["high"]) == ends


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", CASES)
def test_bootstrap_interval_by_group(seed):
    names, truth, predicted, scores, groups = random_classes(seed, groups=9)
    order = list(dict.fromkeys(np.unique(groups, return_inverse=True)[1]))  # units by first example
    members = [np.flatnonzero(np.unique(groups, return_inverse=True)[1] == g) for g in order]
    found = espalier.estimate(predicted, truth, groups=groups, metric="accuracy", resamples=50,
                              confidence=0.9)[0]

    def accuracy(units):
        chosen = np.concatenate([members[u] for u in units])
        return np.mean(truth[chosen] == predicted[chosen])

    expected = stats.bootstrap(
        (np.arange(len(order)),), accuracy, vectorized=False, n_resamples=50, method="BCa",
        confidence_level=0.9, axis=0,
        random_state=GivenResamples(len(order), 50, 1)).confidence_interval
    assert_interval(found, expected)


@pytest.mark.parametrize("seed", CASES)
def test_mcnemar(seed):
    rng = np.random.RandomState(seed)
    a, b = (int(rng.randint(1, 400)) for _ in range(2))
    assert _core.mcnemar(a, b)["p_value"] == pytest.approx(stats.binomtest(a, a + b).pvalue, rel=1e-9)
    names, truth, first, _, _ = random_classes(seed)
    second = np.where(rng.uniform(size=len(truth)) < 0.3, truth, rng.choice(names, len(truth)))
    row = espalier.compare({"a": first, "b": second}, truth, metric="accuracy", resamples=10)[0]
    only = [int(((truth == x) & (truth != y)).sum()) for x, y in ((first, second), (second, first))]
    expected = stats.binomtest(only[0], sum(only)).pvalue if sum(only) else 1
    assert (row["test"], row["p_value"]) == ("mcnemar", pytest.approx(expected, abs=1e-9))


@pytest.mark.parametrize("seed", CASES)
def test_corrected_t(seed):
    rng = np.random.RandomState(seed)
    differences = rng.normal(0.01, 0.02, rng.randint(2, 60))
    n, ratio = len(differences), rng.choice([0, 1 / 9, 1 / 4, 1])
    error = differences.std(ddof=1) * np.sqrt(1 / n + ratio)
    found = _core.corrected_t_test(list(differences), ratio)
    expected = 2 * stats.t.sf(abs(differences.mean() / error), n - 1)
    assert found["p_value"] == pytest.approx(expected, rel=1e-9)
    interval = _core.corrected_t_interval(list(differences), ratio, 0.95)
    assert (interval["low"], interval["high"]) == pytest.approx(
        stats.t.interval(0.95, n - 1, differences.mean(), error), abs=1e-9)
    if ratio == 0:
        assert found["p_value"] == pytest.approx(stats.ttest_1samp(differences, 0).pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", CASES)
def test_wilcoxon(seed):
    rng = np.random.RandomState(seed)
    exact = rng.normal(0.3, 1, rng.randint(1, 50))
    found = _core.wilcoxon(list(exact))
    expected = stats.wilcoxon(exact, method="exact")
    assert (found["statistic"], found["p_value"]) == pytest.approx(tuple(expected), abs=1e-9)
    many = rng.randint(-5, 8, 300).astype(float)  # ties and zeros
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.wilcoxon(many, method="approx", zero_method="wilcox")
    assert _core.wilcoxon(list(many))["p_value"] == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", CASES)
def test_permutation(seed):
    names, truth, first, _, _ = random_classes(seed, examples=8, classes=2)
    second = np.random.RandomState(seed).choice(names, 8)
    found = espalier.compare({"a": first, "b": second}, truth, metric="macro_f1")[0]

    def difference(a, b):
        label = np.array(names)
        return macro_f1(truth, label[b.astype(int)]) - macro_f1(truth, label[a.astype(int)])

    numbers = [np.searchsorted(names, labels) for labels in (first, second)]
    expected = stats.permutation_test(numbers, difference, permutation_type="samples",
                                      vectorized=False, n_resamples=np.inf)
    assert found["test"] == "permutation"
    assert found["difference"] == pytest.approx(expected.statistic, abs=1e-9)
    assert found["p_value"] == pytest.approx(expected.pvalue, abs=1e-9)


def test_holm():
    assert _core.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_models_are_compared_on_a_data_set():
    train, test = (espalier.read(f"examples/questions/{part}.tsv") for part in ("train", "test"))
    models = {name: espalier.train(kernel, train) for name, kernel in (("sst", "norm(sst())"), ("st", "norm(st())"))}
    rows = espalier.compare(models, test, metric=["accuracy", "roc_auc"], resamples=100)
    assert [(row["system"], row["metric"]) for row in rows] == [("st", "accuracy"), ("st", "roc_auc")]
    accuracies = [models[name].evaluate(test)["classification"]["accuracy"] for name in ("st", "sst")]
    assert [rows[0]["a"], rows[0]["b"]] == pytest.approx(accuracies)
    scores = models["st"].scores(test)
    one_hot = np.array([np.array(test.labels) == name for name in models["st"].classes]).T
    assert rows[1]["a"] == pytest.approx(sk.roc_auc_score(one_hot, scores, average="macro"), abs=1e-9)
    pandas = pytest.importorskip("pandas")
    assert list(pandas.DataFrame(rows)["p_value"]) == [row["p_value"] for row in rows]


def test_several_systems_are_adjusted():
    truth = list("ab" * 20)
    systems = {"right": truth, "wrong": list("ba" * 20), "half": list("aa" * 20)}
    rows = espalier.compare(systems, truth, metric="accuracy")
    assert [row["adjusted_p_value"] for row in rows] == pytest.approx(
        _core.holm([row["p_value"] for row in rows]))
    assert rows[0]["p_value"] == pytest.approx(2 * 0.5**40)


def test_what_does_not_fit_is_refused():
    with pytest.raises(espalier.Error, match="there is no metric 'acuracy': did you mean accuracy"):
        espalier.estimate(["a"], ["a"], metric="acuracy")
    with pytest.raises(ValueError, match="1 predictions for 2 examples"):
        espalier.estimate(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="at least two systems"):
        espalier.compare({"a": ["a"]}, ["a"])
    with pytest.raises(espalier.Error, match="not defined"):
        espalier.compare({"a": ["a", "a"], "b": ["a", "a"]}, ["a", "a"], metric="roc_auc")
    with pytest.raises(espalier.Error, match="resamples"):
        espalier.estimate(["a"], ["a"], resamples=-1)
