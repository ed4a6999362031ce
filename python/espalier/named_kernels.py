"""The kernels of trees, one class for each. docs/kernels.md has their formulas."""

from __future__ import annotations

from .kernels import _MEMORY
from .tree_kernels import NamedKernel


class SubsetTreeKernel(NamedKernel):
    """Fragments in which every node keeps all of its children or none (SST).

    Parameters
    ----------
    decay : float
        Called lambda: a fragment weighs decay to the number of its expanded nodes.
    leaves : bool
        Whether pairs of equal leaves count too.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

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
    _names = {"decay": "lambda"}

    def __init__(self, *, decay: float = 0.4, leaves: bool = False, normalize: bool = True,
                 tree: str = "", n_jobs: int | None = None, memory: int = _MEMORY) -> None:
        self.decay = decay
        self.leaves = leaves
        self.normalize = normalize
        self.tree = tree
        self.n_jobs = n_jobs
        self.memory = memory


class PartialTreeKernel(NamedKernel):
    """Fragments in which a node keeps any subsequence of its children (PT).

    Parameters
    ----------
    decay : float
        Called lambda: for each child skipped inside a subsequence.
    depth_decay : float
        Called mu: for each level.
    terminal : float
        A factor for pairs in which one is a leaf.
    gap : {"skips", "span"}
        Whether to decay by the children skipped or by the span of a subsequence.
    max_length : int
        The longest subsequence; 0 for no limit.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

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
    _names = {"decay": "lambda", "depth_decay": "mu"}

    def __init__(self, *, decay: float = 0.4, depth_decay: float = 0.4, terminal: float = 1.0,
                 gap: str = "skips", max_length: int = 0, normalize: bool = True, tree: str = "",
                 n_jobs: int | None = None, memory: int = _MEMORY) -> None:
        self.decay = decay
        self.depth_decay = depth_decay
        self.terminal = terminal
        self.gap = gap
        self.max_length = max_length
        self.normalize = normalize
        self.tree = tree
        self.n_jobs = n_jobs
        self.memory = memory


class SmoothedPartialTreeKernel(NamedKernel):
    """The partial tree kernel with words that match as far as they are similar (SPT).

    Parameters
    ----------
    vectors : str
        The file of word vectors. Words are labels such as ``LEX##city::n``.
    threshold : float
        Similarities below count as 0.
    power : float
        Exponent of the cosine of two vectors.
    center : bool
        Whether the mean of the file is taken off all vectors.
    decay, depth_decay, terminal, gap, max_length
        As in `PartialTreeKernel`.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

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
    _names = {"decay": "lambda", "depth_decay": "mu"}

    def __init__(self, vectors: str = "", *, threshold: float = 0.01, power: float = 1.0,
                 center: bool = False, decay: float = 0.4, depth_decay: float = 0.4,
                 terminal: float = 1.0, gap: str = "skips", max_length: int = 0,
                 normalize: bool = True, tree: str = "", n_jobs: int | None = None,
                 memory: int = _MEMORY) -> None:
        self.vectors = vectors
        self.threshold = threshold
        self.power = power
        self.center = center
        self.decay = decay
        self.depth_decay = depth_decay
        self.terminal = terminal
        self.gap = gap
        self.max_length = max_length
        self.normalize = normalize
        self.tree = tree
        self.n_jobs = n_jobs
        self.memory = memory


class CompositionalTreeKernel(NamedKernel):
    """The smoothed kernel with vectors composed of a head and its modifier (CSPT).

    Parameters
    ----------
    vectors : str
        The file of word vectors.
    compose : {"sum", "product", "dilation"}
        How head and modifier become one vector.
    alpha, beta : float
        The weights of head and modifier in a sum.
    lexical : bool
        Whether words match by similarity, or only if equal.
    same_relation : bool
        Whether relations must be equal to match.
    threshold, power, center
        As in `SmoothedPartialTreeKernel`.
    decay, depth_decay, terminal, gap, max_length
        As in `PartialTreeKernel`.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

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
    _names = {"decay": "lambda", "depth_decay": "mu"}

    def __init__(self, vectors: str = "", *, compose: str = "sum", alpha: float = 1.0,
                 beta: float = 1.0, lexical: bool = True, same_relation: bool = True,
                 threshold: float = 0.01, power: float = 1.0, center: bool = False,
                 decay: float = 0.4, depth_decay: float = 0.4, terminal: float = 1.0,
                 gap: str = "skips", max_length: int = 0, normalize: bool = True, tree: str = "",
                 n_jobs: int | None = None, memory: int = _MEMORY) -> None:
        self.vectors = vectors
        self.compose = compose
        self.alpha = alpha
        self.beta = beta
        self.lexical = lexical
        self.same_relation = same_relation
        self.threshold = threshold
        self.power = power
        self.center = center
        self.decay = decay
        self.depth_decay = depth_decay
        self.terminal = terminal
        self.gap = gap
        self.max_length = max_length
        self.normalize = normalize
        self.tree = tree
        self.n_jobs = n_jobs
        self.memory = memory


class SubpathKernel(NamedKernel):
    """Paths of labels down the trees; the order of children does not matter.

    Parameters
    ----------
    decay : float
        Called lambda: a path weighs decay to the number of its nodes.
    normalize : bool
        Whether each tree has the kernel 1 with itself.
    tree : str
        The name of the tree; "" for the only one.
    n_jobs : int, optional
        Threads; None or -1 for one per processor.
    memory : int
        Bytes of working space, beside input and result.

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
    _names = {"decay": "lambda"}

    def __init__(self, *, decay: float = 0.4, normalize: bool = True, tree: str = "",
                 n_jobs: int | None = None, memory: int = _MEMORY) -> None:
        self.decay = decay
        self.normalize = normalize
        self.tree = tree
        self.n_jobs = n_jobs
        self.memory = memory
