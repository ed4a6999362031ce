"""What kind of page is this? HTML as trees of tags, and the subtrees that distinguish them.

    python examples/python/web_pages.py
"""
import random

import espalier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC


def page(kind, chance):
    """A page with the furniture that all have, and what makes its kind."""
    parts = ["<nav><ul>" + "<li><a href='#'>x</a>" * chance.randint(2, 6) + "</ul></nav>"]
    for _ in range(chance.randint(2, 5)):
        if kind == "article":
            parts.append("<section><h2>x</h2>" + "<p>x <em>y</em> x</p>" * chance.randint(1, 4) + "</section>")
        elif kind == "shop":
            parts.append("<section><div><img src='x'><h2>x</h2><p>x</p><button>buy</button></div></section>")
        else:
            parts.append(
                "<section><p>x</p>" + "<div><label>x<input></label></div>" * chance.randint(1, 4) + "</section>"
            )
    if chance.random() < 0.3:
        parts.append("<aside><img src='x'><p>x</p></aside>")
    return "<!DOCTYPE html><title>x</title><body>" + "".join(parts)


def main():
    chance = random.Random(1)
    labels = [chance.choice(["article", "shop", "form"]) for _ in range(90)]
    pages = espalier.Dataset([page(kind, chance) for kind in labels], labels, format="html")
    model = make_pipeline(espalier.SubtreeFeatures(decay=1.0), LinearSVC())
    print(f"accuracy {100 * cross_val_score(model, pages, labels, cv=5).mean():.1f} %")

    kernel = espalier.SubtreeKernel(weight="discriminance").fit(pages)
    for kind in kernel.classes_:
        best = kernel.top_subtrees(kind, 1)[0]
        print(f"{kind}: {best.subtree} in {best.trees[kind]} of {labels.count(kind)} pages")


if __name__ == "__main__":
    main()
