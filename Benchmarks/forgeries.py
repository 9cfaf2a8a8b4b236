"""Every kind of claim that is made to be dear, in groups: what `Benchmarks/hostile` measures."""

import base64
import csv
import pathlib
import subprocess

import containers as c

RSA_DIGESTS = {"MD5": 4, "SHA-1": 5, "SHA-224": 14, "SHA-256": 11, "SHA-384": 12, "SHA-512": 13}
# What a certificate may say that it was signed with.
ALGORITHMS = {f"{digest} with RSA": c.algorithm(c.PKCS1 + bytes((last,))) for digest, last in RSA_DIGESTS.items()}
ALGORITHMS.update({
    "PSS": c.algorithm(c.PSS, c.element(0x30)),
    "ECDSA with SHA-256": c.algorithm(bytes.fromhex("2a8648ce3d040302"), b""),
    "ECDSA with SHA-384": c.algorithm(bytes.fromhex("2a8648ce3d040303"), b""),
    "Ed25519": c.algorithm(bytes.fromhex("2b6570"), b""),
    "DSA with SHA-256": c.algorithm(bytes.fromhex("608648016503040302"), b""),
    "an unknown algorithm": c.algorithm(bytes.fromhex("2a030405")),
})
EXPONENTS = {"3": 3, "2^32 - 1": (1 << 32) - 1, "of 3,071 bits": (1 << 3071) - 1}
CURVES = ("prime256v1", "secp384r1", "secp521r1")


class Store:
    """The receipts and the infrastructure that all kinds are made from."""

    def __init__(self, audit, folder: pathlib.Path):
        sample = folder / "sample"
        if not (sample / "receipts" / "devices.csv").exists():
            options = ("--count", 300, "--seed", 1, "--fraud", 0, "--plants", 0, "--tokens", 0, "--force")
            c.run(f"{audit}-lab", "sample", sample, *options)
        self.rows, self.contents = [], []
        with (sample / "receipts" / "devices.csv").open(newline="") as manifest:
            for row in csv.DictReader(manifest):
                stored = (sample / "receipts" / row.pop("file")).read_bytes()
                self.contents.append(content(stored if stored[:1] == b"0" else base64.b64decode(stored)))
                self.rows.append({key: value for key, value in row.items() if value})
        self.chance = c.Chance()
        keys = folder / "keys"
        self.authority = c.Authority(keys)
        # Anchors with other keys, which anybody may name, as Apple Root CA - G2 and - G3.
        self.roots = [keys / "root.cer", keys / "rsa-4096.cer", keys / "p-384.cer"]
        self.roots[0].write_bytes(self.authority.root)
        anchor(self.roots[1], "Benchmark Root CA - G2", "rsa:4096")
        anchor(self.roots[2], "Benchmark Root CA - G3", "ec", "ec_paramgen_curve:P-384")
        self.anchor_names = {"of the RSA anchor": self.authority.names[0]}
        for path, label in ((self.roots[1], "of an anchor with 4,096 bits"), (self.roots[2], "of the ECDSA anchor")):
            self.anchor_names[label] = c.children(c.children(path.read_bytes())[0])[5]
        self.keys = dict(self.public_keys(keys))
        self.signed = {}

    def genuine(self, number, more=0):
        """A genuine receipt, with `more` further octets in its content."""
        kept = self.signed.setdefault(more, {})
        place = number % len(self.contents)
        if place not in kept:
            kept[place] = self.container(self.content(place, more))
        return kept[place]

    def content(self, number, more=0):
        attributes = c.contents(self.contents[number % len(self.contents)])
        if more:
            value = bytes(more)
            attributes += c.element(0x30, c.integer(99), c.integer(1), c.element(4, value))
        return c.element(0x31, attributes)

    def container(self, content, **change):
        """A genuine receipt whose container may differ, signed by the private authority."""
        infos = [c.signer_info(self.authority.identifier, self.signature(content))]
        return c.container(content, self.authority.certificates, infos, **change)

    def signature(self, content):
        kept = self.signed.setdefault("signatures", {})
        if content not in kept:
            kept[content] = self.authority.sign(content)
        return kept[content]

    def public_keys(self, folder):
        """The SubjectPublicKeyInfo of every kind of key; of RSA's one that is new each time."""
        for bits in (1024, 2048, 3072, 4096, 8192, 16384):
            yield f"RSA-{bits}", lambda bits=bits: c.rsa_public(self.chance.modulus(bits), 65537)
        for label, exponent in EXPONENTS.items():
            bits = 3072 if exponent >> 64 else 2048
            make = lambda bits=bits, e=exponent: c.rsa_public(self.chance.modulus(bits), e)  # noqa: E731
            yield f"RSA-{bits}, exponent {label}", make
        for curve in CURVES:
            yield curve, lambda key=public(folder / f"{curve}.pem", "EC", f"ec_paramgen_curve:{curve}"): key
        yield "Ed25519", lambda key=public(folder / "ed25519.pem", "ED25519"): key
        yield "DSA-2048", lambda key=dsa(folder): key


