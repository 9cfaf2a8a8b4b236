"""What `Benchmarks/run` audits: made once by audit-lab, kept in a folder, the same bytes on every machine."""

import base64
import csv
import json
import pathlib
import re
import shutil
import subprocess

# Written in large pieces, as exports are: of small ones the kernel keeps small pages, which take longer to read.
PIECE = 1 << 20
# One row in five of an increment is a known proof, presented again.
NEW_ROWS, KNOWN_ROWS = 800, 200
GENUINE = ("--fraud", 0, "--plants", 0, "--tokens", 0)


class Corpus:
    """The inputs of the benchmarks, below one folder."""

    def __init__(self, folder: pathlib.Path, audit: pathlib.Path, lab: pathlib.Path):
        self.folder, self.audit, self.lab = folder, audit, lab

    def distinct(self, count):
        """receipts/ and root.cer: genuine receipts that share nothing."""
        return self.made(f"distinct-{count}", lambda folder: self.sample(folder, count, *GENUINE))

    def fraud(self, count):
        """receipts/, evidence.ndjson, policy.yml and root.cer: a tenth is forged, a twelfth planted fraud."""
        return self.made(f"fraud-{count}", lambda folder: self.sample(folder, count))

    def honest(self, persons):
        """A simulated population: claims.ndjson in the order in which claims were presented, first.ndjson without the
        last hundredth, evidence of both, and policies with all rules and without any."""

        def make(folder):
            self.make("honest", folder, "--count", persons, "--seed", 1)
            lines = sorted_lines(folder / "claims.ndjson")
            known = count = 0
            seen = set()
            files = {name: (folder / name).open("wb", PIECE) for name in
                     ("sorted.ndjson", "first.ndjson", "first.jws", "new.jws", "all.jws")}  # fmt: skip
            total = sum(1 for _ in (folder / "truth.ndjson").open("rb"))
            for count, line in enumerate(lines):
                is_new = count >= total - total // 100
                files["sorted.ndjson"].write(line)
                if not is_new:
                    files["first.ndjson"].write(line)
                    known += 1
                proof = json.loads(line).get("receipt_data", "").encode()
                # A receipt in base64 has no dots. A server gets each token once.
                if b"." in proof and (key := hash(proof)) not in seen:
                    seen.add(key)
                    files["all.jws"].write(proof + b"\n")
                    files["new.jws" if is_new else "first.jws"].write(proof + b"\n")
            for file in files.values():
                file.close()
            (folder / "sorted.ndjson").replace(folder / "claims.ndjson")
            policy = (folder / "policy.yml").read_text()
            (folder / "off.yml").write_text(policy.replace("rules: {}", f"rules: {{{self.off()}}}"))

        return self.made(f"honest-{persons}", make)

    def off(self):
        """The settings that switch every rule off."""
        rules = subprocess.run([self.audit, "rules"], check=True, capture_output=True, text=True).stdout
        return ", ".join(f"{rule}: off" for rule in re.findall(r"^([a-z-]+) ", rules, re.MULTILINE))

    def increment(self, count):
        """Ten files of rows, each with a tenth of `count` receipts; new.ndjson with 1,000 more, and root.cer."""

        def make(folder):
            folder.mkdir()
            for part in range(10):
                self.rows(folder, f"{part}.ndjson", count * part // 10, count * (part + 1) // 10)
            self.rows(folder, "new.ndjson", count, count + NEW_ROWS)
            with (folder / "0.ndjson").open() as rows, (folder / "new.ndjson").open("a") as new:
                for number, line in zip(range(KNOWN_ROWS * 5), rows):
                    if number % 5 == 0:
                        new.write(dumped(json.loads(line) | {"presented_at": "2026-06-29T12:00:00Z"}))

        return self.made(f"increment-{count}", make)

    def rows(self, folder, name, first, end):
        """Writes receipts of a sample as rows that hold them."""
        sample = folder / "sample"
        self.sample(sample, end, "--first", first, *GENUINE)
        receipts = sample / "receipts"
        with (receipts / "devices.csv").open(newline="") as manifest, (folder / name).open("w", PIECE) as out:
            for row in csv.DictReader(manifest):
                receipt = (receipts / row.pop("file")).read_bytes()
                # Some files hold base64 already.
                text = base64.b64encode(receipt) if receipt[:1] == b"0" else b"".join(receipt.split())
                out.write(dumped({key: value for key, value in row.items() if value} | {"receipt_data": text.decode()}))
        (sample / "root.cer").replace(folder / "root.cer")
        shutil.rmtree(sample)

    def sample(self, folder, count, *options):
        self.make("sample", folder, "--count", count, "--seed", 1, *options)

    def make(self, *arguments):
        subprocess.run([self.lab, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)

    def made(self, name, make):
        """The folder of this name. It is made under another, so that it is whole if it is there."""
        folder, part = self.folder / name, self.folder / f"part.{name}"
        if not folder.exists():
            print(f"making {folder}, once", flush=True)
            self.folder.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(part, ignore_errors=True)
            make(part)
            part.rename(folder)
        return folder


def dumped(row):
    return json.dumps(row, separators=(",", ":")) + "\n"


def sorted_lines(path):
    """The lines of a file in the order of `presented_at`; only their places are held in memory."""
    with path.open("rb") as file:
        places, start = [], 0
        for line in file:
            presented = re.search(rb'"presented_at":"([^"]*)"', line)
            places.append((presented[1] if presented else b"", start, len(line)))
            start += len(line)
        for _, start, size in sorted(places):
            file.seek(start)
            yield file.read(size)
