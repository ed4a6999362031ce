"""Inputs that hold one construct n times, for all that may occur many times in an input.

The complexity tests double n; the fuzzer starts from large ones.
"""

WORD = "{}\tw{}\tl\tN\t_\t_\t{}\tdep\t_\t_\n"

# name of the file, options, what it holds n times
CASES = {
    "tsv columns": ("x.tsv", "", lambda n: "A" + "\tx" * n + "\t(a)\n"),
    "tsv lines": ("x.tsv", "", lambda n: "".join(f"c{i}\t(a (b{i} c))\n" for i in range(n))),
    "tsv blank lines": ("x.tsv", "", lambda n: "\n" * n + "A\t(a)\n"),
    "tsv label": ("x.tsv", "", lambda n: "A\t(" + "x" * 10 * n + ")\n"),
    "penn children": ("x.penn", "", lambda n: "(a" + " b" * n + ")\n"),
    "penn depth": ("x.penn", "", lambda n: "(a" * n + ")" * n + "\n"),
    "penn lines": ("x.penn", "", lambda n: "(a" + "\n(b c)" * n + ")\n"),
    "penn backslashes": ("x.penn", "", lambda n: "(a" + "\\" * 10 * n + ")\n"),
    "penn escapes": ("x.penn", "", lambda n: "(" + "\\ " * n + ")\n"),
    "klp labels": ("x.klp", "", lambda n: " ".join(f"c{i}" for i in range(n)) + " |BT| (a) |ET|\n"),
    "klp trees": ("x.klp", "", lambda n: "".join(f"|BT:t{i}| (a) |ET|" for i in range(n)) + "\n"),
    "klp vectors": ("x.klp", "", lambda n: "".join(f"|BV:v{i}| a:1 |EV|" for i in range(n)) + "\n"),
    "klp dense": ("x.klp", "", lambda n: "".join(f"|BDV:v{i}| 1 |EDV|" for i in range(n)) + "\n"),
    "klp texts": ("x.klp", "", lambda n: "".join(f"|BS:s{i}| a |ES|" for i in range(n)) + "\n"),
    "klp features": ("x.klp", "", lambda n: "|BV:v|" + "".join(f" f{i}:1" for i in range(n)) + " |EV|\n"),
    "klp values": ("x.klp", "", lambda n: "|BDV:v|" + " 1.5" * n + " |EDV|\n"),
    "klp bars in a text": ("x.klp", "", lambda n: "|BS:s| " + "| " * n + " |ES|\n"),
    "klp pairs": ("x.klp", "", lambda n: "|<| |BT:t| (a) |ET| |,| |BT:t| (b) |ET| |>|\n" * n),
    "svmlight-tk trees": ("x.svm", "", lambda n: "1" + " |BT| (a)" * n + " |ET|\n"),
    "svmlight-tk vectors": ("x.svm", "", lambda n: "1" + " |BV| 1:1" * n + " |EV|\n"),
    "svmlight-tk features": ("x.svm", "", lambda n: "1 " + " ".join(f"{i}:1" for i in range(n)) + "\n"),
    "svmlight-tk comments": ("x.svm", "", lambda n: "# c\n" * n + "1 1:1\n"),
    "conllu words": ("x.conllu", "", lambda n: "".join(WORD.format(i + 1, i, i) for i in range(n))),
    "conllu sentences": ("x.conllu", "", lambda n: (WORD.format(1, 1, 0) + "\n") * n),
    "conllu comments": ("x.conllu", "", lambda n: "# newdoc id = d\n" + "".join(
        f"# k{i} = v\n" for i in range(n)) + WORD.format(1, 1, 0)),
    "conllu columns": ("x.conllu", "", lambda n: WORD.format(1, 1, 0)[:-1] + "\t_" * n + "\n"),
    "csv columns": ("x.csv", "--columns tree=1", lambda n: "(a)" + ",x" * n + "\n"),
    "csv rows": ("x.csv", "--columns tree=1", lambda n: "(a),x\n" * n),
    "csv quoted lines": ("x.csv", "--columns tree=1", lambda n: '(a),"' + "x\n" * n + '"\n'),
    "csv doubled quotes": ("x.csv", "--columns tree=1", lambda n: '(a),"' + '""' * n + '"\n'),
    "csv quoted fields": ("x.csv", "--columns tree=1", lambda n: "(a)" + ',"x"' * n + "\n"),
    "newick children": ("x.nwk", "", lambda n: "(a" + ",b" * n + ");\n"),
    "newick depth": ("x.nwk", "", lambda n: "(" * n + "a" + ")" * n + ";\n"),
    "newick trees": ("x.nwk", "", lambda n: "(a,b);" * n),
    "newick comments": ("x.nwk", "", lambda n: "(a,b" + "[c]" * n + ");\n"),
    "newick quotes": ("x.nwk", "", lambda n: "('" + "''" * n + "',b);\n"),
    "nexus translations": ("x.nex", "", lambda n: "#NEXUS\nbegin trees; translate " + ",".join(
        f"{i} t{i}" for i in range(n)) + "; tree a=(1,2); end;"),
    "nexus trees": ("x.nex", "", lambda n: "#NEXUS\nbegin trees;" + "tree a=(1,2);" * n + "end;"),
    "nexus blocks": ("x.nex", "", lambda n: "#NEXUS\n" + "begin x; y z; end;" * n
                     + "begin trees; tree a=(1,2); end;"),
    "json elements": ("x.json", "", lambda n: "[1" + ",1" * n + "]"),
    "json keys": ("x.json", "", lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n)) + "}"),
    "json depth": ("x.json", "", lambda n: "[" * n + "]" * n),
    "json values": ("x.json", "", lambda n: "[1]\n" * n),
    "json escapes": ("x.json", "--text keep", lambda n: '["' + "\\u00e9" * n + '"]'),
    "xml children": ("x.xml", "", lambda n: "<a>" + "<b/>" * n + "</a>"),
    "xml depth": ("x.xml", "", lambda n: "<a>" * n + "</a>" * n),
    "xml attributes": ("x.xml", "--attributes keep", lambda n: "<a " + " ".join(
        f'k{i}="v"' for i in range(n)) + "/>"),
    "xml text": ("x.xml", "--text keep", lambda n: "<a>" + "x &amp; " * n + "</a>"),
    "xml comments": ("x.xml", "--text keep", lambda n: "<a>" + "x<!-- c -->" * n + "</a>"),
    # Not the depth and the attributes of HTML: gumbo's time is quadratic in both, up to the limits.
    "html children": ("x.html", "", lambda n: "<p>" + "<b>x</b>" * n),
    "html text": ("x.html", "--text keep", lambda n: "<p>" + "x &amp; " * n),
    "dot-bracket bases": ("x.dbn", "", lambda n: "." * n + "\n"),
    "dot-bracket pairs": ("x.dbn", "", lambda n: "(" * n + "." + ")" * n + "\n"),
    "dot-bracket crossing": ("x.dbn", "", lambda n: "([" * n + "." + ")" * n + "]" * n + "\n"),
    "dot-bracket sequence": ("x.dbn", "", lambda n: "ACGU\n" * n + "." * 4 * n + "\n"),
    "dot-bracket records": ("x.dbn", "", lambda n: ">x\n((..))\n" * n),
    "glycan chain": ("x.glycan", "", lambda n: "Man(a1-3)" * n + "Glc\n"),
    "glycan branches": ("x.glycan", "", lambda n: "[Man(a1-3)]" * n + "Glc\n"),
    "glycan nested": ("x.glycan", "", lambda n: "[" * n + "Man(a1-3)" + "]Glc(a1-3)" * n + "Glc\n"),
    "terms children": ("x.terms", "", lambda n: "a(" + "b " * n + ")\n"),
    "terms depth": ("x.terms", "", lambda n: "a(" * n + "b" + ")" * n + "\n"),
    "tree-sitter children": ("x.tree-sitter", "", lambda n: "(a" + "\n  f: (b [0, 0] - [0, 1])" * n + ")"),
    "tree-sitter depth": ("x.tree-sitter", "", lambda n: "(a" + "\n (b" * n + ")" * n + ")"),
    "tree-sitter files": ("x.tree-sitter", "", lambda n: "(a (b))\nfile\n" * n),
}
