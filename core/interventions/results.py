"""What a teaching run leaves in its folder: results that are whole at any time, and a checkpoint to go on from."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from core.errors import InputError

RESULTS = "results.json"
CHECKPOINT = "checkpoint.pt"


def resume(out: Path, identity: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """The results so far of the same run, or those of a new one, which begin with what is said of it.

    Parameters
    ----------
    out : Path
        Its folder.
    identity : dict
        What makes it this run.
    said : dict
        What else a new one begins with.

    Raises
    ------
    InputError
        The folder holds another run, or nothing can be written there.
    """
    path = out / RESULTS
    try:
        out.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            write(path, json.dumps({**identity, **said, "runs": []}, ensure_ascii=False).encode())
        found: dict[str, Any] = json.loads(path.read_bytes())
        held = {name: found[name] for name in identity}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            expected=f"a folder that can be written to, with {RESULTS} of this command or without",
            got=f"{type(error).__name__}: {out}",
            remedy="name another folder",
        ) from error
    if held != identity:
        different = [name for name in identity if held[name] != identity[name]]
        raise InputError(
            expected="a folder of the same run, or an empty one",
            got=f"one with another {', '.join(different)}",
            remedy="name another folder, or delete what is in it",
        )
    return deepcopy(found)


def save(path: Path, state: dict[str, Any]) -> None:
    """Keep what torch needs to go on from here."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def write(path: Path, content: bytes) -> None:
    """A file is either the old one or the new one, whatever happens in between."""
    part = path.with_suffix(".part")
    part.write_bytes(content)
    part.replace(path)
