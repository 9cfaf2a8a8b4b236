"""page_check.py PAGE LARGE FEW AXE : opens pages in Chromium, and fails if anything is wrong.

PAGE is a page of findings that are new, LARGE one of many claims, FEW one of few, AXE the file axe.min.js.
"""
import pathlib
import re
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

page_path, large_path, few_path, axe_path = (pathlib.Path(name).resolve() for name in sys.argv[1:5])
problems = []


def check(is_right, what):
    if not is_right:
        problems.append(what)
        print("wrong:", what)


def opened(browser, path, errors, requests, **settings):
    context = browser.new_context(**settings)
    page = context.new_page()
    page.on("console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    return page


def shown(page, table):
    return page.locator(f"table.{table} > tbody > tr:visible").count()


def findings(page):
    """The number of findings of the rows that are shown."""
    return sum(int(count) for count in page.locator("table.queue > tbody > tr:visible").evaluate_all(
        "rows => rows.map(row => row.dataset.count)"))


def check_search(page):
    total = shown(page, "queue")
    whole = findings(page)
    field = page.locator("#queue input[type=search]")
    field.fill("forged-signature")
    page.wait_for_timeout(200)
    found = shown(page, "queue")
    check(0 < found < total, f"a search leaves {found} of {total} rows")
    check(f"{findings(page)} of {whole} findings in {found} rows" in page.locator("#queue .count").inner_text(), "the number of rows that are found")
    field.fill("no such words <b>")
    page.wait_for_timeout(200)
    check(shown(page, "queue") == 0, "a search for nothing that is there")
    field.fill("")
    page.wait_for_timeout(200)
    check(shown(page, "queue") == total, "an empty search")


def check_filter(page):
    total = shown(page, "queue")
    chip = page.locator("#queue .chip", has_text="critical").first
    number = int(chip.inner_text().split()[1].replace(",", ""))
    headline = page.locator(".verdicts").inner_text()
    check(f" {number} critical" in headline, f"chip {number} and headline count the same: {headline}")
    chip.click()
    check(findings(page) == number and shown(page, "queue") < total, "a chip shows as many findings as it says")
    check("#queue?severity=critical" in page.url, f"the address has the filters: {page.url}")
    check(chip.get_attribute("aria-pressed") == "true", "a chip says that it is pressed")
    badges = page.locator("table.queue > tbody > tr:visible > th").all_inner_texts()
    check(set(badges) == {"critical"}, "a chip filters by severity")
    new = page.locator("#queue .chip", has_text="new ").first
    check(new.count() == 1, "a chip for new findings")
    if new.count():
        new.click()
        states = page.locator("table.queue > tbody > tr:visible > td:nth-child(8)").all_inner_texts()
        check(all("new" in state.split(", ") for state in states), "two chips of two kinds must both hold")
        new.click()
    chip.click()
    check(shown(page, "queue") == total, "a chip that is pressed again")
    recent = page.locator("#queue .chip", has_text="last 30 days").first
    check(recent.count() == 1, "a chip for the last 30 days")
    if recent.count():
        recent.click()
        dates = page.locator("table.queue > tbody > tr:visible > td:nth-child(7)").all_inner_texts()
        check(dates and all("2026-05-31" <= date <= "2026-06-30" for date in dates), f"the last 30 days: {set(dates)}")
        recent.click()


def check_index(page):
    field, answer = page.locator(".find input"), page.locator(".find .found")
    line = page.evaluate("document.querySelector('pre.index').textContent.trim().split('\\n').pop()")
    name = line.split(" ")[1]
    field.fill(name)
    page.wait_for_timeout(300)
    check(name in answer.inner_text(), f"the last line of the index is found: {line}")
    # A finding is below its severity and rule, and is shown with both.
    finding = page.evaluate("""[...document.querySelector('pre.index').textContent.split('\\n')].filter(line => line)
        .slice(0, 2)""")
    check(finding[0].endswith(":") and finding[1].startswith(" "), f"the first lines of the index: {finding}")
    field.fill(finding[1].strip().split(" ")[0])
    page.wait_for_timeout(300)
    check(finding[0][:-1].split(" ")[1] in answer.inner_text(), "a finding of the index is shown with its rule")
    field.fill("nobody of this name")
    page.wait_for_timeout(300)
    check("clears nobody" in answer.inner_text() and "audit show" in answer.inner_text(),
          "what is not found is not cleared")
    # What the page shows is found, too: codes, transactions of support, texts of rules.
    for shown_text in (page.locator("table.claims tbody td").nth(2).inner_text().split(",")[0],
                       page.locator("#support tbody th").first.inner_text()):
        field.fill(shown_text)
        page.wait_for_timeout(300)
        check(shown_text and answer.locator(".lead").count() > 0, f"{shown_text} is found on the page")
    answer.locator(".lead").first.click()
    field.fill("")


def check_sort(page):
    cells = lambda: page.locator("table.queue > tbody > tr > td:nth-child(5)").all_inner_texts()
    before = cells()
    button = page.locator("table.queue thead button", has_text="claims")
    number = lambda text: int(text.replace("≤", "").replace("≥", "").replace(",", ""))
    button.click()
    numbers = [number(text) for text in cells()]
    check(numbers == sorted(numbers, reverse=True) and len(set(numbers)) > 1, "rows in descending order")
    head = page.locator("table.queue thead th", has_text="claims")
    check(head.get_attribute("aria-sort") == "descending", "a header says how rows are sorted")
    button.click()
    numbers = [number(text) for text in cells()]
    check(numbers == sorted(numbers), "rows in ascending order")
    button.click()
    check(cells() == before, "rows in their first order again")


def check_links(page):
    first = page.locator(".g-entities tbody a").first
    first.click()
    check(page.evaluate("id => document.getElementById(id)?.checkVisibility()", first.get_attribute("href")[1:]),
          "a link from the first screen to a card")
    link = page.locator(".card a[href^='#finding-']").first
    page.locator("#queue input[type=search]").fill("no such words")
    page.wait_for_timeout(200)
    link.click()
    page.wait_for_timeout(100)
    target = page.locator(link.get_attribute("href").replace("#", "[id='") + "']")
    check(target.is_visible(), "a link from a card to a finding that was filtered away")
    rule = page.locator("table.queue a[href^='#rule-']").first
    rule.click()
    page.wait_for_timeout(100)
    check(page.locator(f"[id='{rule.get_attribute('href')[1:]}']").is_visible(), "a link to the folded text of a rule")
    folded = page.evaluate("document.querySelector('table.queue li[id]')?.id")
    check(folded is not None, "a row with several findings")
    if folded:
        page.evaluate("id => { location.hash = id }", folded)
        page.wait_for_timeout(100)
        check(page.locator(f"[id='{folded}']").is_visible(), "a link to a finding that is folded")
    missing = page.evaluate(
        "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).length")
    check(missing == 0, f"{missing} links lead nowhere")


def clipboard(page):
    page.wait_for_timeout(200)
    return page.evaluate("navigator.clipboard.readText()")


def check_copy(page):
    """The button beside an id copies it, and so does a click on an id of the queue or of the claims."""
    def exact(code):
        """The text, with the characters that are shown as numbers in their place."""
        hidden = lambda match: chr(int(match[1], 16))
        return re.sub(r"\\u\{([0-9a-f]+)\}", hidden, code.inner_text())

    for place in (".card h3 code:not([data-text])", ".card h3 code[data-text]"):
        code = page.locator(place).first
        check(("\\u{200b}" in code.inner_text()) == place.endswith("code[data-text]"), "a hidden character is shown")
        code.locator("xpath=following-sibling::button[1]").click()
        text = clipboard(page)
        check(text == exact(code), f"the button copies {text!r} of {code.inner_text()!r}")
    for place in (
            "table.queue td:nth-child(3) > code:not([data-text])", "table.queue td:nth-child(3) > code[data-text]",
            "table.claims td:last-child > code"):
        code = page.locator(place).locator("visible=true").first
        check(code.count() == 1 and code.get_attribute("title") == "Click to copy", f"a hint on {place}")
        page.evaluate("navigator.clipboard.writeText('nothing')")
        code.click()
        text = clipboard(page)
        check(text == exact(code) != "nothing", f"a click copies {text!r} of {code.inner_text()!r}")
        check(page.locator("p.status").inner_text() == "Copied " + code.inner_text(), "a copy is announced")
    # Whoever selects a part of an id wants that part.
    page.evaluate("navigator.clipboard.writeText('nothing')")
    code = page.locator("table.queue td:nth-child(3) > code").locator("visible=true").first
    code.dblclick()
    page.evaluate("navigator.clipboard.writeText('nothing')")
    code.dispatch_event("click")
    check(page.evaluate("getSelection().toString()") != "" and clipboard(page) == "nothing", "a selection is not copied")
    page.evaluate("getSelection().removeAllRanges()")


def check_keys(page):
    page = page.context.new_page()
    page.goto(page_path.as_uri())
    focused = lambda: page.evaluate("document.activeElement.closest('tr')?.id ?? document.activeElement.tagName")
    rows = page.locator("table.queue > tbody > tr").evaluate_all("rows => rows.map(row => row.id)")
    for key, expected in (("j", rows[0]), ("j", rows[1]), ("k", rows[0])):
        page.keyboard.press(key)
        check(focused() == expected, f"{key} leads to {focused()}")
    folds = page.locator("table.queue > tbody > tr").first.locator("details")
    page.keyboard.press("Enter")
    check(all(folds.evaluate_all("folds => folds.map(fold => fold.open)")), "Enter opens a finding")
    page.keyboard.press("/")
    page.keyboard.type("jk")
    check(page.locator(".find input").input_value() == "jk", "/ leads to the search, where letters are letters")


def check_first_screen(browser, path):
    """All parts of the first screen fit on a desk, no table of them is cut, and a phone has little more than them."""
    for width in (1920, 1280, 900):
        page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        page.goto(path.as_uri())
        parts = page.evaluate("""[...document.querySelectorAll('#glance .part')].map(part =>
            [part.querySelector('h3').innerText, part.getBoundingClientRect().bottom])""")
        names = ["Claims", "Top entities", "Rules and apps", "Claims that are not clean, by month"]
        more = ["Worst accounts", "Worst devices", "Probable false alarms", "Apps", "Products with most findings"]
        check([name for name, _ in parts][1:] == names + more, f"the parts of the first screens: {parts}")
        check(" new: " in parts[0][0], f"the first part says what is new: {parts[0]}")
        if width == 1280:
            check(all(bottom <= 900 for _, bottom in parts[:5]), f"the first screen ends at {parts[:5]}")
            check(all(bottom <= 1800 for _, bottom in parts), f"the second screen ends at {parts}")
        cut = page.evaluate("""[...document.querySelectorAll('#glance .part > .scroll')]
            .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.ariaLabel)""")
        check(not cut, f"cut at {width} pixels: {cut}")
        wide = page.evaluate("""[...document.querySelectorAll('table.rows')]
            .filter(table => table.offsetWidth > table.closest('.scroll').clientWidth + 1).map(table => table.className)""")
        check(width < 1280 or not wide, f"tables that scroll sideways at {width} pixels: {wide}")
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(path.as_uri())
    height = page.evaluate("document.documentElement.scrollHeight")
    check(height < 4000, f"{height} pixels on a phone")
    page.locator("#glance a[href^='#finding-']").first.click()
    page.wait_for_timeout(100)
    check(page.locator("#queue > details").evaluate("fold => fold.open"), "a link opens the chapter that it leads to")
    page.locator("nav a[href='#claims']").click()
    page.wait_for_timeout(100)
    check(page.locator("table.claims").is_visible(), "the contents open a chapter")
    check(0 < shown(page, "claims") <= 50, "a phone shows the first rows")


# The contrast (WCAG 2.1, 1.4.3) of every text with the colours behind it, as a canvas blends them: axe leaves those
# undecided that another element may cover, such as a sticky header. Returns those that are too faint.
CONTRAST = """() => {
    const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1;
    const context = canvas.getContext('2d', {willReadFrequently: true});
    const blend = (colors) => {
        context.globalAlpha = 1; context.fillStyle = '#fff'; context.fillRect(0, 0, 1, 1);
        for (const [color, alpha] of colors) {
            context.globalAlpha = alpha; context.fillStyle = color; context.fillRect(0, 0, 1, 1);
        }
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (rgb) => {
        const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const faint = new Map(), known = new Map();
    let texts = 0;
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; node = walker.nextNode();) {
        const element = node.parentElement;
        if (!node.data.trim() || !element.checkVisibility({checkVisibilityCSS: true})) continue;
        const style = getComputedStyle(element), behind = [];
        let opacity = 1;
        for (let outer = element; outer; outer = outer.parentElement) {
            const its = getComputedStyle(outer);
            behind.unshift([its.backgroundColor, 1]); opacity *= its.opacity;
        }
        const color = element.closest('svg') ? style.fill : style.color;
        const key = JSON.stringify([behind, color, opacity]);
        if (!known.has(key)) {
            const a = luminance(blend(behind)), b = luminance(blend([...behind, [color, opacity]]));
            known.set(key, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
        }
        const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
        texts += 1;
        if (known.get(key) < (isLarge ? 3 : 4.5))
            faint.set(element.tagName + '.' + element.className, known.get(key).toFixed(2) + ' ' + node.data.slice(0, 40));
    }
    return {texts, faint: [...faint.entries()].map(entry => entry.join(': '))};
}"""


def check_axe(browser, path):
    for name, size in (("desk", (1280, 900)), ("tablet", (768, 1024)), ("phone", (390, 844))):
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, bypass_csp=True)
            page = context.new_page()
            page.goto(path.as_uri())
            # With a decision, and with the buttons of the finding that is selected.
            for key in ("j", "Enter", "f"):
                page.keyboard.press(key)
            page.add_script_tag(path=str(axe_path))
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            for violation in found:
                nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:2])
                check(False, f"axe, {name}, {scheme}: {violation['impact']} {violation['id']}, {len(violation['nodes'])}: {nodes}")
            contrast = page.evaluate(CONTRAST)
            check(contrast["texts"] > 1000, f"{name}, {scheme}: {contrast['texts']} texts")
            check(not contrast["faint"], f"{name}, {scheme}: contrast below 4.5: {contrast['faint'][:5]}")
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            check(wide <= 0, f"{name}: the page is {wide} pixels wider than the window")
            context.close()


