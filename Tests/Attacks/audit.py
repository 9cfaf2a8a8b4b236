#!/usr/bin/env python3
"""audit.py AUDIT CASE : runs `audit inspect` on a case, with a policy if environments are limited."""
import base64, json, pathlib, subprocess, sys, tempfile

case = json.load(open(sys.argv[2]))
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "proof").write_bytes(base64.b64decode(case["proof"]))
    words = ["--as-of", case["as_of"], "--device", case["device_id"], "--bundle-id", case["bundle_id"]]
    words += ["--app-version", case["app_version"] or ""]
    words += ["--device-verification-id", case["device_verification_id"] or ""]
    for number, root in enumerate(case["trust_anchors"]):
        (folder / f"root{number}.cer").write_bytes(base64.b64decode(root))
        words += ["--root", folder / f"root{number}.cer"]
    if case["allowed_environments"] is not None:
        (folder / "policy.yml").write_text("version: 1\nenvironments: " + json.dumps(case["allowed_environments"]) + "\n")
        words += ["--policy", folder / "policy.yml"]
    sys.exit(subprocess.run([sys.argv[1], "inspect", folder / "proof", *words]).returncode)
