"""`moral_choice_rerun`: the page Moral choice when one phrase was added."""

from __future__ import annotations

from statistics import median

from core.moral.templates import published, questions
from tests.benchmarks.figures import ROOT, bundled, report, seconds
from tests.benchmarks.texts import PEOPLE

START, ROUNDS = "kill: people; time; a killer", len(PEOPLE)

if __name__ == "__main__":
    from streamlit.testing.v1 import AppTest

    encoder = bundled()
    app = AppTest.from_file(str(ROOT / "components" / "shell.py"), default_timeout=300)
    app.run()
    app.switch_page("../pages/moral_choice.py").run()
    encodings, reruns = [], []
    for person in PEOPLE:
        new = f"thank the {person}"
        app.text_area(key="phrases_lines").set_value(f"{START}\n{new}")
        app.button(key="score").click()
        encodings.append(seconds(lambda new=new: encoder.encode(questions([new, f"not {new}"], published()))))
        reruns.append(seconds(app.run))
        if app.exception:
            raise RuntimeError(app.exception[0].message)
    ours, bare = median(reruns), median(encodings)
    report(
        "moral_choice_rerun",
        ours / bare,
        "x",
        f"median of {ROUNDS}: rerun with one new phrase {ours * 1e3:.0f} ms / bare encoding of its "
        f"{2 * len(published())} questions {bare * 1e3:.0f} ms",
    )
