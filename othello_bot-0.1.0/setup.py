"""Build the compiled kernel; setup.cfg holds everything else about the package.

The kernel is translated to C once and compiled for each of several processors, each time into a folder of its own
(othello_bot/kernel/variants.py says which of them runs). ``OTHELLO_BOT_BUILD_ARCH`` selects the processors:
``all`` that are known; ``best``, the best that this machine can run; ``native``, this machine alone; or names of
variants, separated by commas: ``baseline,x86-64-v3``. The default is ``best`` for builds in place, ``all`` for wheels.

``OTHELLO_BOT_BUILD_TUNING=1`` makes some constants of the search variables, with options of their own: for
``othello-bot match tune``, in a checkout of its own (docs/tuning.md). The shipped builds have none of them.

``OTHELLO_BOT_LIMITED_API=3.11`` builds modules that every Python from that version on can load (``abi3``): for Python in
a browser (scripts/release --browser). Calls into them take longer.

``OTHELLO_BOT_SANITIZE`` builds with sanitizers (see scripts/sanitize): ``address`` with those for addresses and
undefined behaviour, ``thread`` with the one for data races.
"""

from __future__ import annotations

import copy
import glob
import logging
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

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
KERNEL = "othello_bot.kernel"
FOLDER = Path("othello_bot", "kernel")
# Compiled once, for every processor: it chooses the variant. The other is the kernel, compiled for each variant.
PROCESSOR = "processor"
CORE = "core"

# The compiler's flags for each variant, by the machine as sysconfig names it. Others know the baseline alone. Vectors
# of 64 bytes make the kernel slower, by 3 % on a Sapphire Rapids.
VARIANTS = {
    "x86_64": {
        "baseline": ["-march=x86-64"],
        "x86-64-v3": ["-march=x86-64-v3"],
        "x86-64-v4": ["-march=x86-64-v4", "-mprefer-vector-width=256"],
    },
}
BASELINE = "baseline"
NATIVE = "native"
FLAGS = ["-g0", "-fno-math-errno", "-fomit-frame-pointer", "-Wno-unused-function", "-Wno-unreachable-code"]
# Builds for sanitizers check what the search requires of its arguments, too: see machine_require in machine.h.
CHECKS = "-DOTHELLO_BOT_CHECKS"
SANITIZERS = {
    "address": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g", CHECKS],
    "thread": ["-fsanitize=thread", "-g", CHECKS],
}


def variants() -> dict[str, list[str]]:
    """Return the variants of the machine that is built for, each with its flags."""
    machine = sysconfig.get_platform().rsplit("-", 1)[-1]
    return dict(VARIANTS.get("x86_64" if machine == "amd64" else machine, {BASELINE: []}))


def selected(in_place: bool) -> dict[str, list[str]]:
    """Return the variants to build, as variants() does; raise SystemExit for an unknown name."""
    asked, known = os.environ.get("OTHELLO_BOT_BUILD_ARCH") or ("best" if in_place else "all"), variants()
    if asked == "all":
        return known
    if asked == "best":
        best = best_here() if len(known) > 1 else BASELINE
        return {best: known[best]}
    names = asked.split(",")
    if unknown := [name for name in names if name not in (*known, NATIVE)]:
        accepted = ", ".join(("all", "best", NATIVE, *known))
        raise SystemExit(f"OTHELLO_BOT_BUILD_ARCH={asked}: {unknown[0]!r} is unknown; expected {accepted}")
    return {name: ["-march=native"] if name == NATIVE else known[name] for name in names}


def best_here() -> str:
    """Return the best variant that this machine can run; if it cannot run what the compiler makes, say so, and return the
    baseline.

    The program that asks the processor is made in the checkout, as the kernel is, and else in the system's folder for
    temporary files: either may be one from which nothing can be run.
    """
    reasons = []
    for folder in ("build", None):
        try:
            level = level_here(folder)
        except (OSError, subprocess.CalledProcessError) as error:
            reasons.append(str(error))
        else:
            return {3: "x86-64-v3", 4: "x86-64-v4"}.get(level, BASELINE)
    why = reasons[0]
    sys.stderr.write(f"kernel: made for every x86-64 processor, because this one could not be asked: {why}\n")
    return BASELINE


