"""Between Parquet or Arrow files and all other formats: python3 -m espalier IN OUT."""

from __future__ import annotations

import argparse
import sys

import espalier


def main() -> int:
    """Convert a file; errors are one line."""
    parser = argparse.ArgumentParser(
        prog="python3 -m espalier",
        description="Convert between Parquet or Arrow files and the formats of the program.",
        epilog="Example: python3 -m espalier pages.parquet pages.klp.gz --tree dom --label kind")
    parser.add_argument("input", help="file or folder; its suffix tells the format")
    parser.add_argument("output", help="file; its suffix tells the format")
    parser.add_argument("--tree", action="append", help="column of trees; may be repeated")
    parser.add_argument("--label", help="column of labels")
    parser.add_argument("--id", help="column of ids")
    parser.add_argument("--vectors", action="append", help="column of vectors; may be repeated")
    parser.add_argument("--texts", action="append", help="column of texts; may be repeated")
    parser.add_argument("--input-format", help="instead of the suffix")
    parser.add_argument("--output-format", help="instead of the suffix")
    given = parser.parse_args()
    try:
        data = espalier.read(given.input, given.input_format, tree=given.tree, label=given.label,
                             id=given.id, vectors=given.vectors, texts=given.texts)
        espalier.write(data, given.output, given.output_format)
    except (espalier.Error, OSError, TypeError, ImportError) as error:
        print(f"espalier: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
