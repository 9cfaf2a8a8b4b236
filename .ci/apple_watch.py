"""apple_watch.py SOURCE : compares the members, values, types and roots that are known here with those of Apple's
app-store-server-library, which is installed, and whose SOURCE (tar.gz) has certificates.

Names each that is not in docs/app-store-members.md, Purchase.Kind or AppleRoots.swift, and fails if there is any. Appends
a dated line to docs/apple-watch.log.
"""
import base64, datetime, enum, importlib, importlib.metadata, pathlib, re, sys, tarfile, typing, uuid

import attr
from cryptography import x509
from cryptography.hazmat.primitives import hashes

TOP = pathlib.Path(__file__).resolve().parent.parent
PAYLOADS = {
    "notification": "ResponseBodyV2DecodedPayload", "realtime-request": "DecodedRealtimeRequestBody",
    "transaction": "JWSTransactionDecodedPayload", "renewal-info": "JWSRenewalInfoDecodedPayload",
    "app-transaction": "AppTransaction"}
# The types of the page under which the library's may stand: it has no dates and UUIDs of its own.
TYPES = {str: {"text", "UUID", "token (JWS)"}, uuid.UUID: {"UUID"}, int: {"number", "date"}, bool: {"flag"}}
# The product types, by the names of Purchase.Kind.
KINDS = {"Non-Consumable": "nonConsumable", "Consumable": "consumable", "Non-Renewing Subscription": "nonRenewing",
         "Auto-Renewable Subscription": "autoRenewable"}


def known_members():
    """The rows of docs/app-store-members.md: (kind, member) to its type, values and treatment."""
    rows, kind = {}, None
    for line in (TOP / "docs/app-store-members.md").read_text().splitlines():
        if line.startswith("## "):
            kind = line[3:]
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 5 and cells[1].startswith("`"):
            rows[kind, cells[1].strip("`")] = (cells[2].removesuffix(" **!**"), cells[3].replace("`", ""), cells[5])
    return rows


def is_listed(value, values, treatment):
    """Whether a value is in a cell of values: `A`, `B`, or 1, 2, or 0 to 9; or a period where the row has those."""
    if "ISO 8601" in treatment and re.fullmatch(r"P\d+[DWMY]", str(value)):
        return True
    numbers = re.fullmatch(r"(\d+) to (\d+)", values)
    if numbers and isinstance(value, int):
        return int(numbers[1]) <= value <= int(numbers[2])
    return str(value) in values.split(", ")


def members(model, prefix=""):
    """Each member of a model and of those inside it: its path, its type, and the values of an enum."""
    hints = typing.get_type_hints(model, vars(sys.modules[model.__module__]))
    for field in attr.fields(model):
        if field.metadata.get("typeOfField") == "raw":
            continue  # The raw text of the member before it.
        kind, path = hints.get(field.name, str), prefix + field.name
        if field.metadata.get("typeOfField") == "main" or typing.get_origin(kind) is typing.Union:
            kind = next((part for part in typing.get_args(kind) if part is not type(None)), kind)
        if typing.get_origin(kind) in (list, typing.List):
            kind, path = typing.get_args(kind)[0], path + "[]"
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            yield path, type(next(iter(kind)).value), [item.value for item in kind]
        elif attr.has(kind):
            yield path, "object", []
            yield from members(kind, path + ".")
        else:
            yield path, kind, []


def unknown_members():
    known, count = known_members(), [0, 0]
    for kind, name in PAYLOADS.items():
        module = importlib.import_module(f"appstoreserverlibrary.models.{name}")
        for path, type_, values in members(getattr(module, name)):
            row = known.get((kind, path.removesuffix("[]")))
            count = [count[0] + 1, count[1] + len(values)]
            if row is None:
                yield f"member {path} of {kind}", count
                continue
            is_array = path.endswith("[]")
            allowed = {"object"} if type_ == "object" else TYPES.get(type_, {str(type_)})
            if not (row[0].startswith("array of") if is_array else row[0] in allowed):
                yield f"type {type_} of {path} of {kind}, which is {row[0]} here", count
            for value in values:
                if not is_listed(value, *row[1:]):
                    yield f"value {value} of {path} of {kind}", count
    yield None, count


def unknown_kinds():
    from appstoreserverlibrary.models.Type import Type
    cases = re.findall(r"case (\w+) = \d", (TOP / "Sources/Receipts/Purchase.swift").read_text())
    return [f"product type {item.value}" for item in Type if KINDS.get(item.value) not in cases]


def unknown_roots(source):
    """The roots among the certificates in the library's sources that name Apple and are not built in."""
    known = re.findall(r'fingerprint: "(\w+)"', (TOP / "Sources/Proofs/Chains/AppleRoots.swift").read_text())
    seen, unknown = set(), set()
    with tarfile.open(source) as archive:
        for file in archive:
            text = archive.extractfile(file).read() if file.isfile() else b""
            for found in {*re.findall(rb"MII[A-Za-z0-9+/=]{400,}", text)}:
                try:
                    certificate = x509.load_der_x509_certificate(base64.b64decode(found))
                except ValueError:
                    continue
                if certificate.subject == certificate.issuer and "O=Apple Inc." in certificate.subject.rfc4514_string():
                    fingerprint = certificate.fingerprint(hashes.SHA256()).hex()
                    seen.add(fingerprint)
                    if fingerprint not in known:
                        unknown.add(f"root {certificate.subject.rfc4514_string()}, SHA-256 {fingerprint}")
    return sorted(unknown), len(seen)


def main():
    version = importlib.metadata.version("app-store-server-library")
    found = list(unknown_members())
    counts, (roots, seen) = found[-1][1], unknown_roots(sys.argv[1])
    unknown = [text for text, _ in found if text] + unknown_kinds() + roots
    if counts[0] < 150 or seen == 0:
        sys.exit(f"apple-watch: only {counts[0]} members and {seen} roots found: the library has another form")
    outcome = f"{counts[0]} members, {counts[1]} values, {seen} root certificates: {len(unknown)} unknown"
    with open(TOP / "docs/apple-watch.log", "a") as log:
        log.write(f"{datetime.date.today()} app-store-server-library {version}: {outcome}\n")
    for text in unknown:
        print(f"apple-watch: unknown {text}", file=sys.stderr)
    print(f"apple-watch: app-store-server-library {version}: {outcome}")
    sys.exit(1 if unknown else 0)


main()
