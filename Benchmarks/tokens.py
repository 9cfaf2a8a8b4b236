#!/usr/bin/env python3
"""tokens.py FOLDER COUNT : makes COUNT distinct transaction tokens, one a file, under a private root of Apple's shape.

Needs the package `cryptography`. The folder has tokens/ and root.cer afterwards; with a third argument, a path, the same
tokens are also written there as JSON lines.
"""
import base64, datetime, json, pathlib, sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
lines = open(sys.argv[3], "w") if len(sys.argv) > 3 else None
day = lambda year: datetime.datetime(year, 1, 1)


def certificate(name, key, issuer, issuer_key, marker, authority):
    builder = x509.CertificateBuilder().subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
    builder = builder.issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)]))
    builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
    builder = builder.not_valid_before(day(2020)).not_valid_after(day(2035))
    builder = builder.add_extension(x509.BasicConstraints(authority, None), True)
    usage = x509.KeyUsage(not authority, False, False, False, False, authority, authority, False, False)
    builder = builder.add_extension(usage, True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
    builder = builder.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False)
    if marker:
        oid = x509.ObjectIdentifier(marker)
        builder = builder.add_extension(x509.UnrecognizedExtension(oid, b"\x05\x00"), False)
    return builder.sign(issuer_key, hashes.SHA384()).public_bytes(serialization.Encoding.DER)


root, middle, leaf = (ec.generate_private_key(c()) for c in (ec.SECP384R1, ec.SECP384R1, ec.SECP256R1))
x5c = [
    certificate("Leaf", leaf, "Middle", middle, "1.2.840.113635.100.6.11.1", False),
    certificate("Middle", middle, "Root", root, "1.2.840.113635.100.6.2.1", True),
    certificate("Root", root, "Root", root, None, True),
]
(folder / "tokens").mkdir(parents=True, exist_ok=True)
(folder / "root.cer").write_bytes(x5c[2])
url = lambda octets: base64.urlsafe_b64encode(octets).rstrip(b"=")
compact = lambda value: json.dumps(value, separators=(",", ":")).encode()
# The header of genuine tokens has some 5,500 characters; these certificates are smaller.
header = url(compact({"alg": "ES256", "x5c": [base64.b64encode(c).decode() for c in x5c]}))
for number in range(count):
    bought = 1_750_000_000_000 + number * 1000
    payload = {
        "transactionId": str(2_000_000_000_000_000 + number), "originalTransactionId": str(2_000_000_000_000_000 + number),
        "webOrderLineItemId": str(2_000_000_100_000_000 + number), "bundleId": "com.example.notes",
        "productId": "com.example.notes.month", "subscriptionGroupIdentifier": "20500001", "purchaseDate": bought,
        "originalPurchaseDate": bought, "expiresDate": bought + 2_592_000_000, "quantity": 1,
        "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": bought + 5000,
        "environment": "Production", "transactionReason": "PURCHASE", "storefront": "USA", "storefrontId": "143441",
        "price": 4990, "currency": "USD", "appTransactionId": str(700_000_000_000_000_000 + number),
    }
    signed = header + b"." + url(compact(payload))
    r, s = utils.decode_dss_signature(leaf.sign(signed, ec.ECDSA(hashes.SHA256())))
    token = signed + b"." + url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    (folder / "tokens" / f"{number:08}.jws").write_bytes(token)
    if lines:
        lines.write(json.dumps({"receipt_data": token.decode(), "account_id": f"a{number}"}) + "\n")
