"""The kernels of trees, one class for each. docs/kernels.md has their formulas."""

from __future__ import annotations

from typing import Literal

from .tree_kernels import NamedKernel


class SubsetTreeKernel(NamedKernel):
    """Fragments in which every node keeps all of its children or none (SST).

    Parameters
    ----------
    decay : float in [0, 1], default: 0.4
        A fragment weighs lambda^(expanded nodes). Called lambda in kernel expressions.
    leaves : bool, default: False
        Whether pairs of equal leaves count lambda each.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.

    References
    ----------
    Collins and Duffy, Convolution kernels for natural language, 2001.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> data = espalier.read("examples/questions/train.tsv")
    >>> clf = make_pipeline(espalier.SubsetTreeKernel(), SVC(kernel="precomputed", C=3))
    >>> clf = clf.fit(data, data.labels)
    >>> clf.predict(["(SBARQ (WHNP (WP Who)) (SQ (VP (VBD wrote) (NP (NNP Emma)))) (. ?))"])
    array(['HUM'], dtype='<U4')
    """

    _function = "sst"

    def __init__(
        self, *, decay: float = 0.4, leaves: bool = False, normalize: bool = True, tree: str = "",
        n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())


class PartialTreeKernel(NamedKernel):
    """Fragments in which a node keeps any subsequence of its children (PT).

    Parameters
    ----------
    decay : float in [0, 1], default: 0.4
        Decay per child skipped inside a subsequence. Called lambda in kernel expressions.
    depth_decay : float in [0, 1], default: 0.4
        Decay per level. Called mu in kernel expressions.
    terminal : float in [0, 1000000], default: 1.0
        Factor for pairs in which one node is a leaf.
    gap : {"skips", "span"}, default: "skips"
        Decay by skipped children, or by the span of the subsequence.
    max_length : int in [0, 1000000], default: 0
        Longest subsequence; 0: no limit.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.

    References
    ----------
    Moschitti, Efficient convolution kernels for dependency and constituent syntactic trees, 2006.

    Examples
    --------
    >>> espalier.PartialTreeKernel(decay=0.5).fit(["(a b c)", "(a c)"]).kernel_
    'norm(pt(lambda=0.5))'
    """

    _function = "pt"

    def __init__(
        self, *, decay: float = 0.4, depth_decay: float = 0.4, terminal: float = 1.0,
        gap: Literal["skips", "span"] = "skips", max_length: int = 0, normalize: bool = True,
        tree: str = "", n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())


class SmoothedPartialTreeKernel(NamedKernel):
    """The partial tree kernel with words that match as far as they are similar (SPT).

    Parameters
    ----------
    vectors : str, optional
        File with word vectors.
    decay : float in [0, 1], default: 0.4
        Decay per child skipped inside a subsequence. Called lambda in kernel expressions.
    depth_decay : float in [0, 1], default: 0.4
        Decay per level. Called mu in kernel expressions.
    terminal : float in [0, 1000000], default: 1.0
        Factor for pairs in which one node is a leaf.
    gap : {"skips", "span"}, default: "skips"
        Decay by skipped children, or by the span of the subsequence.
    max_length : int in [0, 1000000], default: 0
        Longest subsequence; 0: no limit.
    threshold : float in [0, 1], default: 0.01
        Smaller similarities count as 0.
    power : float in [0.01, 100], default: 1.0
        Exponent of the cosine.
    center : bool, default: False
        Whether to subtract the mean of the file from all vectors.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.

    References
    ----------
    Croce, Moschitti and Basili, Structured lexical similarity via convolution kernels on dependency
    trees, 2011.

    Examples
    --------
    >>> import tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     vectors = os.path.join(folder, "words.txt")
    ...     with open(vectors, "w") as out:
    ...         _ = out.write("city::n 1 0\\ntown::n 1 0.1\\n")
    ...     kernel = espalier.SmoothedPartialTreeKernel(vectors)
    ...     G = kernel.fit_transform(["(nsubj LEX##city::n)", "(nsubj LEX##town::n)"])
    >>> bool(G[0, 1] > 0.99)
    True
    """

    _function = "spt"

    def __init__(
        self, vectors: str | None = None, *, decay: float = 0.4, depth_decay: float = 0.4,
        terminal: float = 1.0, gap: Literal["skips", "span"] = "skips", max_length: int = 0,
        threshold: float = 0.01, power: float = 1.0, center: bool = False, normalize: bool = True,
        tree: str = "", n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())


