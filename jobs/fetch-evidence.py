#!/usr/bin/env python3
"""Fetches what Apple knows of an app's purchases into FOLDER, as files for `audit run --evidence FOLDER`.

These are the notification history of each day, and of each customer the transaction history, the refund history and the
subscription statuses. Customers are those of the notifications and those of --transactions. After an interruption run
the same command again: it goes on where it stopped, and the files are the same.

APP is an INI file that only you can read (chmod 600); `key` is relative to it:

    [app]
    issuer-id = 57246542-96fe-1a63-e053-0824d011072a
    key-id = 2X9R4HXF34
    key = AuthKey_2X9R4HXF34.p8
    bundle-id = com.example.scores

Needs Apple's library: pip install 'app-store-server-library>=3,<4'
Exit codes: 0 complete, 2 not complete, 64 wrong usage, 130 interrupted.
"""
import argparse, base64, configparser, datetime, fcntl, json, os, pathlib, re, sys, time

import requests
from appstoreserverlibrary.api_client import APIError, APIException, AppStoreServerAPIClient
from appstoreserverlibrary.api_client import GetTransactionHistoryVersion as Version
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest

KEPT_DAYS, TRIES = 180, 8  # Apple keeps notifications for 180 days ("Get Notification History").
AGAIN = {error for error in APIError if error.name.endswith("_RETRYABLE")}
UNKNOWN = {APIError.ACCOUNT_NOT_FOUND, APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, APIError.TRANSACTION_ID_NOT_FOUND}
STALE = {APIError.INVALID_PAGINATION_TOKEN, APIError.PAGINATION_TOKEN_EXPIRED}
DAY = datetime.timedelta(days=1)


class Failure(Exception):
    """Ends the run, with a sentence for its operator."""


def say(text):
    print(f"fetch-evidence: {text}", file=sys.stderr, flush=True)


class Client(AppStoreServerAPIClient):
    """Apple's client, keeping answers as they came: the library drops members that it does not know."""
    def __init__(self, app, key):
        environment = Environment(app.get("environment", "Production"))
        super().__init__(key, app["key-id"], app["issuer-id"], app["bundle-id"], environment)
        self._base_url = app.get("url", self._base_url)  # Tests play the App Store themselves.
        self.first_wait = float(app.get("first-wait", 1))

    def _execute_request(self, *arguments, **named):
        self.answer = None
        self.answer = super()._execute_request(*arguments, **named)
        return self.answer

    def wait(self, attempt, reason):
        seconds = min(self.first_wait * 2 ** attempt, 60)
        named = "" if self.answer is None else self.answer.headers.get("Retry-After", "")
        if named.isdigit():  # Apple's is a Unix time in milliseconds ("Identifying rate limits").
            seconds = min(max(int(named) / 1000 - time.time(), seconds), 3600)
        say(f"{reason}; trying again in {seconds:.0f} s")
        time.sleep(seconds)

    def page(self, call, token):
        """Returns the bytes of a complete answer."""
        for attempt in range(TRIES):
            try:
                call(token)
                return self.answer.content
            except APIException as error:
                reason = f"Apple answers {error.http_status_code} {error.error_message or ''}".rstrip()
                if error.http_status_code == 401:
                    raise Failure("Apple refuses the key (401): compare APP with App Store Connect") from error
                if error.http_status_code != 429 and error.http_status_code < 500 and error.api_error not in AGAIN:
                    raise
            except (requests.RequestException, ValueError) as error:
                reason = f"no complete answer ({type(error).__name__})"
            self.wait(attempt, reason)
        raise Failure(f"{reason}, {TRIES} times. Run the same command again later")


