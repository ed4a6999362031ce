"""The files of this project, for the checks beside this file."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = {".cpp", ".hpp", ".py", ".cmake", ".sh"}
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
        is_script = not path.suffix and path.open("rb").read(2) == b"#!"
        if is_script or path.suffix in CODE or path.name == "CMakeLists.txt":
            yield path
