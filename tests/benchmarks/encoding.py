"""`encode_vs_sentence_transformers`: embeddings of many texts."""

from __future__ import annotations

from tests.benchmarks.figures import bundled, race, report, sentence_transformer
from tests.benchmarks.texts import short_questions, statements

TEXTS, ROUNDS = 4000, 3

if __name__ == "__main__":
    encoder, model = bundled(), sentence_transformer()
    for kind, texts in (("questions", short_questions(TEXTS)), ("statements", statements(TEXTS))):
        ours, theirs, difference = race(
            lambda texts=texts: encoder.encode(texts),
            lambda texts=texts: model.encode(texts, show_progress_bar=False),
            rounds=ROUNDS,
        )
        report(
            f"encode_vs_sentence_transformers_{kind}",
            theirs / ours,
            "x",
            f"fastest of {ROUNDS}, {len(texts)} texts: SentenceTransformer.encode {theirs:.2f} s / {ours:.2f} s",
        )
        report(f"encode_largest_difference_{kind}", difference, "component", "SentenceTransformer.encode; 1e-6 allowed")
