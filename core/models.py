"""Models of the transformers library, opened from this machine: nothing is fetched, no code of a model is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import ModelError

Task = Literal["question answering", "text generation", "text classification"]

REMEDY = "give the folder that holds it, or fetch it once with `hf download NAME`: nothing is fetched here"


@dataclass(frozen=True)
class OpenedModel:
    """A model ready to run, with its tokenizer.

    Parameters
    ----------
    model, tokenizer : Any
        Of transformers and torch; the model is in evaluation mode, in float32, on `device`.
    limit : int
        Most tokens of one input.
    """

    source: str
    model: Any
    tokenizer: Any
    device: str
    limit: int


def open_model(source: str, task: Task) -> OpenedModel:
    """Open a model by folder, or by the name of its repository in the local cache.

    Raises
    ------
    ModelError
        Not on this machine, damaged, not stored as safetensors, or made for something else: a model whose answering
        layer is not stored would answer at random.
    """
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        config = transformers.AutoConfig.from_pretrained(source, **local)
        kind = {
            "question answering": transformers.AutoModelForQuestionAnswering,
            "text classification": transformers.AutoModelForSequenceClassification,
            "text generation": transformers.AutoModelForSeq2SeqLM
            if config.is_encoder_decoder
            else transformers.AutoModelForCausalLM,
        }[task]
        model, report = kind.from_pretrained(
            source, config=config, use_safetensors=True, dtype=torch.float32, output_loading_info=True, **local
        )
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **local)
    except Exception as error:  # damaged files make four libraries raise whatever they like
        if "Unrecognized configuration class" in str(error):
            raise _wrong_kind(source, task, "a model that has no such form") from error
        raise ModelError(
            expected=f"a transformers model on this machine, stored as safetensors, called {source[:120]}",
            got=_what(source, error),
            remedy=REMEDY,
        ) from error
    # Without this check a layer that the file does not hold would be drawn at random, and answer all the same.
    made = config.architectures or [type(model).__name__]
    if report["missing_keys"] or report["mismatched_keys"] or type(model).__name__ not in made:
        raise _wrong_kind(source, task, f"a {', '.join(made)}")
    if not tokenizer.is_fast:
        raise ModelError(
            expected="a tokenizer that knows the place of each token", got=type(tokenizer).__name__, remedy=REMEDY
        )
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return OpenedModel(source, model.eval().to(device), tokenizer, device, _limit(config, tokenizer))


_FROM_PADDING = (
    "roberta",
    "xlm-roberta",
    "xlm-roberta-xl",
    "camembert",
    "longformer",
    "mpnet",
    "xmod",
    "data2vec-text",
)
"""Model types that count positions from the one after padding: two of their positions hold no token."""

_UNBOUNDED = 1_000_000
"""Tokenizers without a limit state an absurd one."""


def _limit(config: Any, tokenizer: Any) -> int:
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or _UNBOUNDED
    if config.model_type in _FROM_PADDING:
        positions -= 2
    return int(min(positions, tokenizer.model_max_length or _UNBOUNDED, _UNBOUNDED))


def _what(source: str, error: Exception) -> str:
    if isinstance(error, OSError) and not Path(source).exists():
        return "no such folder, and no such model in the local cache"
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__


def too_long(tokens: int, limit: int) -> ModelError:
    """The error for an input that a model cannot read as a whole."""
    return ModelError(
        expected=f"a context and question of at most {limit:,} tokens for this model",
        got=f"{tokens:,}",
        remedy="shorten the context or the intervention",
    )


def _wrong_kind(source: str, task: Task, got: str) -> ModelError:
    return ModelError(
        expected=f"a {task} model", got=f"{source[:120]}, {got}", remedy=f"choose one that was trained for {task}"
    )
