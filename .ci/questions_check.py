#!/usr/bin/env python3
"""questions_check.py PAGE DATABASE: asks a page what an analyst asks, in at most three clicks each, and its database.

An answer must be visible where the clicks lead, and be what the SQLite report of the same run says.
"""

import os
import re
import sqlite3
import sys

from playwright.sync_api import sync_playwright

MOST_CLICKS = 3


class Walk:
    """A way through the page for one question."""

    def __init__(self, page, url, database):
        self.page, self.database, self.clicks = page, database, 0
        page.goto(url)
        page.wait_for_timeout(200)

    def click(self, target):
        self.clicks += 1
        target.click()
        self.page.wait_for_timeout(300)

    def chapter(self, name):
        self.click(self.page.locator(f'nav a[href="#{name}"]').first)

    def chip(self, name, value):
        """Presses a filter of the findings, and returns how many are counted then."""
        self.click(self.page.locator(f'#queue button[data-name="{name}"][data-value="{value}"]'))
        return number(self.page.locator('#queue .count').inner_text())

    def rule(self, rule):
        """The same for a rule: its filters must be unfolded first."""
        self.click(self.page.locator('#queue summary', has_text='rule').first)
        return self.chip('rule', rule)

    def row(self, query, *values):
        return self.database.execute(query, values).fetchone()

    def sql(self, query, *values):
        row = self.row(query, *values)
        return row and row[0]

    def table(self, caption, inside=''):
        """The rows of a table that can be seen, each as the texts of its cells."""
        for table in self.page.locator(f'{inside} table:visible'.strip()).all():
            if table.locator('caption').inner_text().strip() == caption:
                return [
                    [cell.strip() for cell in row.locator('td, th').all_inner_texts()]
                    for row in table.locator('tbody tr').all()
                ]
        raise AssertionError(f'there is no table “{caption}” to be seen')


def number(text):
    return int(re.search(r'[\d,]+', text).group().replace(',', ''))


def same(found, wanted):
    assert found == wanted, f'the page says {found!r}, the database {wanted!r}'


def invalid_and_why(walk):
    rows = {row[0]: row[1] for row in walk.table('Claims', '#glance')}
    same(number(rows['invalid']), walk.sql("SELECT count(*) FROM receipts WHERE verdict = 'invalid'"))
    for check, claims in walk.table('Failed checks', '#glance'):
        wanted = "SELECT count(*) FROM receipts WHERE ';' || failed_checks || ';' LIKE '%;' || ? || ';%'"
        same(number(claims), walk.sql(wanted, check))


def worst(kind, caption):
    def ask(walk):
        row = walk.table(caption, '#glance')[0]
        same(number(row[2]), walk.sql('SELECT max(score) FROM entities WHERE kind = ?', kind))
        same(number(row[3]), walk.sql('SELECT claims FROM entities WHERE kind = ? ORDER BY score DESC LIMIT 1', kind))
        if kind == 'account':
            walk.click(walk.page.locator('#glance table:visible', has_text=caption).first.locator('tbody a').first)
            card = walk.page.locator(':target')
            assert card.is_visible(), 'its card is not to be seen'
            rules = walk.sql("SELECT rules FROM entities WHERE kind = 'account' ORDER BY score DESC LIMIT 1")
            for rule in re.split(r'[; ]+', rules):
                assert rule in card.inner_text(), f'the card does not say {rule}'

    return ask


def all_about_one_device(walk):
    walk.click(walk.page.locator('#glance table:visible', has_text='Worst devices').first.locator('tbody a').first)
    card = walk.page.locator(':target')
    device = walk.sql("SELECT id FROM entities WHERE kind = 'device' ORDER BY score DESC, at_stake DESC LIMIT 1")
    assert card.is_visible() and device in card.inner_text(), f'no card of {device}'
    rules = "SELECT DISTINCT rule FROM entity_findings WHERE kind = 'device' AND id = ?"
    for (rule,) in walk.database.execute(rules, [device]):
        assert rule in card.inner_text(), f'the card does not say {rule}'


