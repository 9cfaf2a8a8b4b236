"""decisions_check.py AUDIT SAMPLE : decides about findings on a page with keys alone, imports the file that the page
downloads, and looks for the decisions on the page of the next run.

SAMPLE is a folder of audit-lab. The ledger, the pages and the file go beside it.
"""
import csv
import pathlib
import subprocess
import sys

from playwright.sync_api import sync_playwright

audit, sample = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
ledger, pages = sample.with_suffix(".ledger.db"), sample.with_suffix(".night.html")
problems = []

# What a page, a spreadsheet and a shell could each take for more than a text.
NOTE = "=1+1;@x \"quoted\" <img src=x onerror=alert(1)> $(id)"


def check(is_right, what):
    if not is_right:
        problems.append(what)
        print("wrong:", what)


def run(*arguments):
    done = subprocess.run([audit, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def night(day):
    code, text = run("run", sample / "receipts", "--root", sample / "root.cer", "--policy", sample / "policy.yml", "--quiet",
                     "--as-of", f"2026-{day}", "--state", ledger, "--report", pages)
    check(code == 0, f"a night ends with {code}: {text}")


def opened(browser, path=None, **settings):
    page = browser.new_context(permissions=["clipboard-read", "clipboard-write"], **settings).new_page()
    page.on("pageerror", lambda error: check(False, f"an error of the script: {error}"))
    page.on("dialog", lambda dialog: check(False, f"a text of a note was run: {dialog.message}"))
    page.goto(path or pages.as_uri())
    return page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def focused(page):
    return page.evaluate("document.activeElement.closest('[id^=finding-]')?.id ?? ''")


def tally(page):
    return page.locator(".desk .tally").inner_text()


def check_many(browser):
    """200 findings, two keys each; the one that is decided can be seen, also with its text unfolded."""
    page = opened(browser, viewport={"width": 1280, "height": 800})
    rows = page.locator("table.queue > tbody > tr").count()
    count = min(200, rows)
    check(rows >= 150, f"{rows} rows to decide about")
    press(page, "j", "Enter")
    ids, hidden = [], []
    for number in range(count):
        press(page, "fow"[number % 3])
        ids.append(focused(page))
        seen = page.evaluate("""() => {
            const its = document.activeElement.getBoundingClientRect(), box = document.querySelector('.scroll:has(> .queue)')
                .getBoundingClientRect(), head = document.querySelector('.queue thead th').getBoundingClientRect();
            return its.top >= head.bottom - 1 && its.top < Math.min(innerHeight, box.bottom) - 20; }""")
        if not seen:
            hidden.append(ids[-1])
        # Findings of an unfolded row have stops of their own.
        press(page, "j")
    check(len(set(ids)) == count, f"{len(set(ids))} of {count} findings in {2 * count} keys")
    check(not hidden, f"out of view when decided: {len(hidden)}, {hidden[:3]}")
    check(f"{count} decisions not yet imported" in tally(page), f"the count: {tally(page)}")
    page.reload()
    check(f"{count} decisions not yet imported" in tally(page), f"after a reload: {tally(page)}")
    check(page.locator(".mine").count() == count, "decisions are shown again after a reload")
    page.context.close()


def check_links(browser):
    """Every finding and card has a link that leads to it; the address follows what is selected, and the filters."""
    page = opened(browser)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    page.wait_for_timeout(200)
    bare = page.evaluate("""[...document.querySelectorAll('[id^=finding-], .card')].filter(place =>
        !(place.cells ? place.cells[2] : place.querySelector('h3') ?? place).querySelector(':scope > .link')).length""")
    check(bare == 0, f"{bare} findings or cards without a link")
    for place in ("table.queue li[id]", "table.queue > tbody > tr:nth-child(3)", ".card"):
        holder = page.locator(place).first
        name = holder.get_attribute("id")
        holder.locator(".link").first.click()
        page.wait_for_timeout(100)
        address = page.evaluate("navigator.clipboard.readText()")
        check(address == pages.as_uri() + "#" + name, f"the link of {name}: {address}")
        other = opened(browser, address)
        other.wait_for_timeout(100)
        check(other.locator(f"[id='{name}']").evaluate("""place => place.checkVisibility() &&
            place.getBoundingClientRect().top < innerHeight && place.getBoundingClientRect().bottom > 0"""),
              f"the link of {name} leads to it")
        other.context.close()
    page.locator("#queue .chip", has_text="critical").first.click()
    page.locator("table.queue > tbody > tr:visible > td:nth-child(7)").nth(1).click()
    name = page.locator("table.queue > tbody > tr:visible").nth(1).get_attribute("id")
    check(page.url.endswith(f"#{name}?severity=critical"), f"the address of {name}: {page.url}")
    again = opened(browser, page.url)
    check(focused(again) == name, "an address leads to the finding that was selected")
    check(again.locator("#queue .chip[aria-pressed=true]").count() >= 1, "an address has its filters")
    press(again, "j")
    check(focused(again) != name and again.url.split("#")[1].startswith(focused(again)), "the address follows j")
    for page in (page, again):
        page.context.close()
    skipping = opened(browser)
    press(skipping, "Tab")
    check(skipping.evaluate("document.activeElement.className") == "skip", "the first stop is the link past the contents")
    press(skipping, "Enter", "Tab")
    check(skipping.evaluate("Boolean(document.activeElement.closest('#queue'))"), "it leads to the findings")
    skipping.context.close()


def check_whole_row(browser):
    page = opened(browser)
    row = page.locator("table.queue > tbody > tr:has(li[id])").first
    row.locator("td:nth-child(7)").click()
    number = row.locator("li[id]").count() + 1
    press(page, "Shift+O")
    check(f"{number} decisions not yet imported" in tally(page), f"{number} findings of a row: {tally(page)}")
    press(page, "Shift+O")
    check(tally(page).startswith("0 decisions"), f"taken back: {tally(page)}")
    page.context.close()
    page = browser.new_context().new_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})")
    page.goto(pages.as_uri())
    press(page, "j", "f", "j", "o")
    check("2 decisions not yet imported" in tally(page) and "keeps nothing" in tally(page),
          f"a browser that keeps nothing: {tally(page)}")
    page.context.close()


