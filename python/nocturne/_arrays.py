"""NumPy, asked for when the first array is: all else works without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def numpy() -> Any:
    """The module. ImportError, with what to install, without it."""
    try:
        import numpy as module
    except ImportError:
        raise ImportError("arrays need NumPy, which is not installed: apt install python3-numpy, "
                          "or pip install numpy") from None
    return module


def of_bytes(content: bytearray, dtype: Any) -> "NDArray[Any]":
    """The array in these bytes. `dtype`: a number's, or the fields of a structure as C++ lays it out."""
    np = numpy()
    return np.frombuffer(content, np.dtype(dtype, align=True))  # type: ignore[no-any-return]
