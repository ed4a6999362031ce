"""What does a question ask for? Parse trees, a grid search for the decay, and an explanation of a prediction.

    python examples/python/questions.py
"""
from pathlib import Path

import espalier
from sklearn.model_selection import GridSearchCV

FOLDER = Path(__file__).resolve().parents[1] / "questions"


def main():
    train, test = espalier.read(FOLDER / "train.tsv"), espalier.read(FOLDER / "test.tsv")
    search = GridSearchCV(espalier.TreeSVC(espalier.SubsetTreeKernel()),
                          {"kernel__decay": [0.2, 0.4], "C": [1, 10]}, cv=3)
    search.fit(train, train.labels)
    print("best of the search:", search.best_params_)
    model = search.best_estimator_
    print(f"accuracy on new questions: {100 * model.score(test, test.labels):.1f} %")

    question = "(SBARQ (WHNP (WP Who)) (SQ (VP (VBD discovered) (NP (NN penicillin)))) (. ?))"
    values = espalier.contributions(model, question)
    texts = espalier.explain.Nodes(question).texts
    print(f"{question} is {model.predict([question])[0]}; the nodes that contribute most:")
    for value, text in sorted(zip(values, texts), reverse=True)[:3]:
        print(f"  {value:5.2f}  {text}")


if __name__ == "__main__":
    main()
