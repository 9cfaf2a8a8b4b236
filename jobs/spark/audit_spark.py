#!/usr/bin/env python3
"""Audits exports of App Store receipts on a Spark cluster: `audit run`, spread over machines.

The job ships the program `audit` to the workers, which does the work. Spark reads the claims, groups lines by key, and
writes the tables. README.md beside this file explains how to submit it.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy
import pyarrow
import pyarrow.compute
from pyspark import SparkFiles, StorageLevel, TaskContext, cloudpickle
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

CHUNK = 1 << 20
# The exit code of a run that is done and in which an input check failed.
DOUBTFUL = 3
# More bytes than a file has.
WHOLE = 1 << 60

# Workers need nothing but Python with the packages of requirements.txt: the functions that they run are shipped whole, and
# not by the name of this module, which is on the driver only.
if __name__ != "__main__":
    cloudpickle.register_pickle_by_value(sys.modules[__name__])


class AuditError(RuntimeError):
    """Why an audit cannot be begun or done, in one sentence for people."""


# Filters: processes that read and write lines.


@dataclass
class Doubts:
    """What the program says of doubtful inputs, a line each, and its exit code: 3 if an input check failed."""

    lines: list[str] = field(default_factory=list)
    code: int = 0

    def add(self, said: str, code: int) -> None:
        """Adds what a process says: a line that another one has said counts once."""
        self.lines = list(dict.fromkeys([*self.lines, *said.splitlines()]))
        self.code = max(self.code, code)


@dataclass
class Step:
    """One step of the audit: the arguments of the program, and the files that Spark ships for it."""

    program: str
    verb: str
    options: list[str]
    files: list[tuple[str, str]] = field(default_factory=list)

    def command(self, extra: Iterable[str] = ()) -> list[str]:
        shipped = [word for option, name in self.files for word in (option, SparkFiles.get(name))]
        return [SparkFiles.get(self.program), self.verb, *self.options, *shipped, *extra]


def through(
    command: list[str], chunks: Iterable[memoryview | bytes], doubts: Doubts | None = None
) -> Iterator[bytes]:
    """Feeds chunks to a process, and yields its output in pieces of whole lines.

    Where `doubts` are asked for, what the process says of doubtful inputs is added to them, and is no error.
    """
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages, bufsize=0)
        assert process.stdin is not None and process.stdout is not None
        failure: list[Exception] = []

        def feed(stdin=process.stdin) -> None:
            try:
                for chunk in chunks:
                    view = memoryview(chunk)
                    while view:
                        view = view[stdin.write(view) :]
            except BrokenPipeError:
                pass  # The process ended before its input did; its exit code says why.
            except Exception as error:  # noqa: BLE001
                failure.append(error)
            finally:
                with contextlib.suppress(BrokenPipeError):
                    stdin.close()

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        try:
            rest = b""
            while piece := process.stdout.read(CHUNK):
                cut = piece.rfind(b"\n") + 1
                if cut:
                    yield rest + piece[:cut]
                    rest = piece[cut:]
                else:
                    rest += piece
            if rest:
                yield rest
            feeder.join()
            code = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if failure:
            raise failure[0]
        messages.seek(0)
        said = messages.read().decode(errors="replace")
        if doubts is not None and code in (0, DOUBTFUL):
            doubts.add(said, code)
        elif code:
            raise AuditError(f"{command[0]} {command[1]}: exit code {code}: {said}")


def line_batch(piece: bytes) -> pyarrow.RecordBatch:
    """Returns whole lines as a column of bytes, each with its line feed."""
    ends = numpy.flatnonzero(numpy.frombuffer(piece, dtype=numpy.uint8) == 10).astype(numpy.int32) + 1
    offsets = numpy.concatenate((numpy.zeros(1, dtype=numpy.int32), ends))
    if offsets[-1] != len(piece):
        offsets = numpy.append(offsets, numpy.int32(len(piece)))
    column = pyarrow.Array.from_buffers(
        pyarrow.binary(), len(offsets) - 1, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(piece)]
    )
    return pyarrow.RecordBatch.from_arrays([column], names=["line"])


def bytes_of(column: pyarrow.Array) -> memoryview:
    """Returns all values of a column of bytes, concatenated, without a copy."""
    if len(column) == 0:
        return memoryview(b"")
    _, offsets, data = column.buffers()
    places = numpy.frombuffer(offsets, dtype=numpy.int32)
    return memoryview(data)[places[column.offset] : places[column.offset + len(column)]]


# Map: parts of files.


@dataclass(frozen=True)
class Part:
    """A part of a file that one process reads: the names of its claims, and its range in the file."""

    path: str
    name: str
    number: int
    first_line: int = 1
    start: int = 0
    end: int = -1  # -1 is the end of the file.
    # Whether there are other parts of the file. A few lines by themselves may look like other JSON.
    is_split: bool = False
    # Which part of all claims it is, as K/N, if that is known.
    part: str = ""

    def options(self) -> list[str]:
        form = ["--format", "ndjson"] if self.is_split else []
        place = ["--name", self.name, "--input-number", str(self.number), "--first-line", str(self.first_line)]
        return [*form, *place, *(["--part", self.part] if self.part else [])]

    def chunks(self) -> Iterator[bytes]:
        with open(self.path.removeprefix("file:"), "rb", buffering=0) as file:
            file.seek(self.start)
            left = self.end - self.start if self.end >= 0 else sys.maxsize
            while left > 0 and (chunk := file.read(min(left, CHUNK))):
                left -= len(chunk)
                yield chunk


def is_local(path: str) -> bool:
    """Whether workers can open the file under this path; other files only Spark can read."""
    return path.startswith("file:")


def part_mapper(step: Step, parts: list[Part]):
    """Pipes parts of local files, given by number, through `audit map`. Their bytes do not pass through Spark."""

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for number in (number for batch in batches for number in batch.column("id").to_pylist()):
            for piece in through(step.command(parts[number].options()), parts[number].chunks()):
                yield line_batch(piece)

    return run


def line_mapper(step: Step, parts: dict[tuple[int, int], Part]):
    """Pipes each partition, which holds the lines of a part of a file, through `audit map`."""

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        batches = (batch for batch in batches if batch.num_rows)
        batch = next(batches, None)
        if batch is None:
            return
        place = place_of(batch)

        def chunks() -> Iterator[memoryview]:
            yield lines_of(batch)
            for other in batches:
                if place_of(other) != place:
                    raise RuntimeError("a partition holds more than one part of a file")
                yield lines_of(other)

        for piece in through(step.command(parts[place].options()), chunks()):
            yield line_batch(piece)

    return run


def place_of(batch: pyarrow.RecordBatch) -> tuple[int, int]:
    """Returns the number of the file of a batch's lines, and the offset at which their part begins."""
    first, last = ((batch.column("file")[row].as_py(), batch.column("start")[row].as_py()) for row in (0, -1))
    if first != last:
        raise RuntimeError("a partition holds more than one part of a file")
    return first