def decide(browser, file):
    """Three decisions, one of each kind; returns the ids of their findings and the page."""
    page = opened(browser)
    page.locator(".desk input").fill("=anna")
    page.locator(".desk input").blur()
    ids = []
    for key in "fow":
        press(page, "j")
        ids.append(focused(page).split("-")[1])
        press(page, "n")
        page.keyboard.type(NOTE)
        press(page, "Enter", key)
        check(page.locator(f"[id='{focused(page)}'] .mine").inner_text().endswith("not yet imported: " + NOTE),
              "a decision is shown with its note")
    check(page.locator("img").count() == 0, "a note is no markup")
    with page.expect_download() as waiting:
        page.locator(".desk button", has_text="Download").click()
    waiting.value.save_as(file)
    check(waiting.value.suggested_filename == "decisions-2026-06-30.csv", waiting.value.suggested_filename)
    with open(file, newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    check([row["finding_id"] for row in rows] == ids, f"the file has {len(rows)} rows")
    check([row["status"] for row in rows] == ["fraud", "ok", "watch"], f"their status: {[row['status'] for row in rows]}")
    check(all(row["note"] == "'" + NOTE.replace(";@", ";'@") and row["reviewed_by"] == "'=anna" for row in rows),
          f"no cell begins a formula: {rows[:1]}")
    return ids, page


for old in sample.parent.glob(ledger.name + "*"):
    old.unlink()
night("06-30")
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for part in (check_many, check_links, check_whole_row):
        part(browser)
    file = sample.with_suffix(".decisions.csv")
    ids, page = decide(browser, file)
    code, text = run("review", "--state", ledger, "--import", file)
    check(code == 0 and "3 new" in text, f"the import ends with {code}: {text}")

    # The same run again: what is imported is no longer counted, and shown as the ledger's.
    night("06-30")
    page.reload()
    check(tally(page).startswith("0 decisions"), f"imported decisions are not counted: {tally(page)}")
    decided = page.locator("#decisions + p + .tools + .scroll tbody tr, #decisions ~ .scroll tbody tr").all_inner_texts()
    for status in ("fraud", "ok"):
        check(any(f"\t{status}\t" in row and NOTE in row and "=anna" in row for row in decided),
              f"{status} with note and author on the next page: {decided}")
    watched = page.locator(f"[id='finding-{ids[2]}'] .decided").first.inner_text()
    check(watched.startswith("decided watch by =anna on ") and watched.endswith(NOTE), f"in the queue: {watched}")
    check(page.locator(f"table.queue [id='finding-{ids[0]}']").count() == 0, "what is closed is not in the queue")

    # A change of mind about an imported decision is no old file; the first file is one.
    page.evaluate("id => { location.hash = 'finding-' + id }", ids[1])
    page.wait_for_timeout(100)
    press(page, "f")
    again = sample.with_suffix(".again.csv")
    with page.expect_download() as waiting:
        page.locator(".desk button", has_text="Download").click()
    waiting.value.save_as(again)
    code, text = run("review", "--state", ledger, "--import", again)
    check(code == 0 and "1 new" in text, f"a change of mind: {text}")
    before = run("history", "--state", ledger, "--reviews")
    code, text = run("review", "--state", ledger, "--import", file)
    check(code == 0 and "0 new" in text and "1 reviewed later" in text, f"the old file again: {text}")
    check(run("history", "--state", ledger, "--reviews") == before, "an old file changes nothing")
    browser.close()

sys.exit(1 if problems else 0)
