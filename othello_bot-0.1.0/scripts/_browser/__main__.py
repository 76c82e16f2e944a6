"""Make wheels for other machines, and the page that needs no server; run with the checkout's Python.

``_browser parts OUT`` (`othello-bot web --export` in a checkout) puts the wheel for Pyodide and the npm package pyodide
into the folder OUT, both compiled for the page. ``_browser release SOURCE OUT`` (scripts/release --browser) puts the
wheel of a source distribution there, and the page in an archive. ``_browser arm SOURCE OUT`` (scripts/release --arm)
makes the wheel for Linux on ARM.
The kernel is compiled by the compiler of the package `ziglang`, which is installed in a temporary folder, under Python's
limited API, with the headers of the Python that runs this (3.11 or newer). The tag of the wheel for browsers is that of
Pyodide 314 (PEP 783).
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
COMPILER = HERE.parent / "_setup" / "zig_cc.py"
BROWSER = ("wasm32-emscripten", "pyemscripten_2026_0-wasm32")
"""Zig's name of the machine and that of the wheel: the ABI of Pyodide 314, `abi_version` and `arch` in its
pyodide-lock.json.
"""

ARM = ("aarch64-linux-gnu.2.28", "manylinux_2_28-aarch64")
"""The same for Linux on ARM, as old as glibc 2.28; sizes and alignments are those of x86-64."""

PYODIDE = "314.0.7"
PYODIDE_SHA512 = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""Pyodide on npm: the version, and `dist.integrity` of `npm view pyodide@VERSION`."""

LEFT_OUT = (
    *("_pyrepl", "bdb", "cProfile", "doctest", "ensurepip", "idlelib", "pdb", "profile", "pstats", "pydoc", "trace"),
    *("ctypes", "mailbox", "unittest", "venv", "wsgiref", "xml", "xmlrpc"),
)
"""What the page has no use for in Python's library: Python for those who write it, processes, servers."""

OLDEST = "3.11"
"""The oldest Python whose limited API has buffers."""


def python_headers(folder: Path, target: tuple[str, str]) -> Path:
    """Copy Python's headers to a folder, for browsers with the sizes of WebAssembly; return it."""
    shutil.copytree(sysconfig.get_path("include"), folder)
    if target == BROWSER:
        shutil.copy2(HERE / "pyconfig.h", folder / "pyconfig.h")
    return folder


def variables(work: Path, target: tuple[str, str]) -> dict[str, str]:
    """Return the environment of the build."""
    compiler = f"{sys.executable} {COMPILER}"
    return os.environ | {
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared",
        "CFLAGS": f"-I{python_headers(work / 'include', target)}",
        "PYTHONPATH": str(work / "tools"),
        "ZIG_GLOBAL_CACHE_DIR": str(work / "cache"),
        "ZIG_LOCAL_CACHE_DIR": str(work / "cache"),
        "OTHELLO_BOT_ZIG_TARGET": target[0],
        "OTHELLO_BOT_BUILD_ARCH": "all",
        "OTHELLO_BOT_LIMITED_API": OLDEST,
        "_PYTHON_HOST_PLATFORM": target[1],
    }


def make_wheel(source: Path, out: Path, target: tuple[str, str] = BROWSER) -> None:
    """Build the wheel of a source distribution in a folder; raise CalledProcessError or SystemExit."""
    if sys.version_info < (3, 11):
        raise SystemExit(f"a wheel for other machines needs Python {OLDEST} or newer; this is {sys.version.split()[0]}")
    pip = [sys.executable, "-I", "-m", "pip"]
    with tempfile.TemporaryDirectory(prefix="othello-bot-browser-") as name:
        work = Path(name)
        tools = ("install", "-q", "--no-cache-dir", "--no-deps", "--require-hashes", "--only-binary=:all:")
        subprocess.run([*pip, *tools, "-t", work / "tools", "-r", HERE / "requirements.txt"], check=True)
        build = ("wheel", "-q", "--no-cache-dir", "--no-build-isolation", "--no-deps", "-w", out, source)
        subprocess.run([*pip, *build], env=variables(work, target), check=True)


def get_pyodide(folder: Path) -> Path:
    """Fetch Pyodide into a folder, by npm; return its place. Raise SystemExit if it is not the pinned file."""
    subprocess.run(["npm", "pack", "--silent", f"pyodide@{PYODIDE}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("pyodide-*.tgz")
    if base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode() != PYODIDE_SHA512:
        raise SystemExit(f"pyodide {PYODIDE} from npm is not the pinned file")
    shutil.unpack_archive(archive, folder)
    return folder / "package"


def compile_for_page(pyodide: Path, wheel: Path, out: Path) -> None:
    """Compile Python's library in Pyodide's folder, and the modules of a wheel, which goes into the folder `out`."""
    library = pyodide / "python_stdlib.zip"
    for source, target, left_out in ((wheel, out / wheel.name, ()), (library, library, LEFT_OUT)):
        program = HERE / "compiled.mjs"
        subprocess.run(["node", program, pyodide, source, target, *left_out], check=True, stdout=subprocess.DEVNULL)


def make_parts(out: Path) -> None:
    """Put the wheel of this checkout, and Pyodide, into a folder, as the page has them."""
    with tempfile.TemporaryDirectory(prefix="othello-bot-source-") as name:
        build = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
        subprocess.run([sys.executable, "-c", build, name], cwd=CHECKOUT, check=True, stdout=subprocess.DEVNULL)
        (source,) = Path(name).glob("*.tar.gz")
        make_wheel(source, Path(name))
        (wheel,) = Path(name).glob("*.whl")
        compile_for_page(get_pyodide(out), wheel, out)


def make_release(source: Path, out: Path) -> None:
    """Put the wheel of a source distribution, and an archive of the page, into a folder."""
    from othello_bot.base.version import __version__
    from othello_bot.web.export import export

    make_wheel(source, out)
    (wheel,) = out.glob("*wasm32.whl")
    with tempfile.TemporaryDirectory(prefix="othello-bot-page-") as name:
        pyodide = get_pyodide(Path(name))
        compile_for_page(pyodide, wheel, Path(name))
        page = f"othello-bot-page-{__version__}"
        export(Path(name, page), pyodide, Path(name, wheel.name))
        shutil.make_archive(str(out / page), "zip", name, page)


def main(arguments: list[str]) -> int:
    """Make the parts or the files of a release; return the exit status."""
    part, *rest = arguments
    paths = [Path(word).resolve() for word in rest]
    try:
        if part == "release":
            make_release(*paths)
        elif part == "arm":
            source, out = paths
            make_wheel(source, out, ARM)
        else:
            make_parts(*paths)
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"failed: {' '.join(map(str, error.cmd))}\n")
        return 1
    except FileNotFoundError as error:
        sys.stderr.write(f"{error.filename} is needed and cannot be found\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