def lines_of(batch: pyarrow.RecordBatch) -> memoryview:
    """Returns the lines of a batch, each with a line feed."""
    return bytes_of(pyarrow.compute.binary_join_element_wise(batch.column("value"), b"", b"\n"))


def reducer(step: Step, first: bytes = b""):
    """Pipes the lines `first` and then a partition through `audit reduce`."""

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        batch = next(batches, None)
        if batch is None:
            return

        def chunks() -> Iterator[memoryview | bytes]:
            yield first
            yield bytes_of(batch.column("line"))
            for other in batches:
                yield bytes_of(other.column("line"))

        for piece in through(step.command(), chunks()):
            yield line_batch(piece)

    return run


# The job.


@dataclass
class Input:
    """A file of claims."""

    path: str
    length: int
    written: str
    name: str = ""
    # Whether it has a JSON object a line, and is not compressed: then it can be read in parts.
    is_lines: bool = False


def inputs(spark: SparkSession, patterns: list[str]) -> list[Input]:
    """Returns the files of each pattern in the order of their paths, with the names that `audit run` gives them."""
    files: list[Input] = []
    for pattern in patterns:
        listed = spark.read.format("binaryFile").load(pattern).select("path", "length").orderBy("path").collect()
        for row in listed:
            files.append(Input(row.path, row.length, written(pattern, row.path)))
    for file in files:
        file.name = os.path.basename(file.written) if len(files) == 1 else file.written
        file.is_lines = is_lines(start(spark, file.path))
    if not files:
        raise AuditError(f"no such input: {', '.join(patterns)}")
    return files