def content(container):
    signed_data = c.children(c.children(c.children(container)[1])[0])
    return c.contents(c.children(c.children(signed_data[2])[1])[0])


def anchor(path, label, kind, option=None):
    if not path.exists():
        options = ["-pkeyopt", option] if option else []
        c.run("openssl", "req", "-x509", "-newkey", kind, *options, "-nodes", "-keyout", path.with_suffix(".pem"),
              "-subj", f"/CN={label}", "-days", 36500, "-outform", "DER", "-out", path)  # fmt: skip


def public(path, kind, option=None):
    if not path.exists():
        c.run("openssl", "genpkey", "-algorithm", kind, *(["-pkeyopt", option] if option else []), "-out", path)
    return subprocess.run(
        ["openssl", "pkey", "-in", path, "-pubout", "-outform", "DER"], capture_output=True, check=True
    ).stdout


def dsa(folder):
    path = folder / "dsa.pem"
    if not path.exists():
        c.run("openssl", "dsaparam", "-genkey", "-noout", "-out", path, 2048)
    return public(path, "DSA")


def groups(store):
    """Names of groups, each with its kinds: a name, and what makes the container of the n-th claim."""
    chance, authority = store.chance, store.authority
    issuers = dict(store.anchor_names)
    issuers["of the intermediate"] = authority.names[1]
    issuers["of its own"] = c.name("Nobody")

    def leaf(key, identifier, issuer, fresh=True):
        """A claim whose signer's certificate nobody signed; its serial number and signature are new each time."""

        def made():
            signature = chance.octets(256)
            return c.certificate(
                c.name("Nobody"), issuer, store.keys[key](), lambda _: signature, identifier,
                serial=chance.modulus(60), more=c.extensions(False, c.LEAF_MARKER),
            )  # fmt: skip

        same = made()

        def make(number):
            certificate = made() if fresh else same
            fields = c.children(c.children(certificate)[0])
            size = len(c.contents(fields[6])) if key.startswith("RSA") else 0
            signature = chance.octets(modulus_octets(key) if size else 256)
            info = c.signer_info(c.element(0x30, issuer, fields[1]), signature)
            return c.container(store.content(number), [certificate] + authority.certificates[1:], [info])

        return make

    for key in store.keys:
        kinds = [
            (f"{identifier}, issuer's name {issuer}", leaf(key, ALGORITHMS[identifier], issuers[issuer]))
            for identifier in ALGORITHMS
            for issuer in issuers
        ]
        yield f"new certificate with a key of {key}", kinds
    kinds = [
        (f"{key}, {identifier}, issuer's name {issuer}", leaf(key, ALGORITHMS[identifier], issuers[issuer], False))
        for key in ("RSA-2048", "RSA-16384", "secp384r1")
        for identifier in ("SHA-256 with RSA", "PSS", "ECDSA with SHA-384")
        for issuer in issuers
    ]
    yield "the same forged certificate each time", kinds
    yield "self-made chains", list(chains(store))
    yield "rewritten containers of genuine receipts", list(rewritten(store))
    yield "large containers", list(large(store))


def modulus_octets(key):
    return int(key[4:].split(",")[0]) // 8


