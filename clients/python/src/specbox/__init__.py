"""specbox: search and read 3GPP specifications, meeting documents and decisions on a specbox server."""

from ._operations import INTERFACE_VERSION
from ._transport import Allowance
from .citations import cite
from .client import AsyncSpecbox, Specbox
from .errors import SpecboxError

__all__ = ["INTERFACE_VERSION", "Allowance", "AsyncSpecbox", "Specbox", "SpecboxError", "cite"]