def start(spark: SparkSession, path: str, count: int = 1 << 20) -> bytes:
    """Returns the first bytes of a file as they are stored."""
    if is_local(path):
        with open(path.removeprefix("file:"), "rb") as file:
            return file.read(count)
    place = spark._jvm.org.apache.hadoop.fs.Path(path)
    stream = place.getFileSystem(spark._jsc.hadoopConfiguration()).open(place)
    try:
        bounded = spark._jvm.org.apache.commons.io.input.BoundedInputStream(stream, count)
        return bytes(spark._jvm.org.apache.commons.io.IOUtils.toByteArray(bounded))
    finally:
        stream.close()


def is_lines(text: bytes) -> bool:
    """Whether a file that begins so has a JSON object a line."""
    text = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    line, found, _ = text.partition(b"\n")
    return text.startswith(b"{") and (not found or line.rstrip().endswith(b"}"))


def written(pattern: str, path: str) -> str:
    """Returns the name of a file as a shell would pass it on for a pattern: local files are named by their paths, others
    by their URLs."""
    if re.match("[a-z0-9]+:", pattern):
        return path if re.search(r"[*?\[{]", pattern) or os.path.basename(path) != os.path.basename(pattern) else pattern
    given = re.split(r"[*?\[{]", pattern)[0]
    folder = pattern if os.path.isdir(pattern) else os.path.dirname(given)
    return os.path.join(folder, os.path.relpath(re.sub("^file:/*", "/", path), os.path.abspath(folder)))


def map_local(spark: SparkSession, step: Step, files: list[Input], split: int) -> DataFrame:
    """Maps files that workers open themselves."""
    blocks = [
        Part(file.path, file.name, number, 1, start, min(start + split, file.length))
        for number, file in enumerate(files)
        for start in range(0, max(file.length, 1), split if file.is_lines else file.length + 1)
    ]
    context = spark.sparkContext
    counted: list[tuple[int, int]] = [(0, -1)] * len(blocks)
    if len(blocks) > len(files):
        counted = context.parallelize(blocks, len(blocks)).map(line_feeds).collect()
    parts: list[Part] = []
    before = 0
    for block, (count, first) in zip(blocks, counted):
        if block.start == 0:
            parts.append(replace(block, end=-1))
            before = 0
        elif first >= 0:
            # A line belongs to the block in which it begins.
            parts[-1] = replace(parts[-1], end=first + 1, is_split=True)
            parts.append(replace(block, start=first + 1, end=-1, first_line=before + 2, is_split=True))
        before += count
    parts = [replace(part, part=f"{number + 1}/{len(parts)}") for number, part in enumerate(parts)]
    numbers = spark.range(0, len(parts), 1, len(parts))
    return numbers.mapInArrow(part_mapper(step, parts), "line binary")


def line_feeds(block: Part) -> tuple[int, int]:
    """Returns the number of line feeds in a block of a file, and the offset of the first; -1 if there is none."""
    count, first, position = 0, -1, block.start
    for chunk in block.chunks():
        if first < 0 and (found := chunk.find(b"\n")) >= 0:
            first = position + found
        count += chunk.count(b"\n")
        position += len(chunk)
    return count, first


def map_remote(spark: SparkSession, step: Step, files: list[Input], split: int) -> DataFrame:
    """Maps files that only Spark can read: HDFS, object stores."""
    lines = reduce(DataFrame.unionAll, (read(spark, number, file) for number, file in enumerate(files)))
    parts = {(number, 0): Part(file.path, file.name, number) for number, file in enumerate(files)}
    # Only in files that are read in several parts do lines have to be counted.
    large = [number for number, file in enumerate(files) if file.length > split]
    next_line = dict.fromkeys(large, 1)
    if large:
        counted = lines.where(f.col("file").isin(large)).groupBy("file", "start").count()
        for row in counted.orderBy("file", "start").collect():
            file = files[row.file]
            parts[row.file, row.start] = Part(file.path, file.name, row.file, next_line[row.file], is_split=True)
            next_line[row.file] += row["count"]
    return lines.mapInArrow(line_mapper(step, parts), "line binary")


def read(spark: SparkSession, number: int, file: Input) -> DataFrame:
    """Reads the lines of a file as bytes, each with the part of the file that it is in."""
    lines = spark.read.option("lineSep", "\n").text(file.path)
    return lines.select(
        f.lit(number).alias("file"),
        f.col("_metadata.file_block_start").alias("start"),
        f.col("value").cast("binary").alias("value"),
    )


