"""Writes what a forger may write: certificates and PKCS #7 containers with anything in them.

Python 3.9 or newer, nothing besides its library; keys are made by the `openssl` command.
"""

import hashlib
import pathlib
import random
import subprocess

# Object identifiers, as the octets inside their elements.
DATA = bytes.fromhex("2a864886f70d010701")
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
PKCS1 = bytes.fromhex("2a864886f70d0101")
RSA = PKCS1 + b"\x01"
SHA1 = bytes.fromhex("2b0e03021a")
SHA256 = bytes.fromhex("608648016503040201")
NULL = b"\x05\x00"
LEAF_MARKER = bytes.fromhex("2a864886f76364060b01")
INTERMEDIATE_MARKER = bytes.fromhex("2a864886f76364060201")


def element(tag, *contents):
    """One element in DER."""
    body = b"".join(contents)
    if len(body) < 0x80:
        return bytes((tag, len(body))) + body
    length = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(length))) + length + body


def indefinite(tag, *contents):
    """One element with BER's indefinite length."""
    return bytes((tag, 0x80)) + b"".join(contents) + b"\0\0"


def integer(value):
    return element(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def oid(octets):
    return element(6, octets)


def algorithm(octets, parameters=NULL):
    return element(0x30, oid(octets), parameters)


def name(common_name):
    return element(0x30, element(0x31, element(0x30, oid(b"\x55\x04\x03"), element(12, common_name.encode()))))


def parse(der, start=0):
    """The tag of the element at `start`, and where its contents begin and end."""
    length, contents = der[start + 1], start + 2
    if length >= 0x80:
        count = length & 0x7F
        length = int.from_bytes(der[contents : contents + count], "big")
        contents += count
    return der[start], contents, contents + length


def children(der):
    """The elements inside the one element that `der` is, each whole."""
    _, position, end = parse(der)
    found = []
    while position < end:
        _, _, after = parse(der, position)
        found.append(der[position:after])
        position = after
    return found


def contents(der):
    _, start, end = parse(der)
    return der[start:end]


class RSAKey:
    """A private key that signs as PKCS #1, version 1.5, says."""

    def __init__(self, path: pathlib.Path, bits=2048):
        if not path.exists():
            run("openssl", "genrsa", "-out", path, str(bits))
        der = subprocess.run(
            ["openssl", "rsa", "-in", path, "-outform", "DER", "-traditional"], capture_output=True, check=True
        ).stdout
        numbers = [int.from_bytes(contents(child), "big") for child in children(der)]
        _, self.n, self.e, _, self.p, self.q, self.dp, self.dq, self.inverse = numbers
        self.octets = (self.n.bit_length() + 7) // 8

    @property
    def public(self):
        return rsa_public(self.n, self.e)

    def sign(self, message, digest="sha256"):
        info = element(
            0x30, algorithm(SHA256 if digest == "sha256" else SHA1), element(4, hashlib.new(digest, message).digest())
        )
        padded = int.from_bytes(b"\0\1" + b"\xff" * (self.octets - len(info) - 3) + b"\0" + info, "big")
        first, second = pow(padded, self.dp, self.p), pow(padded, self.dq, self.q)
        return (second + self.q * ((first - second) * self.inverse % self.p)).to_bytes(self.octets, "big")


def rsa_public(n, e):
    key = element(0x30, integer(n), integer(e))
    return element(0x30, algorithm(RSA), element(3, b"\0", key))


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def extensions(authority, marker=None):
    constraints = element(1, b"\xff") if authority else b""
    usage = b"\x01\x06" if authority else b"\x07\x80"
    fields = [
        element(0x30, oid(b"\x55\x1d\x13"), element(1, b"\xff"), element(4, element(0x30, constraints))),
        element(0x30, oid(b"\x55\x1d\x0f"), element(1, b"\xff"), element(4, element(3, usage))),
    ]
    if marker:
        fields.append(element(0x30, oid(marker), element(4, NULL)))
    return element(0xA3, element(0x30, *fields))


def certificate(subject, issuer, key, sign, identifier=algorithm(PKCS1 + b"\x0b"), serial=1, more=b""):
    """A certificate of this SubjectPublicKeyInfo; `sign` makes the signature's octets of what is signed."""
    validity = element(0x30, element(23, b"150101000000Z"), element(23, b"350101000000Z"))
    signed = element(
        0x30, element(0xA0, integer(2)), integer(serial), identifier, issuer, validity, subject, key, more
    )
    return element(0x30, signed, identifier, element(3, b"\0", sign(signed)))


class Authority:
    """A private infrastructure with names and markers like Apple's."""

    def __init__(self, folder: pathlib.Path, label="Benchmark"):
        folder.mkdir(parents=True, exist_ok=True)
        keys = [RSAKey(folder / f"{label}-{who}.pem") for who in ("root", "intermediate", "leaf")]
        self.names = [name(f"{label} {who}") for who in ("Root CA", "Developer Relations CA", "Receipt Signing")]
        self.leaf_key = keys[2]
        markers = [None, INTERMEDIATE_MARKER, LEAF_MARKER]
        issued = []
        for place in range(3):
            issuer = max(0, place - 1)
            issued.append(
                certificate(
                    self.names[place], self.names[issuer], keys[place].public, keys[issuer].sign, serial=place + 1,
                    more=extensions(place < 2, markers[place]),
                )
            )
        self.root = issued[0]
        self.certificates = issued[::-1]

    @property
    def identifier(self):
        return element(0x30, self.names[1], integer(3))

    def sign(self, content):
        return self.leaf_key.sign(content)


def signer_info(identifier, signature):
    return element(0x30, integer(1), identifier, algorithm(SHA256), algorithm(RSA), element(4, signature))


def container(content, certificates, signer_infos, digests=None, crls=b"", around=element, octets=None):
    """A ContentInfo of signedData. `around` writes the elements that hold the content, `octets` the content."""
    octets = octets or (lambda content: element(4, content))
    fields = [
        integer(1),
        element(0x31, *([algorithm(SHA256)] if digests is None else digests)),
        around(0x30, oid(DATA), around(0xA0, octets(content))),
        element(0xA0, *certificates),
        crls,
        element(0x31, *signer_infos),
    ]
    return around(0x30, oid(SIGNED_DATA), around(0xA0, around(0x30, *fields)))


class Chance:
    """Octets and numbers that are the same each time."""

    def __init__(self, seed=1):
        self.source = random.Random(seed)

    def octets(self, count):
        return self.source.getrandbits(8 * count).to_bytes(count, "big") if count else b""

    def modulus(self, bits):
        """An odd number with `bits` bits, which costs what a modulus costs. Nobody needs its factors to forge."""
        return self.source.getrandbits(bits) | 1 << (bits - 1) | 1
