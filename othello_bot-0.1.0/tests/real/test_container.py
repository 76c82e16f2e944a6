"""The lines of the Containerfile, run in a root that Debian's mmdebstrap makes; no container program is needed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.real.conftest import NODE_DIRECTORY, PATIENCE_S, REPOSITORY, alone
from tests.real.test_page_proxy import free_port

BARE = NODE_DIRECTORY.with_name("debian.tar")
"""Debian alone, without documentation, as its slim images are; kept from run to run."""

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""Those that this machine trusts, perhaps more than Debian's."""

SLIM = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*")

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="another root directory takes root")


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile with what they say."""
    lines = (REPOSITORY / "Containerfile").read_text(encoding="utf-8").splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if not line.startswith("#"))]


def finished(command: list[str], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def bare_root(folder: Path, suite: str) -> Path:
    """Return a new root with Debian alone, which reaches packages as this machine does."""
    with alone(BARE):
        if not BARE.exists():
            made = BARE.with_suffix(".new.tar")
            excluded = [f"--dpkgopt=path-exclude={path}" for path in SLIM]
            command = ["mmdebstrap", "--variant=minbase", "--dpkgopt=force-unsafe-io", *excluded, suite, str(made)]
            ended = finished(command, os.environ)
            assert ended.returncode == 0, ended.stderr[-3000:]
            made.replace(BARE)
    root = folder / "root"
    root.mkdir()
    subprocess.run(["tar", "-C", root, "-xf", BARE], check=True)
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", root / "etc")
    if CERTIFICATES.exists():
        shutil.copy(CERTIFICATES, root / "etc" / "here.crt")
    return root


def answer(port: int, host: str) -> str:
    """Return the page, or the code of a refusal, that the server gives under a name, once it listens."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": host})
    end_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as page:
                return str(page.read().decode())
        except urllib.error.HTTPError as error:
            return str(error.code)
        except OSError:
            assert time.monotonic() < end_s
            time.sleep(0.2)


def test_its_lines_make_a_page_with_a_password(tmp_path: Path, distributions: Path) -> None:
    [(first, image), *steps] = instructions()
    named = re.fullmatch(r"docker\.io/library/debian:(\w+)-slim", image)
    assert first == "FROM" and named is not None
    root, user, words = bare_root(tmp_path, named[1]), "root", list[str]()
    network = re.compile(r"PIP_INDEX_URL|https?_proxy|no_proxy", re.IGNORECASE)
    variables = {name: value for name, value in os.environ.items() if network.fullmatch(name)}
    variables |= {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    variables |= {"PIP_CERT": "/etc/here.crt"} if CERTIFICATES.exists() else {}
    for name, rest in steps:
        if name == "RUN":
            ended = finished(["/usr/sbin/chroot", str(root), "/bin/sh", "-c", rest], variables)
            assert ended.returncode == 0, f"{rest}: {ended.stdout[-1000:]}{ended.stderr[-2000:]}"
        elif name == "COPY":
            given, into = rest.split(" ")
            for path in distributions.glob(given.removeprefix("dist/")):
                shutil.copy(path, root / into[1:])
        elif name == "ENV":
            variable, _, value = rest.partition("=")
            variables[variable] = value
        elif name == "USER":
            user = rest
        elif name in ("ENTRYPOINT", "CMD"):
            words += re.findall(r'"([^"]*)"', rest)
        else:
            assert (name, rest) == ("EXPOSE", "8064")
    port = free_port()
    words = [str(port) if word == "8064" else word for word in words]
    start = ["/usr/sbin/chroot", f"--userspec={user}", str(root), *words]
    variables["HOME"] = f"/home/{user}"
    refused = finished(start, variables)
    assert (refused.returncode, "password" in refused.stderr) == (1, True), refused
    with subprocess.Popen(start, env=variables | {"OTHELLO_BOT_WEB_PASSWORD": "a word"}) as process:
        try:
            for host in (f"127.0.0.1:{port}", "localhost:9000", "192.168.1.20:80"):
                assert 'id="password"' in answer(port, host)
            assert answer(port, "evil.example:9000") == "403"
        finally:
            process.terminate()
