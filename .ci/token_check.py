"""token_check.py AUDIT COUNT : makes mutants of genuine tokens, audits them all, and asks two other verifiers about those
that are valid: Apple's app-store-server-library, and PyJWT with the key of the first certificate.

Fails if one of them refuses what is valid, or if what is valid says something else than the token that it was made of.
Tokens are those of the attack suite's controls, and those below RECEIPTS_CORPUS if it is set.
"""

import base64
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import jwt
from cryptography import x509

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Tests/Attacks"))
import apple  # noqa: E402

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
AS_OF = "2040-01-01"
# Apple's library must be told the environment and the app, and knows not all values of all members: tokens that it refuses
# for that are left out.
NOT_ASKED = {"INVALID_ENVIRONMENT", "INVALID_APP_IDENTIFIER", "ClassValidationError"}


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def encoded(octets):
    return base64.urlsafe_b64encode(octets).decode().rstrip("=")


def certificates(token):
    return [base64.b64decode(text) for text in json.loads(decoded(token.split(".")[0]))["x5c"]]


class Mutator:
    """Changes a token in one way of many, from a seed."""

    def __init__(self, tokens, seed):
        self.tokens, self.random = tokens, random.Random(seed)

    def mutant(self):
        """Returns a changed token, and the payload that it had."""
        token = self.random.choice(self.tokens)
        change = self.random.choice([self.octets, self.text, self.header, self.chain, self.signature, self.payload, self.parts])
        parts = token.split(".")
        return change(list(parts)), decoded(parts[1])

    def octets(self, parts):
        """Flips, inserts or removes an octet of a part."""
        index = self.random.randrange(3)
        octets = bytearray(decoded(parts[index]))
        place = self.random.randrange(len(octets))
        match self.random.randrange(3):
            case 0: octets[place] ^= 1 << self.random.randrange(8)
            case 1: octets.insert(place, self.random.randrange(256))
            case 2: del octets[place]
        parts[index] = encoded(bytes(octets))
        return ".".join(parts)

    def text(self, parts):
        """Changes the text of a part: padding, other alphabets, stray bits, blanks, more dots."""
        index = self.random.randrange(3)
        part = parts[index]
        place = self.random.randrange(len(part))
        change = self.random.randrange(7)
        if change == 0: part += "=" * self.random.randint(1, 3)
        elif change == 1: part = part.replace("-", "+").replace("_", "/")
        elif change == 2: part = part[:-1] + chr(ord(part[-1]) + 1)
        elif change == 3: part = part[:place] + self.random.choice(" \n\r\t.=+/\0") + part[place:]
        elif change == 4: part += self.random.choice("A.= ")
        elif change == 5: part = part[:place] + part[place + 1:]
        else: part = part[:place] + self.random.choice("ABCxyz012-_") + part[place + 1:]
        parts[index] = part
        return ".".join(parts)

    def header(self, parts):
        """Changes members of the header."""
        text = decoded(parts[0]).decode()
        header = json.loads(text)
        change = self.random.randrange(9)
        if change == 0: header["alg"] = self.random.choice(["none", "HS256", "ES384", "RS256", "es256", "", None, 1])
        elif change == 1: header[self.random.choice(["crit", "b64", "jku", "zip", "kid"])] = self.random.choice(["x", ["b64"], False])
        elif change == 2: del header["alg"]
        elif change == 3: header["jwk"] = {"kty": "EC", "crv": "P-256"}
        elif change == 4: return ".".join([encoded(json.dumps(header, indent=1).encode()), *parts[1:]])
        elif change == 5: return ".".join([encoded(("{\"alg\":\"none\"," + text[1:]).encode()), *parts[1:]])
        elif change == 6: return ".".join([encoded((text + self.random.choice([" ", "x", "{}"])).encode()), *parts[1:]])
        elif change == 7: header = dict(reversed(list(header.items())))
        else: header["x5u"] = header.pop("x5c")
        return ".".join([encoded(json.dumps(header, separators=(",", ":")).encode()), *parts[1:]])

    def chain(self, parts):
        """Changes the list of certificates, or a certificate."""
        header = json.loads(decoded(parts[0]))
        chain = header["x5c"]
        other = json.loads(decoded(self.random.choice(self.tokens).split(".")[0]))["x5c"]
        change = self.random.randrange(8)
        if change == 0: self.random.shuffle(chain)
        elif change == 1: del chain[self.random.randrange(len(chain))]
        elif change == 2: chain.insert(self.random.randrange(4), self.random.choice(chain + other))
        elif change == 3: chain[self.random.randrange(len(chain))] = self.random.choice(other)
        elif change == 4:
            index = self.random.randrange(len(chain))
            octets = bytearray(base64.b64decode(chain[index]))
            octets[self.random.randrange(len(octets))] ^= 1 << self.random.randrange(8)
            chain[index] = base64.b64encode(bytes(octets)).decode()
        elif change == 5: chain[0] = encoded(base64.b64decode(chain[0]))
        elif change == 6: chain[self.random.randrange(len(chain))] += self.random.choice(["A", "=", "AAAA", "\n"])
        else: header["x5c"] = self.random.choice([chain[0], [], None, {"0": chain[0]}, [chain]])
        return ".".join([encoded(json.dumps(header, separators=(",", ":")).encode()), *parts[1:]])

    def signature(self, parts):
        """Writes the signature in another way, or another one."""
        octets = decoded(parts[2])
        if len(octets) != 64: return ".".join(parts)
        r, s = int.from_bytes(octets[:32], "big"), int.from_bytes(octets[32:], "big")
        pairs = [(r, ORDER - s), (r, s + ORDER), (0, s), (r, 0), (s, r), (ORDER, s), (r + 1, s), (0, 0), (r, ORDER), (ORDER - r, s)]
        a, b = self.random.choice(pairs)
        size = 32 if max(a, b) < 1 << 256 else 33
        form = self.random.choice(["raw", "raw", "long", "DER"])
        if form == "DER":
            numbers = b"".join(bytes([2, len(n)]) + n for n in (x.to_bytes(33, "big") for x in (r, s)))
            written = bytes([0x30, len(numbers)]) + numbers
        else:
            size += form == "long"
            written = a.to_bytes(size, "big") + b.to_bytes(size, "big")
        return ".".join([*parts[:2], encoded(written)])

    def payload(self, parts):
        """Changes the payload, or writes the same in other octets."""
        text = decoded(parts[1]).decode()
        said = json.loads(text)
        change = self.random.randrange(6)
        if change == 0: text = json.dumps(said)
        elif change == 1: text += self.random.choice([" ", "x", "\0"])
        elif change == 2:
            name = self.random.choice(list(said))
            text = "{" + json.dumps(name) + ":" + json.dumps(said[name]) + "," + text[1:]
        elif change == 3: said.pop(self.random.choice(list(said))); text = json.dumps(said, separators=(",", ":"))
        elif change == 4: said["signedDate"] = 1 + int(said.get("signedDate") or 0); text = json.dumps(said, separators=(",", ":"))
        else: text = "\ufeff" + text
        return ".".join([parts[0], encoded(text.encode()), parts[2]])

    def parts(self, parts):
        """Exchanges parts with another token, or changes how many there are."""
        other = self.random.choice(self.tokens).split(".")
        change = self.random.randrange(4)
        if change == 0: parts[self.random.randrange(3)] = self.random.choice(other)
        elif change == 1: parts.insert(self.random.randrange(4), self.random.choice(["", *other]))
        elif change == 2: del parts[self.random.randrange(3)]
        else: parts = [parts[0], parts[1], other[2]]
        return ".".join(parts)