def chains(store):
    """Certificates that bear the names of a genuine chain, or that only take time to look at."""
    chance, authority, names = store.chance, store.authority, store.authority.names

    def forged(subject, issuer, bits=2048, authority=True, more=b""):
        signature = chance.octets(256)
        return c.certificate(
            subject, issuer, c.rsa_public(chance.modulus(bits), 65537), lambda _: signature,
            serial=chance.modulus(60), more=more or c.extensions(authority),
        )  # fmt: skip

    def signed_by(first, others):
        def make(number):
            certificates = [first()] + others()
            fields = c.children(c.children(certificates[0])[0])
            info = c.signer_info(c.element(0x30, fields[3], fields[1]), chance.octets(256))
            return c.container(store.content(number), certificates, [info])

        return make

    def leaf():
        return forged(names[2], names[1], authority=False)

    yield "leaf, intermediate and root, all new", signed_by(
        leaf, lambda: [forged(names[1], names[0]), forged(names[0], names[0])])
    for label, anchor in store.anchor_names.items():
        yield f"seven look-alikes of the intermediate, issuer's name {label}", signed_by(
            leaf, lambda anchor=anchor: [forged(names[1], anchor) for _ in range(7)])
    yield "seven look-alikes, each signed by all the others", signed_by(
        lambda: forged(names[1], names[1]), lambda: [forged(names[1], names[1]) for _ in range(7)])

    def padding():
        return c.element(0xA3, c.element(0x30, c.element(0x30, c.oid(b"\x2a\x03"), c.element(4, bytes(15_000)))))

    yield "eight certificates of 16 KB", signed_by(
        lambda: forged(names[2], names[1], more=padding()),
        lambda: [forged(names[1], names[0], more=padding()) for _ in range(7)])
    long = c.name("x" * 7000)
    yield "eight certificates with Names of 7 KB, each signed by all the others", signed_by(
        lambda: forged(long, long), lambda: [forged(long, long) for _ in range(7)])
    yield "eight certificates with keys of 120,000 bits", signed_by(
        lambda: forged(names[2], names[1], 120_000), lambda: [forged(names[1], names[0], 120_000) for _ in range(7)])

    def genuine(others, is_broken=False):
        def make(number):
            content = store.content(number)
            signature = chance.octets(256) if is_broken else store.signature(content)
            certificates = authority.certificates + others()
            return c.container(content, certificates, [c.signer_info(authority.identifier, signature)])

        return make

    yield "a genuine chain, and a signature of chance", genuine(list, is_broken=True)
    yield "a genuine chain, and one certificate more", genuine(lambda: [forged(names[1], names[0])])
    yield "a genuine chain behind five look-alikes of the intermediate", lambda number: c.container(
        store.content(number),
        authority.certificates[:1] + [forged(names[1], names[0]) for _ in range(5)] + authority.certificates[1:],
        [c.signer_info(authority.identifier, store.signature(store.content(number)))])


