"""The memory that is available: of the system, and within the limits of control groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.engine import available_mib

MEMINFO = "MemTotal:       16000000 kB\nMemAvailable:   8192000 kB\n"


def put(system: Path, files: dict[str, str]) -> Path:
    for name, text in {"proc/meminfo": MEMINFO, **files}.items():
        path = system / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return system


def group(folder: str, most: str, used_mib: int, inactive_mib: int = 0, version: int = 2) -> dict[str, str]:
    limit, usage, row = (
        ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        if version == 1
        else ("memory.max", "memory.current", "inactive_file")
    )
    return {
        f"{folder}/{limit}": f"{most}\n",
        f"{folder}/{usage}": f"{used_mib << 20}\n",
        f"{folder}/memory.stat": f"anon 1\n{row} {inactive_mib << 20}\n",
    }


def test_without_control_groups_the_system_counts(tmp_path: Path) -> None:
    assert available_mib(put(tmp_path, {})) == 8000


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"proc/self/cgroup": "0::/\n"}, 8000),
        ({"proc/self/cgroup": "0::/\n", **group("sys/fs/cgroup", "max", 10)}, 8000),
        ({"proc/self/cgroup": "0::/\n", **group("sys/fs/cgroup", str(512 << 20), 100)}, 412),
        ({"proc/self/cgroup": "0::/\n", **group("sys/fs/cgroup", str(512 << 20), 400, 300)}, 412),
        ({"proc/self/cgroup": "0::/\n", **group("sys/fs/cgroup", str(100 << 20), 200)}, 0),
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                **group("sys/fs/cgroup/a/b", "max", 1),
                **group("sys/fs/cgroup/a", "1073741824", 24),
            },
            1000,
        ),
        (
            {
                "proc/self/cgroup": "4:cpu,memory:/x\n1:name=systemd:/x\n",
                **group("sys/fs/cgroup/memory/x", "1073741824", 24, version=1),
            },
            1000,
        ),
        (
            {"proc/self/cgroup": "4:memory:/outside\n", **group("sys/fs/cgroup/memory", "1073741824", 24, version=1)},
            1000,
        ),
        (
            {"proc/self/cgroup": "4:memory:/x\n", **group("sys/fs/cgroup/memory/x", str(2**63 - 4096), 24, version=1)},
            8000,
        ),
    ],
)
def test_the_tightest_limit_of_a_control_group_counts(files: dict[str, str], expected: int, tmp_path: Path) -> None:
    assert available_mib(put(tmp_path, files)) == expected