def refunded_and_used(walk):
    same(walk.rule('refunded-purchase'), walk.sql("SELECT count(*) FROM queue WHERE rule = 'refunded-purchase'"))


def apps_and_products(walk):
    for row in walk.table('Apps', '#glance'):
        same(number(row[1]), walk.sql('SELECT claims FROM by_app WHERE app = ?', row[0].replace('no app', '')))
    product, _, findings = walk.table('Products with most findings', '#glance')[0]
    same(number(findings), walk.sql('SELECT max(findings) FROM affected_products'))


def new_since_last(walk):
    same(walk.chip('change', 'new'), walk.sql('SELECT count(*) FROM new_since_last'))


def false_alarms(walk):
    same(walk.chip('confidence', 'doubtful'), walk.sql("SELECT count(*) FROM queue WHERE confidence = 'doubtful'"))


def by_month(walk):
    walk.click(walk.page.locator('#glance summary', has_text='The same as a table').first)
    for month, claims, *_ in walk.table('Claims that are not clean, by month', '#glance'):
        same(number(claims), walk.sql("SELECT count(*) FROM receipts WHERE substr(presented_at, 1, 7) = ?", month[:7]))


def active_churn_and_mrr(walk):
    text = walk.page.locator('#glance').inner_text()
    running = walk.sql(
        "SELECT count(*) FROM subscriptions WHERE state IN ('trial', 'intro', 'active', 'grace-period')"
        " AND environment IN ('Production', 'ProductionVPP')")
    assert re.search(rf'\b{running:,} subscriptions? active', text), f'{running} active are not told'
    assert 'MRR' in text, 'the recurring revenue is not told'
    walk.chapter('subscriptions')
    month, churn = walk.row(
        "SELECT month, value FROM metrics WHERE metric = 'churn' AND app IS NULL AND month < '2026-06'"
        " ORDER BY month DESC LIMIT 1")
    told = [row for row in walk.table('Churn', '#subscriptions') if row[0] == month][0]
    same(told[5], f'{float(churn) * 100:.1f} %')


def paid_and_got_nothing(walk):
    walk.chapter('support')
    same(len(walk.table('Unclaimed purchases')), walk.sql('SELECT count(*) FROM unclaimed'))


def what_to_tell_apple(walk):
    walk.chapter('support')
    same(len(walk.table('Refund requests')), walk.sql('SELECT count(*) FROM refund_requests'))


QUESTIONS = {
    'how many are invalid, and why': invalid_and_why,
    'the worst accounts, and why': worst('account', 'Worst accounts'),
    'the worst devices': worst('device', 'Worst devices'),
    'all about one device': all_about_one_device,
    'what is refunded and still used': refunded_and_used,
    'the apps and products most affected': apps_and_products,
    'what is new since the last run': new_since_last,
    'probable false alarms': false_alarms,
    'by month': by_month,
    'active subscriptions, churn and MRR': active_churn_and_mrr,
    'who paid and got nothing': paid_and_got_nothing,
    'what to tell Apple': what_to_tell_apple,
}


def main(path, database):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    wrong = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path='/usr/bin/chromium', args=['--no-sandbox'])
        page = browser.new_page(viewport={'width': 1280, 'height': 900})
        for question, ask in QUESTIONS.items():
            walk = Walk(page, f'file://{os.path.abspath(path)}', db)
            try:
                ask(walk)
                assert walk.clicks <= MOST_CLICKS, f'{walk.clicks} clicks'
                print(f'  {question}: {walk.clicks} clicks')
            except AssertionError as error:
                wrong += 1
                print(f'{question}: {error}', file=sys.stderr)
        browser.close()
    print(f'{len(QUESTIONS)} questions asked, {wrong} answered wrong')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2]))
