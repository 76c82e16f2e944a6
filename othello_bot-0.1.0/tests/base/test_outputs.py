"""Outputs of commands: what counts as the same file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.base.outputs import FileTaken, check_outputs, database, refuse_taken


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    path.write_bytes(b"content")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("store.db")
    (tmp_path / "second").symlink_to("link")
    (tmp_path / "hard").hardlink_to(path)
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "dangling").symlink_to("store.db-wal")
    return path


@pytest.mark.parametrize(
    "name",
    (
        *("store.db", "link", "second", "hard", "up/store.db", "up/hard", "folder/../store.db", "./store.db"),
        *("store.db-wal", "store.db-shm", "store.db-journal", "up/store.db-wal", "dangling"),
    ),
)
def test_all_names_of_a_store(store: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(store.parent)
    for output in (Path(name), store.parent / name):
        with pytest.raises(InputError, match="expected a file of its own, not the store"):
            check_outputs({"--html": output}, store=database(store))
        with pytest.raises(InputError, match="expected a file of its own, not the store"):
            check_outputs({"--html": output}, store=database(store.parent / "second"))


def test_other_files_and_what_holds_nothing(store: Path) -> None:
    folder = store.parent
    os.mkfifo(folder / "pipe")
    pipe, null = folder / "pipe", Path(os.devnull)
    outputs = {"one": folder / "new", "two": folder / "folder" / "store.db", "three": folder / "folder", "four": None}
    check_outputs({**outputs, "five": folder / "absent" / "new"}, store=database(store), input=[Path("-"), None])
    check_outputs({"one": pipe, "two": pipe, "three": null, "four": null}, input=[pipe, null])
    for path in (pipe, null, folder / "new"):
        refuse_taken(path, overwrite=False)


def test_a_descriptor_of_an_input(store: Path) -> None:
    with store.open("ab") as file, pytest.raises(InputError, match="not the input"):
        check_outputs({"OUT": Path(f"/dev/fd/{file.fileno()}")}, input=[store])


def test_two_outputs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file of its own, not that of --games"):
        check_outputs({"--games": tmp_path / "new", "--log": [tmp_path / "old", tmp_path / "new"]})


def test_one_output_may_have_several_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database by a relative name, and its files by their whole paths."""
    monkeypatch.chdir(tmp_path)
    check_outputs({"BASE": database(Path("games.base"))})
    (tmp_path / "games.base").touch()
    check_outputs({"BASE": database(Path("games.base"))})
    with pytest.raises(InputError, match="not that of BASE"):
        check_outputs({"BASE": database(Path("games.base")), "--html": tmp_path / "games.base"})


def test_an_existing_file_needs_a_permission(store: Path) -> None:
    with pytest.raises(FileTaken, match="another name, or --overwrite"):
        refuse_taken(store, overwrite=False, word="--overwrite")
    with pytest.raises(FileTaken):
        refuse_taken(store, overwrite=False, is_own=lambda path: False)
    refuse_taken(store, overwrite=True)
    refuse_taken(store, overwrite=False, is_own=lambda path: path.read_bytes() == b"content")
