"""Each function answers what the command answers, as objects."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path

import pytest

import nearmiss
from nearmiss.asking import TOOL


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(TOOL), *words], capture_output=True, text=True)


@pytest.mark.parametrize("name", ["check", "explain", "focus", "fix"])
def test_the_answer_is_that_of_the_command(name: str) -> None:
    """Byte for byte: the text, the JSON and the page."""
    file = "examples/minmax.c"
    answer = getattr(nearmiss, name)(file)
    for form, told in (("text", str(answer)), ("json", answer.to_json()), ("html", answer.to_html())):
        ended = command(name, "--format", form, file)
        assert (ended.stdout, ended.returncode) == (told, answer.exit_code), form


def test_causes_are_those_of_the_command(trace: Path) -> None:
    answer = nearmiss.causes(trace, formula="G(req -> F[1:2] ack)")
    for form, told in (("text", str(answer)), ("json", answer.to_json()), ("html", answer.to_html())):
        ended = command("causes", "--format", form, "--formula", "G(req -> F[1:2] ack)", str(trace))
        assert (ended.stdout, ended.returncode) == (told, answer.exit_code), form
    assert answer.fails and answer.exit_code == 10
    assert [(failure.at, failure.exact) for failure in answer.failures] == [(3, True)]
    assert {(cause.signal, cause.time, cause.value) for cause in answer.causes} == {
        ("req", 1, "1"),
        ("ack", 2, "0"),
        ("ack", 3, "0"),
    }
    assert answer.formulas[0].verdict == "fails"


def test_check_has_the_failing_run(minmax: Path) -> None:
    answer = nearmiss.check(minmax)
    assert (answer.verdict, answer.fails, answer.holds, answer.complete) == ("fails", True, False, True)
    assert answer.claim is not None and answer.claim.id == "main.assertion.1"
    run = answer.failing
    assert run is not None and run.proved_minimal
    assert [(one.name, one.value, one.number) for one in run.inputs] == [
        ("first", "0", 0),
        ("second", "-1", -1),
        ("third", "0", 0),
    ]
    assert run.steps[-1].kind == "claim" and run.steps[-1].holds is False
    assert [claim.status for claim in answer.claims if claim.id == answer.claim.id] == ["fails"]


def test_runs_are_replayed_by_the_compiled_program(minmax: Path) -> None:
    """Inside Python, too: the tool in the package confines it."""
    answer = nearmiss.explain(minmax)
    assert answer.failing is not None and answer.passing is not None
    assert answer.failing.replayed == nearmiss.results.Replayed(interpreter=True, native=True)
    assert answer.passing.replayed.native is True
    assert all(fix.replayed.native for fix in nearmiss.fix(minmax).fixes)
    unplayed = nearmiss.explain(minmax, no_native=True)
    assert unplayed.failing is not None and unplayed.failing.replayed.native is None


def test_explain_has_the_nearest_run_and_what_follows(minmax: Path) -> None:
    answer = nearmiss.explain(minmax)
    assert answer.passing is not None and answer.passing.proved_minimal
    assert answer.passing.distance == answer.passing.lower_bound == len(answer.passing.deltas)
    assert [(one.file, one.line) for one in answer.suspects][0] == ("examples/minmax.c", 23) or answer.suspects[0].line == 23
    assert answer.suspects[0].rank == 1 and answer.suspects[0].because
    assert answer.matters and {cause.text for cause in answer.causes} >= {"second < first"}
    edit = answer.fixes[0].edits[0]
    text = minmax.read_text().splitlines()[edit.line - 1]
    assert text[edit.column - 1 : edit.end_column - 1] == edit.old and answer.fixes[0].verified == "all"


def test_fix_and_focus(minmax: Path) -> None:
    fixed = nearmiss.fix(minmax, most=1)
    assert len(fixed.fixes) == 1 and fixed.tried["complete"] in (True, False)
    focus = nearmiss.focus(minmax)
    assert focus.fails and focus.exhaustive and len(focus.ways) >= 1
    assert focus.ways[0].statements[-1].role == "claim"


def test_a_fix_is_written_where_that_is_asked_for(minmax: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.c"
    copy.write_text(minmax.read_text())
    nearmiss.fix(copy, apply=1)
    assert copy.read_text() != minmax.read_text()
    assert nearmiss.check(copy).holds
    with pytest.raises(nearmiss.UsageError, match="there are only|only one fix"):
        nearmiss.fix(minmax, apply=999)


def test_what_holds_has_no_runs(holding: Path) -> None:
    answer = nearmiss.explain(holding)
    assert answer.holds and answer.complete and answer.exit_code == 0
    assert answer.failing is None and answer.passing is None and answer.claim is None
    assert len(answer.suspects) == len(answer.causes) == len(answer.fixes) == len(answer.matters) == 0


def test_an_answer_is_neither_true_nor_false(holding: Path) -> None:
    """`if nearmiss.check(…):` could mean either."""
    with pytest.raises(TypeError, match=r"\.fails"):
        bool(nearmiss.check(holding))


def test_claims_loops_and_signals_are_listed(minmax: Path, trace: Path, tmp_path: Path) -> None:
    assert [claim.id for claim in nearmiss.properties(minmax)][-1] == "main.assertion.1"
    path = tmp_path / "loop.c"
    path.write_text("int main(void) { for (int i = 0; i < 9; i++) ; return 0; }\n")
    assert [(loop.id, loop.line) for loop in nearmiss.loops(path)] == [("main.0", 1)]
    assert [signal.name for signal in nearmiss.signals(trace)] == ["req", "ack"]


def test_a_model_of_hardware_is_a_program() -> None:
    model = next(Path("examples/hardware").rglob("*.btor2"))
    answer = nearmiss.check(model)
    assert answer.fails and answer.failing is not None and answer.claim is not None
    assert answer.claim.file.endswith(".v") and {one.type for one in answer.failing.inputs} >= {"bit"}


def test_answers_keep_their_form(minmax: Path, tmp_path: Path) -> None:
    answer = nearmiss.explain(minmax, format="sarif")
    assert json.loads(str(answer))["version"] == "2.1.0", "what is printed is what was asked for"
    assert answer.to_dict()["schema"] == "nearmiss/1", "and the object is there all the same"
    answer.save(tmp_path / "why.html")
    answer.save(tmp_path / "why.json")
    answer.save(tmp_path / "why.sarif")
    assert (tmp_path / "why.html").read_text() == answer.to_html()
    assert (tmp_path / "why.json").read_text() == answer.to_json()
    assert (tmp_path / "why.sarif").read_text() == str(answer)
    nearmiss.explain(minmax, format="markdown", o=tmp_path / "why.md")
    assert (tmp_path / "why.md").read_text().startswith("#") or "minmax.c" in (tmp_path / "why.md").read_text()
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer and again.suspects == answer.suspects


def test_the_same_question_has_the_same_answer(minmax: Path) -> None:
    assert nearmiss.explain(minmax).to_json() == nearmiss.explain(minmax, threads=1).to_json()


def test_stats_and_warnings(minmax: Path) -> None:
    assert nearmiss.check(minmax).stats is None
    stats = nearmiss.check(minmax, stats=True).stats
    assert stats is not None and stats["counts"]
    with pytest.warns(nearmiss.Warning, match="no loop that can be executed is called"):
        answer = nearmiss.check(minmax, unwindset={"nowhere.0": 3})
    assert answer.warnings


def test_nothing_is_printed(minmax: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither by Python nor behind its back."""
    nearmiss.explain(minmax, verbose=True, stats=True)
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")
