"""Tiny models that tests make themselves: random weights, real file formats."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = (
    *SPECIAL,
    "should",
    "i",
    "yes",
    "no",
    "not",
    ",",
    ".",
    "?",
    "the",
    "kill",
    "help",
    "my",
    "friend",
    "time",
    "smile",
)


def sentence_transformer(folder: Path, *, pooling: str = "mean", unit: bool = False, family: str = "bert") -> Path:
    """Save a sentence-transformers model with one layer; `family` is bert or gpt2."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.base.modules import Normalize, Transformer
        from sentence_transformers.sentence_transformer.modules import Pooling
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
        from transformers import BertConfig, BertModel, GPT2Config, GPT2Model, PreTrainedTokenizerFast

        torch.manual_seed(1)
        base = folder.with_name(f"{folder.name}-base")
        model: Any
        if family == "bert":
            sizes = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8, "hidden_size": 8}
            model = BertModel(BertConfig(vocab_size=len(WORDS), max_position_embeddings=40, **sizes))
        else:
            model = GPT2Model(GPT2Config(vocab_size=len(WORDS), n_positions=40, n_embd=8, n_layer=1, n_head=2))
        model.save_pretrained(base)
        tokenizer = Tokenizer(models.WordPiece({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
        special = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
        PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=40, **special).save_pretrained(base)
        modules = [Transformer(str(base)), Pooling(8, pooling_mode=pooling), *([Normalize()] if unit else [])]
        SentenceTransformer(modules=modules, device="cpu").save(str(folder))
    return folder


def saved_model(folder: Path, *, callable_itself: bool = True, texts: bool = True) -> Path:
    """Save a TensorFlow model that counts letters, as one that is called or one with a signature only."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import tensorflow as tf

        class Letters(tf.Module):
            def __init__(self) -> None:
                super().__init__()
                self.letters = tf.Variable(list("abcdefgh"), trainable=False)
                self.last = tf.Variable(1.0)

            def count(self, asked: Any) -> Any:
                found = tf.strings.unicode_split(tf.strings.lower(asked), "UTF-8").to_tensor("")
                counts = tf.reduce_sum(tf.cast(found[:, :, None] == self.letters[None, None, :], tf.float32), axis=1)
                return tf.concat([counts, tf.fill([tf.shape(counts)[0], 1], self.last)], axis=1)

        model, kind = Letters(), tf.TensorSpec([None], tf.string if texts else tf.float32)
        function = tf.function(model.count if texts else lambda x: {"out": x[:, None]}, input_signature=[kind])
        if callable_itself:
            model.__call__ = function
        signature = tf.function(
            lambda asked: {"default": function(asked)} if texts else function(asked), input_signature=[kind]
        )
        tf.saved_model.save(model, str(folder), signatures={"serving_default": signature.get_concrete_function()})
    return folder
