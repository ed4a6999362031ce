"""One model, whoever trains it: the program, an estimator or `train`."""
import os
import pickle
import subprocess
import warnings
from pathlib import Path

import espalier
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ESPALIER_PROGRAM", str(ROOT / "build/release/espalier"))
TRAIN = str(ROOT / "examples/questions/train.tsv")
TEST = str(ROOT / "examples/questions/test.tsv")
KERNEL = "norm(sst())"


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True).stdout


def by_program(path):
    run("train", "--quiet", "-k", KERNEL, "-C", "3", TRAIN, "-o", path)
    return espalier.Model.load(path)


def by_train(path):
    model = espalier.train(KERNEL, espalier.read(TRAIN), C=3)
    model.save(path)
    return model


def by_estimator(path):
    data = espalier.read(TRAIN)
    model = espalier.TreeSVC(KERNEL, C=3).fit(data, data.labels).model_
    model.save(path)
    return model


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("expected") / "m.model")
    by_program(path)
    return {command: run(command, path, TEST) for command in ("predict", "evaluate")}


@pytest.mark.parametrize("trained", [by_program, by_train, by_estimator])
def test_is_the_same_for_all(trained, expected, tmp_path):
    path = str(tmp_path / "m.model")
    model = trained(path)
    assert model.classes == ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"]
    for command, text in expected.items():
        assert run(command, path, TEST) == text
    labels = [line.split("\t")[1] for line in expected["predict"].splitlines()[1:]]
    test = espalier.read(TEST)
    for same in (model, espalier.Model.load(path), pickle.loads(pickle.dumps(model))):
        assert same.predict(test) == labels
        assert same.explain(test, 0)["decision"]["class"] == labels[0]
        accuracy = same.evaluate(test)["classification"]["accuracy"]
        assert f"accuracy {100 * accuracy:.1f} %" in expected["evaluate"]
        assert same.provenance["parameters"]["C"] == "3"
    assert labels[0] in run("explain", path, TEST, "--only", "1")


def test_classes_of_estimators_are_their_names():
    trees = ["(a b)", "(a c)"] * 5
    for classes in ([1, 2], ["x", "y"], [True, False], ["1.5", "2.5"]):
        fitted = espalier.TreeSVC("st()").fit(trees, classes * 5)
        assert fitted.model_.classes == sorted(str(label) for label in classes)
        assert fitted.predict(trees[:2]).tolist() == classes


RNA = "family,structure,sequence\n" + "tRNA,((.)),GCAGC\nrRNA,((.)),AUCAU\n" * 10
COLUMNS = "class=family,dot-bracket=structure"


def test_a_model_knows_how_its_data_was_read(tmp_path):
    data, path = tmp_path / "rna.csv", str(tmp_path / "m.model")
    data.write_text(RNA)
    run("train", "--quiet", "-k", "st()", "--columns", f"{COLUMNS},sequence=sequence", str(data),
        "-o", path)
    assert "accuracy 100.0 %" in run("evaluate", path, str(data))
    assert f"data read with columns={COLUMNS},sequence=sequence" in run("info", path)
    failed = subprocess.run([PROGRAM, "evaluate", "--strict", path, str(data), "--columns", COLUMNS],
                            capture_output=True, text=True)
    assert failed.returncode == 1 and "was trained on data read with" in failed.stderr
    model = espalier.Model.load(path)
    assert model.provenance["reading"] == {"columns": f"{COLUMNS},sequence=sequence"}
    with pytest.warns(UserWarning, match="was trained on data read with"):
        model.predict(espalier.read(data, columns=COLUMNS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(espalier.read(data, columns=f"{COLUMNS},sequence=sequence"))
