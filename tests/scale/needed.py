"""Imported first by each file here: skips the file unless the suite was asked for."""
import os

import pytest

if not os.environ.get("ESPALIER_SCALE"):
    pytest.skip("make test-scale runs it: needs pyarrow", allow_module_level=True)
