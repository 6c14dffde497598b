"""Builds the package: the extension, by maturin, and beside it the tool itself.

The tool is in the package because a program that is replayed is started by it, in a sandbox: inside Python the running
program is Python, and cannot stand in for it. Both come from one build of one workspace, so they are of one version.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin

HERE = Path(__file__).resolve().parent
TOOL = HERE / "python" / "nearmiss" / "tool" / "nearmiss"

get_requires_for_build_editable = maturin.get_requires_for_build_editable
get_requires_for_build_wheel = maturin.get_requires_for_build_wheel
prepare_metadata_for_build_editable = maturin.prepare_metadata_for_build_editable
prepare_metadata_for_build_wheel = maturin.prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The package for installation."""
    build_tool()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package for those who work on it."""
    build_tool()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """There is none: the tool is built from all crates of the repository."""
    raise SystemExit("build a wheel from the repository: pip wheel ./crates/python")


def build_tool() -> None:
    """Builds the tool as the rest of the workspace is built, and copies it into the package."""
    cargo = os.environ.get("CARGO", "cargo")
    if shutil.which(cargo) is None:
        raise SystemExit("nearmiss is written in Rust: building it needs cargo (https://rustup.rs), and a C and C++ compiler")
    manifest = ["--manifest-path", str(HERE / "Cargo.toml")]
    known = subprocess.run(
        [cargo, "metadata", "--no-deps", "--format-version", "1", *manifest], check=True, stdout=subprocess.PIPE
    )
    target = Path(json.loads(known.stdout)["target_directory"])
    subprocess.run([cargo, "build", "--release", "--package", "nearmiss", "--bin", "nearmiss", *manifest], check=True)
    TOOL.parent.mkdir(exist_ok=True)
    # A tool that is being run is not written to: it is replaced.
    fresh = TOOL.with_suffix(".new")
    shutil.copy2(target / "release" / "nearmiss", fresh)
    if shutil.which("strip"):
        subprocess.run(["strip", fresh], check=True)
    fresh.replace(TOOL)