def keyed(lines: DataFrame) -> DataFrame:
    """Adds the first character of each line, which is the kind of its key; for rows of tables it is a brace."""
    return lines.withColumn("kind", f.substring(f.col("line").cast("string"), 1, 1))


def key() -> Column:
    """Returns the key of a line."""
    return f.substring_index(f.col("line").cast("string"), "\t", 1)


def grouped(lines: DataFrame, partitions: int) -> DataFrame:
    """Groups lines so that those of one key are adjacent, in one partition."""
    keys = lines.select("line", key().alias("key"))
    return keys.repartition(partitions, "key").sortWithinPartitions("key").select("line")


def collected(lines: DataFrame) -> bytes:
    """Returns the lines of all partitions, sorted by key, as `audit reduce` needs them."""
    return b"".join(sorted(bytes(row.line) for row in lines.select("line").collect()))


def run(spark: SparkSession, options: argparse.Namespace) -> int:
    """Runs the job, and returns its exit code: 0, or 3 if an input check failed.

    The tables are written beside the output and renamed when all are there. A file system renames a folder at once; an
    object store copies it.
    """
    final = spark._jvm.org.apache.hadoop.fs.Path(options.output)
    files = final.getFileSystem(spark._jsc.hadoopConfiguration())
    if files.exists(final):
        raise AuditError(f"{options.output} exists already: the job writes a folder that does not exist yet")
    # Spark ships a file under its name once a session.
    mark = uuid.uuid4().hex[:8]
    draft = f"{options.output.rstrip('/')}.{mark}.incomplete"
    hidden = spark._jvm.org.apache.hadoop.fs.Path(draft)
    try:
        with tempfile.TemporaryDirectory(prefix="audit-evidence.") as folder:
            doubts = write_all(spark, options, draft, os.path.join(folder, f"evidence.{mark}.index"))
        if files.exists(final) or not files.rename(hidden, final):
            raise AuditError(f"{draft} cannot be renamed to {options.output}")
    finally:
        files.delete(hidden, True)
    for line in doubts.lines:
        print(line, file=sys.stderr)
    return doubts.code


def told(
    spark: SparkSession, command: list[str], index: str, evidence: list[str], doubts: Doubts
) -> DataFrame:
    """Verifies the evidence, on the driver: what it says as lines, and an index of it in a file."""
    words = [word for path in evidence for word in ("--evidence", path)]
    pieces = through([*command, *words, "--evidence-index", index], [], doubts)
    rows = [(bytearray(line),) for piece in pieces for line in piece.splitlines(keepends=True)]
    return spark.createDataFrame(rows, "line binary")