def check_print(browser, path):
    # A page of A4 between its margins.
    page = browser.new_context(viewport={"width": 703, "height": 1032}).new_page()
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    cut = page.evaluate("""[...document.querySelectorAll('#glance .part')]
        .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.querySelector('h3').innerText)""")
    check(not cut, f"cut on paper: {cut}")
    check(not page.locator("input:visible, button.copy:visible").count(), "nothing to type or click is on paper")
    data = page.pdf(prefer_css_page_size=True)
    pages = data.count(b"/Type /Page\n") or data.count(b"/Type /Page") - data.count(b"/Type /Pages")
    landscape = any(box in data for box in (b"[0 0 841.9", b"[0 0 842"))
    check(landscape, "the queue is printed in landscape")
    # 220 rows at full size: a part that is too wide would shrink all of them.
    check(0 < pages <= 25, f"{pages} printed pages")
    print(f"{path.name}: {path.stat().st_size:,} bytes, {pages} printed pages")


def check_speed(browser, path):
    """5,000 rows: the rows of the queue, repeated."""
    context = browser.new_context()
    page = context.new_page()
    text = path.read_text(encoding="utf-8")
    start = text.index("<tbody>", text.index('<table class="wide rows queue"')) + len("<tbody>")
    end = text.index("</tbody>", start)
    rows = text[start:end]
    count = rows.count("<tr id=")
    repeated = "".join(rows.replace(' id="finding-', f' id="finding-{number}-') for number in range(-(-5000 // count)))
    with tempfile.TemporaryDirectory() as folder:
        many = pathlib.Path(folder) / "many.html"
        many.write_text(text[:start] + repeated + text[end:], encoding="utf-8")
        page.goto(many.as_uri())
        number = page.locator("table.queue > tbody > tr").count()
        check(number >= 5000, f"{number} rows")
        for name, action in (
            ("sort", "document.querySelector('table.queue thead th:nth-child(5) button').click()"),
            ("filter", "document.querySelector('#queue .chips .chip').click()"),
        ):
            began = time.monotonic()
            page.evaluate(f"() => new Promise(done => {{ {action}; requestAnimationFrame(() => setTimeout(done)) }})")
            took = time.monotonic() - began
            print(f"{name} of {number:,} rows: {took * 1000:.0f} ms")
            check(took < 1.5, f"{name} takes {took:.1f} s")
    context.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    errors, requests = [], []
    page = opened(browser, page_path, errors, requests, permissions=["clipboard-read", "clipboard-write"])
    for part in (check_search, check_filter, check_index, check_sort, check_links, check_copy, check_keys):
        part(page)
    check(not errors, f"messages of the console: {errors}")
    check([url.split("#")[0] for url in requests] == [page_path.as_uri()], f"requests: {requests}")
    plain = opened(browser, page_path, [], [], java_script_enabled=False)
    check(plain.locator("table.queue > tbody > tr").count() > 0, "rows without a script")
    check(plain.locator("button, input").count() == 0, "nothing that needs a script is shown without it")
    check_first_screen(browser, page_path)
    check_axe(browser, few_path)
    check_print(browser, page_path)
    check_print(browser, large_path)
    check_speed(browser, large_path)
    check(large_path.stat().st_size < 2_500_000, f"{large_path.stat().st_size} bytes of a page of 30,000 claims")
    began = time.monotonic()
    large = opened(browser, large_path, errors, requests)
    paint = large.evaluate("performance.getEntriesByType('paint').map(entry => entry.startTime)[0] ?? 0")
    print(f"first paint of {large_path.name}: {paint:.0f} ms, loaded in {(time.monotonic() - began) * 1000:.0f} ms")
    check(not errors, f"messages of the console: {errors}")
    browser.close()

sys.exit(1 if problems else 0)