def rewritten(store):
    """Genuine content, certificates and signature in a container that Apple did not write."""
    chance, authority = store.chance, store.authority

    def container(number, infos=None, **change):
        content = store.content(number)
        right = c.signer_info(authority.identifier, store.signature(content))
        return c.container(content, authority.certificates, infos(right, content) if infos else [right], **change)

    def rewrap(**change):
        return lambda number: container(number, **change)

    def pieces(size):
        return lambda content: c.indefinite(
            0x24, *(c.element(4, content[start : start + size]) for start in range(0, len(content), size)))

    def broken():
        return c.signer_info(authority.identifier, chance.octets(256))

    def stranger():
        return c.signer_info(c.element(0x30, c.name("Nobody"), c.integer(chance.modulus(60))), chance.octets(256))

    def attributes(content, more=b""):
        digest = c.hashlib.sha256(content).digest()
        kinds = [(3, c.oid(c.DATA)), (4, c.element(4, digest))]
        fields = [
            c.element(0x30, c.oid(bytes.fromhex("2a864886f70d0109") + bytes((last,))), c.element(0x31, value))
            for last, value in kinds
        ]
        return c.element(0xA0, *fields, more)

    yield "indefinite lengths", rewrap(around=c.indefinite, octets=pieces(1000))
    yield "the content in pieces of 16 octets", rewrap(around=c.indefinite, octets=pieces(16))
    yield "lengths of four octets", rewrap(around=c.long_length)
    yield "the SignerInfo twice", rewrap(infos=lambda right, _: [right, right])
    yield "three broken SignerInfos before the right one", rewrap(
        infos=lambda right, _: [broken(), broken(), broken(), right])
    yield "four broken SignerInfos", rewrap(infos=lambda right, _: [broken() for _ in range(4)])
    yield "three SignerInfos of nobody before the right one", rewrap(
        infos=lambda right, _: [stranger(), stranger(), stranger(), right])
    yield "five declared digests", rewrap(
        digests=[c.algorithm(digest) for digest in (c.SHA256, c.SHA1, c.PSS, c.PSS, c.PSS)])
    yield "no declared digest", rewrap(digests=[])
    yield "signed attributes", rewrap(infos=lambda right, content: [
        c.signer_info(authority.identifier, store.signature(content), signed=attributes(content))])
    yield "an unsigned attribute", rewrap(infos=lambda right, content: [
        c.signer_info(authority.identifier, store.signature(content), unsigned=c.element(0xA1, attributes(content)))])
    yield "named by a subjectKeyIdentifier", rewrap(infos=lambda right, content: [
        c.signer_info(c.element(0x80, chance.octets(20)), store.signature(content))])
    for identifier in ("PSS", "ECDSA with SHA-256", "SHA-512 with RSA"):
        yield f"a signature that says that it was made by {identifier}", rewrap(
            infos=lambda right, content, made_by=ALGORITHMS[identifier]: [
                c.signer_info(authority.identifier, store.signature(content), made_by=made_by)])


def large(store):
    """As much around the content as is read at all."""
    chance, authority = store.chance, store.authority
    most = 240_000

    def rewrap(infos=None, **change):
        def make(number):
            content = store.content(number)
            right = c.signer_info(authority.identifier, store.signature(content))
            made = infos(right, content) if infos else [right]
            return c.container(content, authority.certificates, made, **change)

        return make

    def many(part):
        return [part] * (most // len(part))

    other = c.signer_info(c.element(0x30, c.name("Nobody"), c.integer(7)), bytes(256))
    attribute = c.element(0x30, c.oid(b"\x2a\x03"), c.element(0x31, c.NULL))
    yield "SignerInfos of nobody", rewrap(infos=lambda right, _: many(other))
    yield "SignerInfos, all the right one", rewrap(infos=lambda right, _: many(right))
    yield "SignerInfos of nobody before the right one", rewrap(infos=lambda right, _: many(other) + [right])
    yield "declared digests", rewrap(digests=many(c.algorithm(c.SHA1)))
    yield "signed attributes", rewrap(infos=lambda right, content: [
        c.signer_info(authority.identifier, store.signature(content), signed=c.element(0xA0, *many(attribute)))])
    yield "unsigned attributes", rewrap(infos=lambda right, content: [
        c.signer_info(authority.identifier, store.signature(content), unsigned=c.element(0xA1, *many(attribute)))])
    yield "revocation lists", rewrap(crls=c.element(0xA1, *many(c.element(0x30, c.NULL))))
    yield "small certificates", lambda number: c.container(
        store.content(number), many(c.element(0x30, c.NULL)) + authority.certificates,
        [c.signer_info(authority.identifier, store.signature(store.content(number)))])
    yield "a subjectKeyIdentifier", rewrap(infos=lambda right, content: [
        c.signer_info(c.element(0x80, chance.octets(most)), store.signature(content))])
    yield "the Name of an issuer", rewrap(infos=lambda right, content: [
        c.signer_info(c.element(0x30, c.name("x" * most), c.integer(7)), store.signature(content))])
    yield "the content in pieces of one octet", rewrap(around=c.indefinite, octets=lambda content: c.indefinite(
        0x24, *(c.element(4, bytes((octet,))) for octet in content)))
