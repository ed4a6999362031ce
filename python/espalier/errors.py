"""What this package raises on purpose."""

from __future__ import annotations


class Error(ValueError):
    """Base of all errors of this package. Its text is one line that says what is wrong."""


class InputError(Error):
    """Something in an input file is wrong.

    Attributes
    ----------
    file : str
        The path as it was given.
    line, column : int
        Where, counted from 1; columns count bytes.
    """

    def __init__(self, message: str, file: str, line: int, column: int) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple:
        # Or it could not be sent from one process to another.
        return type(self), (str(self), self.file, self.line, self.column)


class ElementError(Error):
    """One of the trees that were given is wrong.

    Attributes
    ----------
    index : int
        Which one, counted from 0.
    """

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.index)
