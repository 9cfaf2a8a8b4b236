#!/usr/bin/env python3
"""apple.py CASE : runs Apple's app-store-server-library (PyPI) on the token of a case.

The library requires an environment and an app: if the case has none, those of the token are passed. It does not compare
the device verification, which is done here as Apple documents it.
"""
import base64, hashlib, json, sys

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier


def payload(token):
    try:
        part = token.split(".")[1]
        found = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        return found if isinstance(found, dict) else {}
    except (IndexError, ValueError):
        return {}


def refusal(text, roots, bundle_id, device=None):
    """Returns why the library refuses a token; None if it accepts it. Roots are DER."""
    said = payload(text)
    body = said.get("data") or said.get("summary") or said.get("appData") or said.get("externalPurchaseToken") or {}
    body = body if isinstance(body, dict) else {}
    environment = said.get("receiptType") or said.get("environment") or body.get("environment") or "Sandbox"
    known = [e.value for e in Environment]
    if environment in ("Xcode", "LocalTesting"):
        return "the library does not verify tokens of Xcode"
    if bundle_id is None:
        bundle_id = said.get("bundleId") or body.get("bundleId")
    verifier = SignedDataVerifier(
        roots, False, Environment(environment) if environment in known else Environment.SANDBOX, bundle_id,
        said.get("appAppleId") or body.get("appAppleId") or 1)
    if "notificationType" in said:
        verify = verifier.verify_and_decode_notification
    elif "requestIdentifier" in said:
        verify = verifier.verify_and_decode_realtime_request
    elif "transactionId" in said:
        verify = verifier.verify_and_decode_signed_transaction
    elif "autoRenewStatus" in said or "autoRenewProductId" in said:
        verify = verifier.verify_and_decode_renewal_info
    else:
        verify = verifier.verify_and_decode_app_transaction
    try:
        verify(text)
    except Exception as error:  # whatever it is, the token is refused
        return getattr(getattr(error, "status", None), "name", type(error).__name__)
    hashed, nonce = said.get("deviceVerification"), said.get("deviceVerificationNonce")
    if hashed and nonce and device:
        expected = hashlib.sha384((nonce.lower() + device.lower()).encode()).digest()
        if hashed != base64.b64encode(expected).decode():
            return "device"
    return None


if __name__ == "__main__":
    case = json.load(open(sys.argv[1]))
    why = refusal(
        base64.b64decode(case["proof"]).decode("latin-1").strip(),
        [base64.b64decode(root) for root in case["trust_anchors"]], case["bundle_id"], case.get("device_verification_id"))
    if why is not None:
        sys.exit("invalid: " + why)
    print("valid")