def level_here(folder: str | None) -> int:
    """Return the level of this machine's processor, as processor.h counts it, by a program made below `folder`.

    Raise OSError or CalledProcessError if that is impossible, SystemExit for a compiler's command that cannot be read.
    """
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    try:
        compiler = shlex.split(command)
    except ValueError as error:
        raise SystemExit(f"CC={command}: expected a command as a shell reads it ({error})") from None
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as name:
        source, program = Path(name, "level.c"), Path(name, "level").resolve()
        source.write_text('#include "processor.h"\nint main(void) { return processor_level(); }\n', encoding="utf-8")
        subprocess.run([*compiler, f"-I{FOLDER.resolve()}", str(source), "-o", str(program)], check=True)
        return subprocess.run([str(program)], check=False).returncode


def sanitizer_flags() -> list[str]:
    """Return the flags of the sanitizers that OTHELLO_BOT_SANITIZE names; raise SystemExit for an unknown one."""
    name = os.environ.get("OTHELLO_BOT_SANITIZE")
    if name is not None and name not in SANITIZERS:
        raise SystemExit(f"OTHELLO_BOT_SANITIZE={name}: expected {' or '.join(SANITIZERS)}")
    return SANITIZERS[name] if name else []


def tuning_flags() -> list[str]:
    """Return the flags of a build for tuning; raise SystemExit for a value that does not say whether it is one."""
    asked = os.environ.get("OTHELLO_BOT_BUILD_TUNING", "0")
    if asked not in ("", "0", "1"):
        raise SystemExit(f"OTHELLO_BOT_BUILD_TUNING={asked}: expected 0 or 1")
    return ["-DOTHELLO_BOT_TUNING"] if asked == "1" else []


def limited_api() -> str | None:
    """Return the oldest Python that the build has to serve, such as 3.11; None if only the one that builds.

    Raise SystemExit for one that the kernel does not support in this way.
    """
    oldest = os.environ.get("OTHELLO_BOT_LIMITED_API")
    if oldest and oldest not in ("3.11", "3.12", "3.13", "3.14"):
        raise SystemExit(f"OTHELLO_BOT_LIMITED_API={oldest}: expected 3.11 to 3.14")
    return oldest or None


def limits() -> list[tuple[str, str]]:
    """Return the macros of a build under the limited API."""
    oldest = limited_api()
    if oldest is None:
        return []
    version = f"0x03{int(oldest.partition('.')[2]):02x}0000"
    return [("Py_LIMITED_API", version), ("CYTHON_LIMITED_API", "1"), ("PyTuple_SET_ITEM", "PyTuple_SetItem")]


def module(name: str, variant: str | None, source: Path, flags: list[str]) -> Extension:
    """Return a module of the kernel; `variant` is the folder that it belongs to, or None for the package's own."""
    return Extension(
        ".".join(filter(None, (KERNEL, variant, name))),
        [source.as_posix()],
        depends=["setup.py", *glob.glob(f"{FOLDER.as_posix()}/*.h")],
        define_macros=limits(),
        py_limited_api=limited_api() is not None,
        extra_compile_args=[*FLAGS, *flags, *tuning_flags(), *sanitizer_flags()],
        extra_link_args=sanitizer_flags(),
    )


def modules(chosen: dict[str, list[str]]) -> list[Extension]:
    """Return the modules to compile: the one for every processor, and the kernel once for each chosen variant."""
    found = [module(PROCESSOR, None, FOLDER / f"{PROCESSOR}.c", ["-O1", *variants()[BASELINE]])]
    return found + [module(CORE, variant, FOLDER / f"{CORE}.c", ["-O3", *flags]) for variant, flags in chosen.items()]


