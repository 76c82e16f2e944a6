"""Addresses of Dask schedulers: which are refused, and of which one is warned, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.cli import main
from othello_bot.cluster import TaskError, Workers
from othello_bot.cluster.workers import is_loopback, split, warn_of

SAFE = [
    "tcp://127.0.0.1:8786",
    "127.0.0.1:8786",
    "127.8.9.10:1",
    "127.1:8786",
    "localhost:8786",
    "tcp://LOCALHOST:8786",
    "tcp://localhost.:8786",
    "[::1]:8786",
    "tcp://[0:0:0:0:0:0:0:1]:8786",
    "tcp://[::1%lo]:8786",
    "tcp://[::ffff:127.0.0.1]:8786",
    "ws://127.0.0.1:8786",
    "tls://scheduler.example:8786",
    "tls://10.0.0.1:8786",
    "inproc://10.0.0.1/4711/1",
]
OPEN = [
    "tcp://scheduler:8786",
    "scheduler:8786",
    "10.0.0.1:8786",
    "tcp://0.0.0.0:8786",
    "tcp://[::]:8786",
    "tcp://[fe80::1%eth0]:8786",
    "tcp://127.example.org:8786",
    "tcp://localhost.example.org:8786",
    "ucx://10.0.0.1:8786",
    "ws://10.0.0.1:8786",
]


@pytest.mark.parametrize("address", SAFE)
def test_of_a_scheduler_on_this_machine_or_behind_certificates_nobody_is_warned(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    warn_of(address)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("address", OPEN)
def test_of_a_scheduler_that_is_open_to_others_one_is_warned_once(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    warn_of.cache_clear()
    warn_of(address)
    warn_of(address)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert address in told.err and "can run any code" in told.err and "tls://" in told.err


@pytest.mark.parametrize(
    "address",
    [
        *("", " ", "8786", "host", "://host:1", "::1:8786", "tcp://", "tcp://:8786", "tcp://host", "tcp://host:"),
        *("tcp://host:x", "tcp://host:99999", "tcp://a b:1", "tcp://\x1b[31m:1", "tcp://host/x:1", "tcp://host:8786/"),
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError, match=r"expected host and port of a Dask scheduler, like tcp://127\.0\.0\.1:8786"):
        split(address)


def test_hosts_that_only_look_like_this_machine() -> None:
    assert not any(map(is_loopback, ("127.0.0.1 evil", "1270.0.0.1", "128.0.0.1", "::2", "my-localhost", "")))


def test_tls_without_certificates_says_which_to_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    for name in ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY"):
        monkeypatch.delenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}", raising=False)
    with pytest.raises(TaskError, match="needs certificates; set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "):
        Workers(cluster="tls://127.0.0.1:1")


@pytest.mark.parametrize(
    "command",
    [
        "match --engine random --engine random --rounds 1",
        "review game.txt game.txt --store reviews.db",
        "book grow x.book --positions 1",
        "train label --folder . 0-2:exact",
    ],
)
def test_every_command_with_a_cluster_warns(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("othello_bot.cluster.workers.CONNECT_S", 0.01)
    monkeypatch.chdir(tmp_path)
    warn_of.cache_clear()
    cluster = "tcp://0.0.0.0:1"
    (tmp_path / "game.txt").write_text("f5d6c3d3c4\n")
    assert main([*command.split(), "--cluster", cluster]) in (1, 2)
    told = capsys.readouterr().err
    assert told.count("can run any code") == 1
    assert told.count("no Dask scheduler at tcp://0.0.0.0:1: ") == 1


def test_a_scheduler_that_does_not_answer_is_waited_for_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("othello_bot.cluster.workers.CONNECT_S", 0.5)
    monkeypatch.setattr("othello_bot.cluster.workers.NOTICE_S", 0.0)
    with pytest.raises(TaskError, match="no Dask scheduler at "):
        Workers(cluster="tcp://127.0.0.1:1")
    assert "for the Dask scheduler at tcp://127.0.0.1:1\n" in capsys.readouterr().err
