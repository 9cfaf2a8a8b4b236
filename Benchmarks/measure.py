"""What a command costs, and the machine that it runs on."""

import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
AS_OF = "2026-06-30T00:00:00Z"


@dataclasses.dataclass
class Spent:
    """What a process spent: user and system time in seconds, the largest resident set in bytes, and what it printed.

    The kernel counts peak memory from that of the process that starts it, this one, which stays below 60 MiB.
    """

    cpu: float
    peak: int
    output: str = ""


def spent(*command, accepted=(0,)):
    """Runs a command to its end. Another exit code than the accepted ones stops the script."""
    words = [str(word) for word in command]
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            output = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accepted:
            errors.seek(0)
            sys.exit(f"{' '.join(words)}\nended with {process.returncode}: {errors.read().strip()}")
    return Spent(used.ru_utime + used.ru_stime, used.ru_maxrss << 10, output)


def processor():
    """The name of the processor, and whether it has the instructions that `audit` multiplies with."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    values = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    return values.get("model name", "unknown processor"), "avx512ifma" in values.get("flags", "").split()


def busy_share(seconds=1.0):
    """How much of all cores other programs use now, from 0 to 1."""

    def read():
        fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    total, idle = read()
    time.sleep(seconds)
    total_after, idle_after = read()
    return 1 - (idle_after - idle) / max(total_after - total, 1)