def translate() -> None:
    """Translate the kernel's sources to C, as far as they have changed.

    A new build environment has newer copies of Cython's own declarations, so Cython translates again. C files that are
    what they were keep their times, and are not compiled again.
    """
    for path in FOLDER.glob("*.c"):
        if path.stat().st_mtime_ns < os.stat("setup.py").st_mtime_ns:  # it may have been translated differently
            path.unlink()
    before = {path: (path.read_bytes(), path.stat()) for path in FOLDER.glob("*.c")}
    sources = [module(name, None, FOLDER / f"{name}.pyx", []) for name in (PROCESSOR, CORE)]
    cythonize(sources, compiler_directives=DIRECTIVES)
    for path, (content, status) in before.items():
        if path.read_bytes() == content:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


class BuildPackages(build_py):
    """Puts the pages of docs/ into the package, for `othello-bot help`; a build in place reads them where they are."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for page in sorted(Path("docs").glob("*.md")):
                target = os.path.join(self.build_lib, "othello_bot", "documents", page.name)
                self.mkpath(os.path.dirname(target))
                self.copy_file(str(page), target, preserve_mode=False)


class BuildKernel(build_ext):
    """Compiles the kernel once for each variant."""

    def finalize_options(self) -> None:
        self.in_place = bool(self.inplace or self.editable_mode)
        self.chosen = selected(self.in_place)
        self.distribution.ext_modules = modules(self.chosen)
        super().finalize_options()

    def run(self) -> None:
        translate()
        if self.in_place:
            prepare_folders({*self.chosen})
        stale = sum(self.force or not self.is_current(extension) for extension in self.extensions)
        self.announce(f"kernel: {stale} modules to compile for {', '.join(self.chosen)}", level=logging.INFO)
        super().run()

    def build_extension(self, ext: Extension) -> None:
        """Compile a module, unless it is in place and up to date."""
        if self.is_current(ext) and not self.force:
            target = self.get_ext_fullpath(ext.name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(self.place_of(ext), target)
            return
        # A folder of the variant's own for the object files, because the variants have the same sources.
        own = copy.copy(self)
        own.build_temp = os.path.join(self.build_temp, ext.name.rsplit(".", 1)[0])
        build_ext.build_extension(own, ext)

    def place_of(self, ext: Extension) -> Path:
        """Return where the module is in a build in place."""
        return Path(*ext.name.split(".")[:-1], Path(self.get_ext_filename(ext.name)).name)

    def is_current(self, ext: Extension) -> bool:
        """Return whether an earlier build in place left the module newer than everything it is made from."""
        made, place = [*ext.sources, *ext.depends], self.place_of(ext)
        return (
            self.in_place
            and place.exists()
            and place.stat().st_mtime_ns > max(os.stat(path).st_mtime_ns for path in made)
        )


def prepare_folders(kept: set[str]) -> None:
    """Make the folders of the variants; remove what earlier builds in place left and this one does not refresh."""
    for name in {NATIVE, *variants()} - kept:
        shutil.rmtree(FOLDER / name, ignore_errors=True)
    for name in kept:
        (FOLDER / name).mkdir(exist_ok=True)
    for path in [*FOLDER.glob("*.so"), *FOLDER.glob("*/*.so"), *FOLDER.glob("*.c")]:
        if path.name.partition(".")[0] not in (PROCESSOR, CORE):
            path.unlink()


setup(
    ext_modules=[module(PROCESSOR, None, FOLDER / f"{PROCESSOR}.pyx", [])],
    cmdclass={"build_ext": BuildKernel, "build_py": BuildPackages},
    options={
        "build_ext": {"parallel": os.cpu_count() or 1},
        **({"bdist_wheel": {"py_limited_api": f"cp{oldest.replace('.', '')}"}} if (oldest := limited_api()) else {}),
    },
)