class CompositionalTreeKernel(NamedKernel):
    """The smoothed kernel with vectors composed of a head and its modifier (CSPT).

    Parameters
    ----------
    vectors : str, optional
        File with word vectors.
    decay : float in [0, 1], default: 0.4
        Decay per child skipped inside a subsequence. Called lambda in kernel expressions.
    depth_decay : float in [0, 1], default: 0.4
        Decay per level. Called mu in kernel expressions.
    terminal : float in [0, 1000000], default: 1.0
        Factor for pairs in which one node is a leaf.
    gap : {"skips", "span"}, default: "skips"
        Decay by skipped children, or by the span of the subsequence.
    max_length : int in [0, 1000000], default: 0
        Longest subsequence; 0: no limit.
    threshold : float in [0, 1], default: 0.01
        Smaller similarities count as 0.
    power : float in [0.01, 100], default: 1.0
        Exponent of the cosine.
    center : bool, default: False
        Whether to subtract the mean of the file from all vectors.
    compose : {"sum", "product", "dilation"}, default: "sum"
        How the vectors of head and modifier are composed.
    alpha : float in [0, 1000000], default: 1.0
        Weight of the head in compose=sum.
    beta : float in [0, 1000000], default: 1.0
        Weight of the modifier in compose=sum.
    lexical : bool, default: True
        Whether words match by similarity, or only if equal.
    same_relation : bool, default: True
        Whether relations must be equal to match.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.

    References
    ----------
    Annesi, Croce and Basili, Semantic compositionality in tree kernels, 2014.

    Examples
    --------
    >>> kernel = espalier.CompositionalTreeKernel("words.txt", compose="product")
    >>> "compose=product" in kernel.expression
    True
    """

    _function = "cspt"

    def __init__(
        self, vectors: str | None = None, *, decay: float = 0.4, depth_decay: float = 0.4,
        terminal: float = 1.0, gap: Literal["skips", "span"] = "skips", max_length: int = 0,
        threshold: float = 0.01, power: float = 1.0, center: bool = False,
        compose: Literal["sum", "product", "dilation"] = "sum", alpha: float = 1.0,
        beta: float = 1.0, lexical: bool = True, same_relation: bool = True, normalize: bool = True,
        tree: str = "", n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())


class SubpathKernel(NamedKernel):
    """Paths of labels down the trees; the order of children does not matter.

    Parameters
    ----------
    decay : float in [0, 1], default: 0.4
        A path weighs lambda^(its nodes). Called lambda in kernel expressions.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int or None, default: None
        Number of threads; None or -1: one per processor.
    memory : int >= 1, default: 2**30
        Bytes of working memory, in addition to input and output.

    Attributes
    ----------
    X_fit_ : Dataset
        The trees of the columns.
    kernel_ : str
        The kernel as an expression, without parameters at their defaults.

    References
    ----------
    Kimura, Kuboyama, Shibuya and Kashima, A subpath kernel for rooted unordered trees, 2011.

    Examples
    --------
    >>> espalier.SubpathKernel().fit_transform(["(a b c)", "(a c b)"]).round(3).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """

    _function = "subpath"

    def __init__(
        self, *, decay: float = 0.4, normalize: bool = True, tree: str = "",
        n_jobs: int | None = None, memory: int = 2**30,
    ) -> None:
        self._keep(locals())
