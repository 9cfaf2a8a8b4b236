"""fetch_check.py AUDIT : plays the App Store Server API on this machine, and has jobs/fetch-evidence.py fetch from it.

The server answers in the forms of Apple's API, with notifications and transactions of a sample, in pages. Every third
request fails first: with 429 and Retry-After, 500, a retryable 404, HTML, or an answer that is cut. Fails unless a fetch
that is stopped ten times leaves the same files as one that is not, no file is ever incomplete, and `audit` counts each
token that the server has.
"""
import base64, collections, http.server, json, os, pathlib, signal, subprocess, sys, tempfile, threading, time
import urllib.parse

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

TOP = pathlib.Path(__file__).resolve().parent.parent
PAGE, DAYS = 3, 5
TODAY = int(time.time()) // 86_400


def payload(token):
    body = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    notifications, histories = collections.defaultdict(list), collections.defaultdict(list)
    requests, expired, delay = collections.Counter(), set(), 0

    def answer(self, status, body, cut=0, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        headers = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:len(data) - cut])
        self.close_connection = cut > 0

    def page(self, items, member, token, start, **more):
        end = start + PAGE
        body = {member: items[start:end], "hasMore": end < len(items), token: f"{end}_é", "later": "kept", **more}
        self.answer(200, body)

    def do_POST(self):
        self.serve(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_GET(self):
        self.serve(None)

    def serve(self, body):
        time.sleep(Store.delay)
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        if not self.headers.get("Authorization", "").startswith("Bearer ey"):
            return self.answer(401, b"")
        key = self.path + json.dumps(body)
        Store.requests[key] += 1
        # A resumed fetch meets other failures than an undisturbed one; the files must not show it.
        if Store.requests[key] == 1 and len(Store.requests) % 3 == 0:
            kind = len(Store.requests) // 3 % 5
            if kind == 0:
                soon = str(int(time.time() * 1000) + 50)
                return self.answer(429, {"errorCode": 4290000, "errorMessage": "Rate limit"}, Retry_After=soon)
            if kind == 1:
                return self.answer(500, {"errorCode": 5000001, "errorMessage": "Unknown"})
            if kind == 2:
                return self.answer(404, {"errorCode": 4040002, "errorMessage": "Account not found. Please try again."})
            return self.answer(502, b"<html>", Content_Type="text/html") if kind == 3 else \
                self.answer(200, {"signedTransactions": []}, cut=9)
        token = (query.get("paginationToken") or query.get("revision") or ["0_"])[0]
        if token in Store.expired:
            Store.expired.clear()
            return self.answer(400, {"errorCode": 4000017, "errorMessage": "Expired"})
        start, id = int(token.split("_")[0]), url.path.rsplit("/", 1)[-1]
        if url.path == "/inApps/v1/notifications/history":
            items = [{"signedPayload": token, "sendAttempts": [{"attemptDate": 1, "sendAttemptResult": "SUCCESS"}]}
                     for token in Store.notifications[body["startDate"] // 86_400_000]]
            return self.page(items, "notificationHistory", "paginationToken", start)
        if id not in Store.histories:
            return self.answer(404, {"errorCode": 4040010, "errorMessage": "Transaction id not found."})
        if "/refund/" in url.path:
            return self.page([token for token in Store.histories[id] if payload(token).get("revocationDate")],
                             "signedTransactions", "revision", start)
        if "/history/" in url.path:
            assert "startDate" in query and "endDate" in query
            return self.page(Store.histories[id], "signedTransactions", "revision", start, bundleId="com.example")
        last = {"originalTransactionId": id, "status": 1, "signedTransactionInfo": Store.histories[id][-1]}
        self.answer(200, {"environment": "Sandbox", "data": [{"subscriptionGroupIdentifier": "1",
                                                              "lastTransactions": [last]}]})

    def log_message(self, *_):
        pass


def fail(text):
    sys.exit(f"fetch-check: {text}")


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def main():
    audit = pathlib.Path(sys.argv[1]).resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="fetch-check."))
    subprocess.run([f"{audit}-lab", "sample", work / "sample", "--count", "300", "--seed", "5"], check=True,
                   capture_output=True)
    tokens = [json.loads(line)["signedPayload"] for line in open(work / "sample/evidence.ndjson") if "signedPayload" in line]
    for number, token in enumerate(tokens):
        Store.notifications[TODAY - 1 - number % DAYS].append(token)
        inner = payload(token).get("data", {}).get("signedTransactionInfo")
        if inner and number % 7:
            Store.histories[payload(inner)["originalTransactionId"]].append(inner)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
    server.handle_error = lambda *_: None  # A fetch that is stopped hangs up.
    threading.Thread(target=server.serve_forever, daemon=True).start()

    key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (work / "key.p8").write_bytes(key)
    (work / "app.ini").write_text("[app]\nissuer-id = i\nkey-id = k\nkey = key.p8\nbundle-id = com.example\n"
                                  f"environment = Sandbox\nfirst-wait = 0.02\nurl = http://127.0.0.1:{server.server_port}\n")
    (work / "ids").write_text("2000000000000001\n")
    day = lambda days: time.strftime("%Y-%m-%d", time.gmtime((TODAY - days) * 86_400))

    def fetch(folder, **more):
        command = [sys.executable, TOP / "jobs/fetch-evidence.py", work / "app.ini", work / folder, "--from", day(DAYS),
                   "--to", day(1), "--transactions", work / "ids"]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **more)

    whole = fetch("whole")
    told = whole.communicate()[1]
    if whole.returncode != 0:
        fail(told)
    if "trying again" not in told or "Traceback" in told:
        fail(f"no error was met:\n{told}")
    want = files(work / "whole")
    for name, data in want.items():
        if json.loads(data).get("later", "kept") != "kept" or b"\\u00e9" not in data and "statuses" not in name:
            fail(f"{name} is not as it came")

    Store.requests.clear()
    Store.delay, stops = 0.01, 0
    while True:
        before = len(files(work / "stopped"))
        process = fetch("stopped")
        if stops < 10:
            while process.poll() is None and len(files(work / "stopped")) < before + len(want) // 14:
                time.sleep(0.01)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL if stops % 2 else signal.SIGINT)
                stops += 1
        told = process.communicate()[1]
        for name, data in files(work / "stopped").items():
            if data != want[name]:
                fail(f"{name} is another after {stops} stops")
        if stops == 5:
            Store.expired.update({"3_é", "6_é"})
        if process.returncode == 0:
            break
        if process.returncode not in (130, -signal.SIGKILL, -signal.SIGINT):
            fail(f"exit code {process.returncode}: {told}")
    if stops < 10 or files(work / "stopped") != want:
        fail(f"other files after {stops} stops")
    if any(os.stat(path).st_mode & 0o077 for path in (work / "whole").rglob("*.json")):
        fail("others can read what was fetched")

    report = work / "evidence.json"
    subprocess.run([audit, "run", work / "sample/receipts", "--root", work / "sample/root.cer", "--as-of", "2026-06-30",
                    "--evidence", work / "stopped", "--report", f"evidence={report}", "--quiet"], check=False)
    rows = json.loads(report.read_text())
    found = {row["notification_uuid"] for row in rows if row["kind"] == "notification" and row["verdict"] == "valid"}
    missing = {payload(token)["notificationUUID"] for token in tokens} - found
    if missing:
        fail(f"audit does not count {len(missing)} of the notifications")
    (work / "app.ini").write_text((work / "app.ini").read_text().replace("key = key.p8", "key = none.p8"))
    process = fetch("whole")
    if process.communicate() and process.returncode != 2:
        fail("a key that is not there has another exit code than 2")
    print(f"fetch-check: {len(want)} files are the same after {stops} stops, and audit counts {len(found)} notifications")


main()
