#!/usr/bin/env python3
"""aprv.py CASE : runs apple-purchase-receipt-verifier (PyPI) on a case.

It leaves bundle id, environment and device hash to its caller; they are compared here as its documentation says.
"""
import base64, datetime, hashlib, json, sys, uuid

from apple_purchase_receipt_verifier import Config, Verifier

case = json.load(open(sys.argv[1]))
now = int(datetime.datetime.fromisoformat(case["as_of"].replace("Z", "+00:00")).timestamp() * 1000)
verifier = Verifier(Config(roots=[base64.b64decode(root) for root in case["trust_anchors"]], clock=lambda: now))
text = base64.b64decode(case["proof"]).decode("latin-1") if case["proof_form"] == "text" else case["proof"]
result = verifier.verify_receipt(text)
if not result.verified:
    sys.exit("invalid: " + result.failure.reason.value)
receipt = result.payload


def octets(device):
    text = device.replace(":", "").replace("-", "") if ":" in device else device
    return bytes.fromhex(text) if ":" in device else uuid.UUID(text).bytes


def belongs(device):
    try:
        hashed = octets(device) + (receipt.opaque_value or b"") + (receipt.bundle_id_bytes or b"")
    except ValueError:
        return False
    return hashlib.sha1(hashed).digest() == receipt.sha1_hash


wrong = receipt.bundle_id != case["bundle_id"] and "bundle id"
wrong = wrong or case["app_version"] not in (None, receipt.application_version) and "version"
allowed = case["allowed_environments"]
wrong = wrong or allowed is not None and receipt.receipt_type not in allowed and "environment"
wrong = wrong or not any(belongs(device) for device in case["device_id"].split("|")) and "device"
sys.exit("invalid: " + wrong if wrong else print("valid"))