def audited(audit, tokens, roots, folder):
    """Returns the verdict of each token."""
    export, report = folder / "export.ndjson", folder / "report.ndjson"
    export.write_text("".join(json.dumps({"receipt_data": token}) + "\n" for token in tokens))
    words = [word for number, root in enumerate(roots) for word in ("--root", root_file(folder, number, root))]
    command = [audit, "run", export, *words, "--as-of", AS_OF, "--quiet", "--max-unreadable", "1", "--report", report]
    subprocess.run(command, check=True)
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert len(rows) == len(tokens)
    return [row["verdict"] for row in rows]


def root_file(folder, number, root):
    path = folder / f"root{number}.cer"
    path.write_bytes(root)
    return path


def jwt_refusal(token):
    """Returns why PyJWT refuses a token's signature with the key of its first certificate; None if it accepts it."""
    key = x509.load_der_x509_certificate(certificates(token)[0]).public_key()
    try:
        jwt.decode(token, key, algorithms=["ES256"], options={"verify_aud": False, "verify_iat": False})
    except Exception as error:  # whatever it is, the token is refused
        return type(error).__name__
    return None


def compare(name, audit, tokens, roots, count, folder):
    """Returns how many mutants are valid that must not be."""
    genuine = [token for token, verdict in zip(tokens, audited(audit, tokens, roots, folder)) if verdict == "valid"]
    if not genuine:
        sys.exit(f"token-check: {name}: none of {len(tokens)} tokens is valid")
    anchors = roots or sorted({certificates(token)[-1] for token in genuine})
    # Without a date, the library judges the certificates today.
    genuine = [token for token in genuine if {"signedDate", "receiptCreationDate"} & set(apple.payload(token))]
    refusals = {token: apple.refusal(token, anchors, None) or jwt_refusal(token) for token in genuine}
    wrong = [token for token, why in refusals.items() if why and why not in NOT_ASKED]
    for token in wrong:
        print(f"token-check: {name}: valid, but refused: {refusals[token]}: {token}")
    asked = [token for token, why in refusals.items() if not why]
    mutator = Mutator(asked, 1)
    made = [mutator.mutant() for _ in range(count)]
    verdicts = audited(audit, [token for token, _ in made], roots, folder)
    valid = [(token, was) for (token, was), verdict in zip(made, verdicts) if verdict == "valid"]
    for token, was in valid:
        stripped = token.strip()
        reasons = {"Apple": apple.refusal(stripped, anchors, None), "PyJWT": jwt_refusal(stripped)}
        if decoded(stripped.split(".")[1]) != was:
            reasons["payload"] = "changed"
        reasons = {who: why for who, why in reasons.items() if why}
        if reasons:
            wrong.append(token)
            print(f"token-check: {name}: valid, but {reasons}: {token}")
    refused = {verdict: verdicts.count(verdict) for verdict in sorted(set(verdicts))}
    print(f"{name}: {len(genuine)} of {len(tokens)} are valid, {len(asked)} for the others, too; {count} mutants: {refused}; {len(wrong)} wrong")
    return len(wrong)


def main():
    audit, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="token-check.") as place:
        folder = pathlib.Path(place)
        subprocess.run([f"{audit}-lab", "attacks", folder / "suite"], check=True, stderr=subprocess.DEVNULL)
        cases = [json.loads(path.read_bytes()) for path in sorted((folder / "suite/cases").glob("token-control-*.json"))]
        proofs = [(base64.b64decode(case["proof"]).decode("latin-1").strip(), case["trust_anchors"]) for case in cases]
        roots = [base64.b64decode(root) for root in proofs[0][1]]
        tokens = [token for token, anchors in proofs if anchors == proofs[0][1] and token.count(".") == 2]
        wrong += compare("made-up tokens", audit, tokens, roots, count, folder)
        if corpus := os.environ.get("RECEIPTS_CORPUS"):
            published = sorted(pathlib.Path(corpus).glob("jws/*.jws"))
            tokens = [path.read_text().strip() for path in published]
            wrong += compare("published tokens", audit, [token for token in tokens if token.count(".") == 2], [], count, folder)
        else:
            print("RECEIPTS_CORPUS is not set: published tokens are left out")
    sys.exit(1 if wrong else 0)


main()
