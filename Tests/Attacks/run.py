#!/usr/bin/env python3
"""Runs the attack suite that `audit-lab attacks DIR` writes against any command that prints a verdict.

    Tests/Attacks/run.py DIR --command 'NAME=mycheck {proof} {roots} {as_of} {device_id}' [--command …] [--markdown]

Each command runs once for each case, without a shell. Placeholders are {proof} (a file with the proof's octets), {roots}
(the trust anchors in PEM), {root} (the last of them in DER), {case} (the case's JSON file), and, as text, {as_of},
{device_id}, {device_verification_id}, {bundle_id} and {app_version}. A command accepts a proof if the first word that it
prints is `valid`, rejects it if that is `invalid` or `unreadable`, and otherwise accepts it with exit code 0. The script
exits with 1 if a command accepts a forgery or rejects a control.
"""
import argparse, base64, collections, json, pathlib, shlex, subprocess, sys, tempfile

WORDS = {"valid": True, "invalid": False, "unreadable": False}


def pem(der):
    return "-----BEGIN CERTIFICATE-----\n%s-----END CERTIFICATE-----\n" % base64.encodebytes(der).decode()


def accepts(command, case, file, folder, seconds):
    """Whether a command accepts a case's proof; a command that hangs does not."""
    roots = [base64.b64decode(root) for root in case["trust_anchors"]]
    names = {"proof": folder / "proof", "roots": folder / "roots.pem", "root": folder / "root.cer", "case": file}
    names["proof"].write_bytes(base64.b64decode(case["proof"]))
    names["roots"].write_text("".join(map(pem, roots)))
    names["root"].write_bytes(roots[-1])
    values = {key: str(value) for key, value in names.items()}
    values |= {key: case[key] or "" for key in ("as_of", "device_id", "device_verification_id", "bundle_id", "app_version")}
    words = [word.format(**values) for word in shlex.split(command)]
    try:
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    first = done.stdout.decode(errors="replace").split()[:1]
    return WORDS.get(first[0].lower().strip(":,."), done.returncode == 0) if first else done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--command", action="append", required=True, help="NAME=COMMAND")
    parser.add_argument("--only", default="", help="a part of the ids of cases to run")
    parser.add_argument("--markdown", action="store_true", help="print a table by groups, as in docs/attacks.md")
    parser.add_argument("--seconds", type=float, default=60, help="for each case and command")
    options = parser.parse_args()
    commands = dict(command.split("=", 1) for command in options.command)
    entries = [e for e in json.loads((options.suite / "index.json").read_text())["cases"] if options.only in e["id"]]
    wrong, totals = collections.defaultdict(list), collections.Counter(entry["group"] for entry in entries)
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            file = options.suite / entry["file"]
            case, wanted = json.loads(file.read_text()), entry["expected"]["verdict"] == "valid"
            for name, command in commands.items():
                if accepts(command, case, file, pathlib.Path(folder), options.seconds) != wanted:
                    wrong[name, entry["group"]].append(entry["id"] + " (may)" * entry["may_reject"])
    count = lambda name, groups: sum(len(wrong.get((name, group), [])) for group in groups)
    header = ["group", "cases", *commands]
    rows = [[group, str(n), *(str(count(name, [group])) for name in commands)] for group, n in totals.items()]
    rows.append(["all", str(len(entries)), *(str(count(name, totals)) for name in commands)])
    if options.markdown:
        lines = [header, ["---", "---:"] + ["---:"] * len(commands), *rows]
        print("\n".join("| " + " | ".join(line) + " |" for line in lines))
    else:
        for row in [header, *rows]:
            cells = [cell.rjust(max(7, len(top) + 2)) for top, cell in zip(header[1:], row[1:])]
            print(row[0].ljust(20) + "".join(cells))
        for (name, group), ids in wrong.items():
            print("%s %s: %s" % (name, "rejects" if group.endswith("controls") else "accepts", ", ".join(ids)))
    return any(not case.endswith("(may)") for ids in wrong.values() for case in ids)


sys.exit(main())
