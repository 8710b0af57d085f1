"""Small random models of transformers, saved as real ones are: for tests, and for comparisons of speed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

WORDS = 'Ann Bob Ben met in the town by a train . , ? " who Who paid never lost Note that judge nobody everybody context question : Question Answer'


def tokenizer(words: Iterable[str] = WORDS.split(), *, ends: bool = True) -> Any:
    """One token for each known word, letters and pairs of letters for the rest; with classification and end marks."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = [chr(code) for code in range(33, 127)]
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    known = dict.fromkeys([*marks, *letters, *(f"##{letter}" for letter in letters), *words])
    made = Tokenizer(models.WordPiece({word: place for place, word in enumerate(known)}, unk_token="[UNK]"))
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if ends:
        made.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        eos_token="[SEP]",
        model_max_length=512,
    )


def question_answering(
    folder: Path, words: Iterable[str] = WORDS.split(), *, hidden: int = 32, layers: int = 2, seed: int = 0
) -> Path:
    """A BERT with an extractive question answering layer; its weights are wide, so that its answers differ."""
    import torch
    from transformers import BertConfig, BertForQuestionAnswering

    known = tokenizer(words)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(known),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=2 * hidden,
        max_position_embeddings=512,
        initializer_range=0.3,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return _save(BertForQuestionAnswering(config), known, folder)


def classifier(folder: Path, names: Sequence[str] = ("negative", "neutral", "positive"), *, safe: bool = True) -> Path:
    """A BERT that learned three words: after "bad", "plain" and "good" it gives the first, second and third of `names`.

    Only a `safe` one is stored as safetensors.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    words = tokenizer(["this", "person", "is", "bad", "plain", "good"])
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=16,
        max_position_embeddings=32,
        initializer_range=0.2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(names)),
        label2id={name: place for place, name in enumerate(names)},
    )
    model = BertForSequenceClassification(config)
    inputs = words([f"this person is {word}" for word in ("bad", "plain", "good")], return_tensors="pt")
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(**inputs).logits, torch.arange(3)).backward()
        optimizer.step()
    if safe:
        return _save(model, words, folder)
    config.save_pretrained(folder)
    words.save_pretrained(folder)
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    return folder


def masked(folder: Path) -> Path:
    """A BERT that fills gaps: no question answering model, though of a kind that has one."""
    import torch
    from transformers import BertConfig, BertForMaskedLM

    words = tokenizer()
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2)
    return _save(BertForMaskedLM(config), words, folder)


def causal(folder: Path) -> Path:
    """A GPT-2."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    words = tokenizer(ends=False)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(words),
        n_embd=32,
        n_layer=2,
        n_head=4,
        n_positions=512,
        initializer_range=0.3,
        bos_token_id=2,
        eos_token_id=3,
    )
    return _save(GPT2LMHeadModel(config), words, folder)


def sequence(folder: Path) -> Path:
    """A T5."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    words = tokenizer()
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(words),
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        pad_token_id=0,
        eos_token_id=3,
        decoder_start_token_id=0,
    )
    return _save(T5ForConditionalGeneration(config), words, folder)


def _save(model: Any, words: Any, folder: Path) -> Path:
    model.eval().save_pretrained(folder)
    words.save_pretrained(folder)
    return folder