class Folder:
    """Files that are complete answers of Apple: each is written beside the folder, then renamed into it."""

    def __init__(self, path):
        path.mkdir(parents=True, exist_ok=True)
        self.path, self.partial, self.new = path, path.with_name(path.name + ".partial"), 0
        self.lock = os.open(path, os.O_RDONLY)
        fcntl.flock(self.lock, fcntl.LOCK_EX)  # Another process that fetches into this folder goes first.

    def write(self, file, data):
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(self.partial, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(self.partial, file)
        self.new += 1

    def pages(self, client, name, token, call):
        """Yields each page of a list, and fetches the missing ones. `token` is the member that names the next page."""
        number, next_token, restarted = 1, None, False
        while True:
            file = self.path / f"{name}-{number:04}.json"
            if not file.exists():
                try:
                    self.write(file, client.page(call, next_token))
                except APIException as error:
                    if error.api_error not in STALE or next_token is None or restarted:
                        raise
                    for page in sorted(self.path.glob(f"{name}-*.json"), reverse=True):
                        page.unlink()  # Its token has expired. The first page goes last: this may be interrupted.
                    number, next_token, restarted = 1, None, True
                    continue
            page = json.loads(file.read_bytes())
            yield page
            if not page.get("hasMore"):
                return
            if page.get(token) in (None, next_token):
                raise Failure(f"{file} says that there is more, but not where. Delete it, and run the command again")
            number, next_token = number + 1, page[token]


def milliseconds(day):
    return (day - datetime.date(1970, 1, 1)).days * 86_400_000


def payload(token):
    """A token's payload, unverified: it only decides what is asked for. `audit` verifies each token."""
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def customers_of_notifications(client, folder, first, last):
    for day in (first + DAY * number for number in range((last - first).days + 1)):
        request = NotificationHistoryRequest(startDate=milliseconds(day), endDate=milliseconds(day + DAY) - 1)
        call = lambda token: client.get_notification_history(token, request)
        for page in folder.pages(client, f"notifications/{day}", "paginationToken", call):
            for item in page.get("notificationHistory", []):
                token = payload(item["signedPayload"]).get("data", {}).get("signedTransactionInfo")
                if token:
                    yield payload(token)["originalTransactionId"]


def fetch_histories(client, folder, first, last, customers):
    request = TransactionHistoryRequest(startDate=milliseconds(first), endDate=milliseconds(last + DAY))
    seen, unknown = set(), 0
    for id in sorted(customers):
        if not re.fullmatch(r"[0-9]{1,20}", id):
            raise Failure(f"{id!r} is no transaction id")
        if id in seen: continue  # The answer about another transaction of this customer has it.
        calls = [("transactions", lambda token: client.get_transaction_history(id, token, request, Version.V2)),
                 ("refunds", lambda token: client.get_refund_history(id, token)),
                 ("statuses", lambda token: client.get_all_subscription_statuses(id))]
        try:
            for kind, call in calls:
                for page in folder.pages(client, f"{first}--{last}/{kind}/{id}", "revision", call):
                    seen.update(payload(token)["originalTransactionId"] for token in page.get("signedTransactions", []))
        except APIException as error:
            if error.api_error not in UNKNOWN:
                raise
            unknown += 1
    say(f"{len(customers)} transactions asked about, of which Apple knows {len(customers) - unknown}")


def fetch(options):
    today = datetime.datetime.now(datetime.timezone.utc).date()
    first, last = options.first, options.to or today - DAY
    if not first <= last < today:
        raise Failure("--from is after --to, or --to has not ended yet (UTC)")
    settings = configparser.ConfigParser(interpolation=None)
    settings.read_string(options.APP.read_text())
    app, folder = settings["app"], Folder(options.FOLDER)
    client = Client(app, (options.APP.parent / app["key"]).read_bytes())
    customers = set(options.transactions.read_text().split()) if options.transactions else set()
    if first < today - DAY * KEPT_DAYS:
        say(f"Apple keeps notifications for {KEPT_DAYS} days: the earlier ones of this time are not to be had")
    customers.update(customers_of_notifications(client, folder, max(first, today - DAY * KEPT_DAYS), last))
    fetch_histories(client, folder, first, last, customers)
    say(f"complete: {folder.new} new files in {folder.path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    date, file = datetime.date.fromisoformat, pathlib.Path
    for name in ("APP", "FOLDER"):
        parser.add_argument(name, type=file)
    parser.add_argument("--from", dest="first", metavar="DATE", type=date, required=True, help="the first day (UTC)")
    parser.add_argument("--to", metavar="DATE", type=date, help="the last day; yesterday if left out")
    parser.add_argument("--transactions", metavar="FILE", type=file, help="transaction ids of customers, one a line")
    os.umask(0o077)  # The files hold customers' purchases.
    try:
        fetch(parser.parse_args())
    except SystemExit as error:
        sys.exit(64 if error.code else 0)
    except KeyboardInterrupt:
        say("interrupted. Run the same command again to go on")
        sys.exit(130)
    except (Failure, APIException, OSError, KeyError, ValueError, configparser.Error) as error:
        say(error if isinstance(error, Failure) else f"{type(error).__name__}: {error}")
        sys.exit(2)
