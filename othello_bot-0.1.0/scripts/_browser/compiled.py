"""Compile the modules of an archive for Pyodide; compiled.mjs runs this there.

A browser would compile them anew at each visit, which takes several times as long as all else at Python's beginning.
Asserts and docstrings go. The archive is not packed, so that all modules can be packed together.
"""

import importlib.util
import marshal
import os
import zipfile

left_out = os.environ["LEFT_OUT"].split()
HEADER = importlib.util.MAGIC_NUMBER + bytes(12)
"""Of a module without a source."""

with zipfile.ZipFile("/from.zip") as source, zipfile.ZipFile("/to.zip", "w") as target:
    for name in sorted(source.namelist()):
        content = source.read(name)
        if name.partition("/")[0].removesuffix(".py") in left_out:
            continue
        if name.endswith(".py"):
            code = compile(content, name, "exec", dont_inherit=True, optimize=2)
            name, content = f"{name}c", HEADER + marshal.dumps(code)
        target.writestr(zipfile.ZipInfo(name), content)
