"""The same claims in every format that `audit run` reads, made from a folder of receipts with its devices.csv."""

import base64
import csv
import gzip
import json
import pathlib
import shutil

FORMATS = ("folder", "csv", "ndjson", "csv.gz", "ndjson.gz")


def derive(folder: pathlib.Path, form: str) -> pathlib.Path:
    """The INPUT that holds the claims of `folder` in this format; made once."""
    if form == "folder":
        return folder
    table = folder.with_name(f"claims.{form}")
    if table.exists():
        return table
    part = table.with_name("part." + table.name)
    if form.endswith(".gz"):
        plain = derive(folder, form.removesuffix(".gz"))
        with plain.open("rb") as source, part.open("wb") as out:
            # No name and no time inside: the same bytes on every run.
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=out, mtime=0) as squeezed:
                shutil.copyfileobj(source, squeezed, 1 << 20)
    else:
        # In large pieces, as exports are written: of small ones the kernel keeps small pages, which take longer to read.
        with part.open("w", encoding="utf-8", newline="", buffering=1 << 20) as out:
            (_write_csv if form == "csv" else _write_ndjson)(folder, out)
    part.rename(table)
    return table


def _claims(folder: pathlib.Path):
    """Every row of devices.csv, with the receipt itself in the place of its file's name."""
    with (folder / "devices.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            receipt = (folder / row.pop("file")).read_bytes()
            # Some files hold base64 already.
            data = base64.b64encode(receipt).decode() if receipt[:1] == b"0" else b"".join(receipt.split()).decode()
            yield row | {"receipt_data": data}


def _write_csv(folder, out):
    writer = None
    for claim in _claims(folder):
        if writer is None:
            writer = csv.DictWriter(out, claim.keys(), lineterminator="\r\n")
            writer.writeheader()
        writer.writerow(claim)


def _write_ndjson(folder, out):
    for claim in _claims(folder):
        json.dump({key: value for key, value in claim.items() if value}, out, separators=(",", ":"))
        out.write("\n")
