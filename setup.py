"""Build the compiled kernel; setup.cfg holds everything else about the package.

``OTHELLO_BOT_ARCH`` selects the target processor of the kernel: ``native`` (the default: the building machine),
``portable`` (every machine of the architecture), or any value of the compiler's ``-march``, for instance ``x86-64-v3``.
``OTHELLO_BOT_SANITIZE`` builds with sanitizers (see scripts/sanitize): ``address`` with those for addresses and
undefined behaviour, ``thread`` with the one for data races.
"""

from __future__ import annotations

import glob
import os

from Cython.Build import cythonize
from setuptools import Extension, setup

# The one place for compiler directives: C semantics, no checks. The tests compare the kernel with slow, obvious code.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "legacy_implicit_noexcept": False,
}
MODULES = (
    "board",
    "stability",
    "handmade",
    "reduction",
    "evaluation",
    "checksum",
    "columns",
    "table",
    "endgame",
    "error_model",
    "probcut",
    "move_picker",
    "split_point",
    "search",
    "root",
    "threads",
    "searcher",
)
SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g"],
    "thread": ["-fsanitize=thread", "-g"],
}


def compiler_flags() -> tuple[list[str], list[str]]:
    """Return the flags for compiling and linking, from the environment variables above."""
    arch = os.environ.get("OTHELLO_BOT_ARCH", "native")
    flags = ["-O3", "-fno-math-errno", "-fomit-frame-pointer", "-Wno-unused-function", "-Wno-unreachable-code"]
    if arch != "portable":
        flags.append(f"-march={arch}")
    name = os.environ.get("OTHELLO_BOT_SANITIZE")
    if name is None:
        return flags, []
    if name not in SANITIZERS:
        raise SystemExit(f"OTHELLO_BOT_SANITIZE={name}: expected {' or '.join(SANITIZERS)}")
    return flags + SANITIZERS[name], SANITIZERS[name]


def extensions() -> list[Extension]:
    compile_flags, link_flags = compiler_flags()
    return [
        Extension(
            f"othello_bot.kernel.{name}",
            [f"othello_bot/kernel/{name}.pyx"],
            depends=glob.glob("othello_bot/kernel/*.h"),
            extra_compile_args=compile_flags,
            extra_link_args=link_flags,
        )
        for name in MODULES
        if os.path.exists(f"othello_bot/kernel/{name}.pyx")
    ]


setup(
    ext_modules=cythonize(extensions(), compiler_directives=DIRECTIVES),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
