"""The files of this project, for the checks beside this file."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", ".cache", ".vscode", "build", "dist", "__pycache__"}


def files(root=ROOT):
    """Every file of the tree except what building and tools leave behind."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - NOT_OURS)
        for name in sorted(names):
            yield Path(folder, name)


def code_files(root=ROOT):
    """Files written as code: by suffix, or scripts that start with #!."""
    for path in files(root):
        if path.suffix in {".cpp", ".hpp", ".py", ".cmake", ".sh"} or path.name == "CMakeLists.txt":
            yield path
        elif not path.suffix and path.open("rb").read(2) == b"#!":
            yield path
