"""Other threads go on while a question is worked on, and Ctrl-C ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nearmiss


def test_other_threads_go_on(long: Path) -> None:
    """With the interpreter's lock held, this thread would count once or twice."""
    asked = threading.Thread(target=lambda: nearmiss.check(long, timeout=1.5))
    asked.start()
    ticks = 0
    while asked.is_alive():
        ticks += 1
        time.sleep(0.01)
    assert ticks > 20


def test_questions_are_worked_on_side_by_side(long: Path) -> None:
    """Each is stopped by its own time: in turn four would take four times as long."""
    started = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: nearmiss.check(long, timeout=2), range(4)))
    assert [answer.verdict for answer in answers] == ["undecided"] * 4
    assert time.monotonic() - started < 7


def test_answers_do_not_mix(minmax: Path, holding: Path) -> None:
    alone = [nearmiss.check(file).to_json() for file in (minmax, holding)]
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda at: nearmiss.check((minmax, holding)[at % 2]).to_json(), range(12)))
    assert many == alone * 6


SCRIPT = """
import sys, time
import nearmiss
print("asked", flush=True)
try:
    nearmiss.explain(sys.argv[1], timeout=0)
    print("answered")
except KeyboardInterrupt as stopped:
    known = nearmiss.best_so_far(stopped)
    print("interrupted", known.verdict if known is not None else None)
# The interpreter is as it was: another question is answered.
print(nearmiss.check(sys.argv[2]).verdict)
"""


def interrupted(script: str, *words: str) -> tuple[str, float, int]:
    """Runs a script, presses Ctrl-C after a while; what it prints, and how long it took to end."""
    python = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *words], stdout=subprocess.PIPE, text=True
    )
    assert python.stdout is not None
    assert python.stdout.readline() == "asked\n"
    time.sleep(1)
    os.kill(python.pid, signal.SIGINT)
    pressed = time.monotonic()
    first = python.stdout.readline()
    took = time.monotonic() - pressed
    rest, _ = python.communicate(timeout=60)
    return first + rest, took, python.returncode


def test_control_c_is_a_keyboard_interrupt_within_a_second(long: Path, holding: Path) -> None:
    told, took, code = interrupted(SCRIPT, str(long), str(holding))
    assert told.splitlines() == ["interrupted undecided", "holds"] and code == 0
    assert took < 1


def test_control_c_ends_a_script_as_python_does(long: Path) -> None:
    script = """
    import sys, nearmiss
    print("asked", flush=True)
    nearmiss.check(sys.argv[1], timeout=0)
    """
    told, _, code = interrupted(script, str(long))
    assert told == "" and code == -signal.SIGINT


def test_a_handler_of_the_users_is_respected(long: Path) -> None:
    script = """
    import signal, sys, nearmiss
    class Enough(Exception): pass
    def handler(*_): raise Enough
    signal.signal(signal.SIGINT, handler)
    print("asked", flush=True)
    try:
        nearmiss.check(sys.argv[1], timeout=0)
    except Enough:
        print("enough")
    """
    told, took, code = interrupted(script, str(long))
    assert told == "enough\n" and code == 0 and took < 1