def check(command: list[str]) -> None:
    """Ends the job with what the program says of its options, before any work is done."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        raise AuditError(done.stderr.decode(errors="replace").strip().removeprefix("audit: error: "))


@dataclass
class Known:
    """What the driver and the workers know of an audit: the program, the files that are shipped, and the evidence."""

    program: str
    common: list[str]
    shipped: list[tuple[str, str]]
    # The same options with paths on the driver.
    here: list[str]
    # What evidence says, as lines, if there is any, and how a worker is given its index.
    evidence: list[DataFrame]
    index: list[tuple[str, str]]
    # What the program says of the evidence, and later of the claims.
    doubts: Doubts

    def command(self, verb: str) -> list[str]:
        """Returns a command on the driver."""
        return [SparkFiles.get(self.program), verb, *self.common, *self.here]

    def step(self, verb: str, *options: str) -> Step:
        """Returns a command on the workers."""
        files = [*self.shipped, *self.index] if verb == "map" else self.shipped
        return Step(self.program, verb, [*self.common, *options], files)


def known(spark: SparkSession, options: argparse.Namespace, index: str) -> Known:
    """Ships the program and its files, checks the options, and verifies the evidence, with its index in a file."""
    context = spark.sparkContext
    shared: list[tuple[str, str]] = [("--root", path) for path in options.roots]
    if options.policy:
        shared.append(("--policy", options.policy))
    if options.pseudonymise:
        shared.append(("--pseudonymise", options.pseudonymise))
    for path in [options.audit, *(path for _, path in shared)]:
        context.addFile(path)
    # The driver has a copy of what it ships, wherever that came from; the summary names files as they were given.
    copies = [path if os.path.exists(path) else SparkFiles.get(os.path.basename(path)) for _, path in shared]
    found = Known(
        program=os.path.basename(options.audit),
        common=["--as-of", options.as_of, "--csv"],
        shipped=[(option, os.path.basename(path)) for option, path in shared],
        here=[word for (option, _), path in zip(shared, copies) for word in (option, path)],
        evidence=[],
        index=[],
        doubts=Doubts(),
    )
    check([*found.command("reduce"), *limits(options)])
    check([*found.command("map"), *names(options)])
    if options.evidence:
        # It counts once, so one process writes what it says; all others look purchases up in the index.
        found.evidence = [told(spark, found.command("map"), index, options.evidence, found.doubts)]
        context.addFile(index)
        found.index = [("--evidence", os.path.basename(index))]
    return found


def tables(
    spark: SparkSession, options: argparse.Namespace, known: Known, claimed: DataFrame, inputs: list[str]
) -> tuple[dict[str, DataFrame], bytes]:
    """Returns the lines of each table and the rows of the summary of the inputs, which have these names.

    `claimed` has the lines that `audit map` writes of the claims.
    """
    reduce_step = known.step("reduce")
    lines = reduce(DataFrame.unionAll, [claimed, *known.evidence])

    # Each of the following is expensive and used at least twice, so it is stored on the workers.
    mapped = keyed(lines).persist(StorageLevel.DISK_ONLY)
    # What all claims together say of the forms of accounts, every reducer that reads accounts must know.
    accounts = collected(mapped.where("kind = '#'"))
    groups = mapped.where("kind in ('r', 't', 'd', 'a', 'b', 'n', 'p', 'u')")
    reduced = grouped(groups, options.partitions).mapInArrow(reducer(reduce_step, accounts), "line binary")
    found = keyed(reduced).persist(StorageLevel.DISK_ONLY)

    # Rings and waves are few and small: the driver joins them, and every reducer of claims reads them first.
    joining = collected(mapped.unionAll(found).where("kind = 'j'"))
    reducing = known.command("reduce")
    rings = b"".join(through(reducing, [joining]))
    ring_lines = rings.splitlines(keepends=True)
    # What must be known of findings before claims are joined with them: rings and waves.
    notices = accounts + collected(found.where("kind = '0'")) + b"".join(line for line in ring_lines if line.startswith(b"0"))
    claims = grouped(mapped.unionAll(found).where("kind = 'c'"), options.partitions)
    joined = keyed(claims.mapInArrow(reducer(reduce_step, notices), "line binary")).persist(StorageLevel.DISK_ONLY)

    # What was found about one subject is merged, with the claims that it is about.
    ring_findings = [(bytearray(line),) for line in ring_lines if line.startswith(b"f")]
    parts = [mapped, found, joined, keyed(spark.createDataFrame(ring_findings, "line binary"))]
    findings = grouped(reduce(DataFrame.unionAll, parts).where("kind = 'f'"), options.partitions)
    reported = keyed(findings.mapInArrow(reducer(reduce_step, accounts), "line binary")).persist(StorageLevel.DISK_ONLY)

    # What findings say of one account, device, person, transaction, receipt or signer is brought together.
    # So are the refunds of transactions that Apple asks about, which groups have.
    concerned = reported.unionAll(found).where("kind = 'e'")
    entities = grouped(concerned, options.partitions)
    listed = keyed(entities.mapInArrow(reducer(reduce_step), "line binary")).persist(StorageLevel.DISK_ONLY)

    # What every process has written and read: the last step compares it.
    counts = collected(reduce(DataFrame.unionAll, (mapped, found, joined, reported, listed)).where("kind = 's'"))
    counts += b"".join(line for line in ring_lines if line.startswith(b"s"))
    named = [word for name in inputs for word in ("--input", name)]
    named += [word for name in options.evidence or [] for word in ("--evidence", name)]
    summary = b"".join(through([*reducing, *named, *limits(options)], [counts], known.doubts))
    totals = spark.createDataFrame([(bytearray(line),) for line in summary.splitlines(keepends=True)], "line binary")
    sources = {
        "receipts": joined,
        "fraud": reported,
        "links": reported,
        "entities": listed,
        "purchases": mapped,
        "subscriptions": found,
        "retention": keyed(totals),
        "metrics": keyed(totals),
        # Empty, as a cluster has no ledger.
        "rule_quality": keyed(totals),
        "summary": keyed(totals),
    }
    if known.evidence:
        sources["evidence"] = keyed(known.evidence[0])
        sources["refund_requests"] = listed
        sources["unclaimed"] = within(window(summary), listed)
    return {table: rows.where("kind = '{'") for table, rows in sources.items()}, summary


def window(summary: bytes) -> tuple[str, str, list[str] | None]:
    """Returns from when on and before when a purchase must have been made to be unclaimed, and of which apps."""
    ends = (json.loads(line) for line in summary.splitlines() if line.startswith(b'{"table":"end"'))
    end = next(end for end in ends if end["of"] == "unclaimed")
    return end["since"], end["before"], end.get("apps")


def within(window: tuple[str, str, list[str] | None], rows: DataFrame) -> DataFrame:
    """Returns the lines whose purchases are in a window; none if no claim is dated."""
    since, before, apps = window
    made = f.get_json_object(f.col("line").cast("string"), "$.purchased_at")
    app = f.get_json_object(f.col("line").cast("string"), "$.bundle_id")
    rows = rows.where(app.isin(apps)) if apps is not None else rows
    return rows.where((made >= since) & (made < before) if since else f.lit(False))


def write_all(spark: SparkSession, options: argparse.Namespace, output: str, index: str) -> Doubts:
    """Audits the files that the options name, writes the tables, and returns what is wrong with the inputs."""
    found = known(spark, options, index)
    form = ["--format", options.format] if options.format else []
    map_step = found.step("map", "--purchases", *form, *names(options), "--root-folder", options.root_folder)
    files = inputs(spark, options.input)
    is_direct = all(is_local(file.path) for file in files) and not options.through_spark
    # A list is short, and a table is read from its header on: neither is split. Spark splits all files or none.
    is_whole = options.format in ("csv", "paths") or not is_direct and not all(file.is_lines for file in files)
    split = WHOLE if is_whole else options.split_bytes
    spark.conf.set("spark.sql.files.maxPartitionBytes", split)
    claimed = (map_local if is_direct else map_remote)(spark, map_step, files, split)
    sources, summary = tables(spark, options, found, claimed, [file.written for file in files])
    columns = columns_of(SparkFiles.get(found.program))
    for table, rows in sources.items():
        write(table, columns[table], rows, output, options.output_files)
    say(summary)
    return found.doubts


def row_mapper(step: Step, name: str):
    """Pipes each partition of claims, a JSON object a row, through `audit map`."""

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        context = TaskContext.get()
        number = str(context.partitionId() if context else 0)
        options = ["--name", f"{name}-{number}", "--input-number", number]
        for piece in through(step.command(options), (lines_of(batch) for batch in batches)):
            yield line_batch(piece)

    return run


def audit(
    claims: DataFrame,
    *,
    program: str,
    as_of: str,
    policy: str | None = None,
    roots: Iterable[str] = (),
    evidence: Iterable[str] = (),
    partitions: int = 64,
    columns: Iterable[str] = (),
    pseudonymise: str | None = None,
    name: str = "claims",
) -> dict[str, DataFrame]:
    """Audits a DataFrame of claims, and returns the tables of `audit run` by their names, with typed columns.

    The columns of `claims` are those of a table that `audit run` reads, under their own names or the other names that it
    knows: `receipt_data` (text or binary), `device_id`, `account_id`, `presented_at` and so on; `columns` maps others:
    `["device_id=vendor_uuid"]`. The source of a claim is the name, its partition and its row there. `program` is the
    path or URL of the program; policy, roots, evidence and pseudonymise are as in `audit run`. What is wrong with the claims
    as a whole is a warning; what cannot be done is an `AuditError`.

    The settings that the job needs are set in the session and stay: the tables are computed when they are used.
    """
    spark = claims.sparkSession
    words = ["--input", name, "--audit", program, "--as-of", as_of, "--output", "", "--partitions", str(partitions)]
    words += ["--policy", policy] if policy else []
    words += ["--pseudonymise", pseudonymise] if pseudonymise else []
    words += [word for path in roots for word in ("--roots", path)]
    words += [word for path in evidence for word in ("--evidence", path)]
    words += [word for column in columns for word in ("--columns", column)]
    options = arguments(words)
    configure(spark, options)
    # Workers fetch the index when they need it.
    folder = tempfile.mkdtemp(prefix="audit-evidence.")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    found = known(spark, options, os.path.join(folder, f"evidence.{uuid.uuid4().hex[:8]}.index"))
    cells = [text_of(column).alias(column) if kind == "binary" else f.col(column) for column, kind in claims.dtypes]
    lines = claims.select(f.to_json(f.struct(*cells)).cast("binary").alias("value"))
    map_step = found.step("map", "--purchases", "--format", "ndjson", *names(options))
    claimed = lines.mapInArrow(row_mapper(map_step, name), "line binary")
    sources, _ = tables(spark, options, found, claimed, [name])
    for line in found.doubts.lines:
        warnings.warn(line, stacklevel=2)
    kinds = columns_of(SparkFiles.get(found.program))
    return {table: typed(table, kinds[table], rows) for table, rows in sources.items()}


def text_of(column: str) -> Column:
    """Returns a binary column as text: tokens are text, and anything else becomes base64.

    Spark breaks base64 into lines; a claim that is not genuine is identified by its text.
    """
    is_token = f.substring(column, 1, 3) == f.lit(b"eyJ")
    return f.when(is_token, f.col(column).cast("string")).otherwise(f.translate(f.base64(column), "\r\n", ""))


def limits(options: argparse.Namespace) -> list[str]:
    """Returns the options that say what inputs must be."""
    words = ["--allow-empty"] if options.allow_empty else []
    words += ["--unclaimed-ended"] if options.unclaimed_ended else []
    for name, value in (
        ("--min-claims", options.min_claims),
        ("--max-unreadable", options.max_unreadable),
        ("--unclaimed-after", options.unclaimed_after),
    ):
        words += [name, str(value)] if value is not None else []
    return words


def names(options: argparse.Namespace) -> list[str]:
    """Returns the options that say how the export is written."""
    words = [word for column in options.columns for word in ("--columns", column)]
    return words + (["--null", options.null] if options.null is not None else [])


def say(summary: bytes) -> None:
    """Prints how many claims there are of each verdict, and how many findings of each severity."""
    rows = [row for line in summary.splitlines() if line.startswith(b"{") for row in [json.loads(line)]]
    for section, measure in ("verdicts", "claims"), ("findings", "findings"):
        counts = [
            f"{row['item'].replace(';', ' ')} {row['value']}"
            for row in rows
            if (row["table"], row.get("section"), row.get("measure")) == ("summary", section, measure)
        ]
        print(f"audit: {section}: {', '.join(counts) or 'none'}", file=sys.stderr)


def of_table(table: str, rows: DataFrame) -> DataFrame:
    """Returns the rows of a table among rows of several, as JSON."""
    text = f.col("line").cast("string")
    return rows.select(text.alias("text")).where(f.get_json_object("text", "$.table") == table)


def columns_of(program: str) -> dict[str, dict[str, str]]:
    """Returns the columns of each table with their types in Spark, as the program declares them."""
    command = [program, "rules", "--table-schema"]
    told = json.loads(subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout)
    formats = {"date-time": "timestamp", "decimal": "decimal(24,6)"}
    kinds = {"array": "array<string>", "integer": "bigint", "number": "double"}

    def kind(cell: dict) -> str:
        if "enum" in cell:
            return "boolean"
        first = cell["type"] if isinstance(cell["type"], str) else cell["type"][0]
        return formats.get(cell.get("format")) or kinds.get(first, "string")

    return {
        table: {name: kind(row["properties"][name]) for name in row["required"]}
        for table, row in told["$defs"].items()
    }


def typed(table: str, columns: dict[str, str], rows: DataFrame) -> DataFrame:
    """Returns the rows of a table with typed columns, in which text that is missing is null."""
    # Truth is a text in the rows: true, false, or empty if it is not known.
    schema = ", ".join(f"{name} {kind}" for name, kind in columns.items()).replace(" boolean", " string")
    truths = {name for name, kind in columns.items() if kind == "boolean"}
    parsed = of_table(table, rows).select(f.from_json("text", schema).alias("row")).select("row.*")

    def column(name: str, kind: str) -> Column:
        if name in truths:
            return f.when(f.col(name) == "true", True).when(f.col(name) == "false", False).alias(name)
        return f.when(f.col(name) != "", f.col(name)).alias(name) if kind == "string" else f.col(name)

    return parsed.select([column(name, kind) for name, kind in parsed.dtypes])


def write(table: str, columns: dict[str, str], rows: DataFrame, folder: str, files: int) -> None:
    """Writes a table as CSV, whose rows are those of `audit run`, and as Parquet."""
    csv = of_table(table, rows).select(f.get_json_object("text", "$.csv").alias("value"))
    csv.coalesce(files).write.option("lineSep", "\r\n").text(f"{folder}/{table}.csv")
    typed(table, columns, rows).coalesce(files).write.parquet(f"{folder}/{table}.parquet")


class Parser(argparse.ArgumentParser):
    """A parser that ends no process: a caller of `audit` in a notebook is told what is wrong by an exception."""

    def error(self, message: str) -> None:
        raise AuditError(f"{message}; see --help")


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = Parser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--input", action="append", required=True, help="a file of claims, or a pattern; repeatable")
    parser.add_argument(
        "--format", choices=("ndjson", "csv", "paths"), help="of all files; by default each file's first bytes tell"
    )
    parser.add_argument(
        "--columns", action="append", default=[], help="read a column under another name: device_id=uuid; repeatable"
    )
    parser.add_argument("--null", help="what stands for an empty cell in tables, besides \\N")
    parser.add_argument("--audit", required=True, help="the program, as `make release` builds it")
    parser.add_argument("--as-of", required=True, help="the reference time")
    parser.add_argument("--policy", help="a policy file")
    parser.add_argument(
        "--pseudonymise", help="write pseudonyms instead of device and account ids, made with the key in this file"
    )
    parser.add_argument(
        "--evidence", action="append", default=[], help="notifications and API answers, on the driver; repeatable"
    )
    parser.add_argument(
        "--roots", action="append", default=[], help="a root certificate, instead of Apple's; repeatable"
    )
    parser.add_argument("--output", required=True, help="a folder that does not exist yet")
    parser.add_argument("--partitions", type=int, default=64, help="the number of partitions of keys (default: 64)")
    parser.add_argument("--root-folder", default=".", help="the folder of receipt files, on every worker")
    parser.add_argument(
        "--split-bytes", type=int, default=1 << 30, help="read larger files of NDJSON in parts of this size (1 GiB)"
    )
    parser.add_argument(
        "--output-files", type=int, default=16, help="the most files that a table is written in (default: 16)"
    )
    parser.add_argument("--min-claims", type=int, help="exit with 3 if there are fewer claims")
    parser.add_argument("--unclaimed-after", type=int, help="days that a buyer has to present a purchase (3)")
    parser.add_argument("--unclaimed-ended", action="store_true", help="list ended subscriptions as unclaimed, too")
    parser.add_argument("--max-unreadable", type=float, help="exit with 3 if a greater share is unreadable (0.5)")
    parser.add_argument("--allow-empty", action="store_true", help="accept inputs without claims")
    parser.add_argument(
        "--log-level",
        choices=("ALL", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"),
        help="what Spark logs (default: as the cluster is configured)",
    )
    parser.add_argument("--through-spark", action="store_true", help="let Spark read files that workers could open")
    return parser.parse_args(words)


def configure(spark: SparkSession, options: argparse.Namespace) -> None:
    for key, value in {
        "spark.sql.session.timeZone": "UTC",
        # Other readers of Parquet know no INT96.
        "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
        "spark.sql.files.minPartitionNum": 1,
        "spark.sql.shuffle.partitions": options.partitions,
        # Partitions must stay as they are: groups must not be split, nor the parts of a file joined.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": 2000,
        # Aggregates are long lines.
        "spark.sql.execution.arrow.maxBytesPerBatch": 16 << 20,
    }.items():
        spark.conf.set(key, value)


def main() -> None:
    try:
        options = arguments()
    except AuditError as error:
        print(f"audit_spark: {error}", file=sys.stderr)
        sys.exit(64)
    spark = SparkSession.builder.appName("audit").config("spark.io.compression.codec", "zstd").getOrCreate()
    try:
        if options.log_level:
            spark.sparkContext.setLogLevel(options.log_level)
        configure(spark, options)
        code = run(spark, options)
    except AuditError as error:
        print(f"audit_spark: {error}", file=sys.stderr)
        code = 2
    finally:
        spark.stop()
    sys.exit(code)


if __name__ == "__main__":
    main()
