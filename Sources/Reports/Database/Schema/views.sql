-- finding_claims.mark TEXT the severity that the finding has for this claim (links.severity)
CREATE VIEW finding_claims AS
SELECT f.finding_id, f.rule, f.subject, f.severity, f.confidence, f.change, f.status, l.severity AS mark, l.claim_id,
    l.source, c.verdict, c.failed_checks, l.device_id, l.account_id, l.receipt_sha256, l.guid, l.presented_at,
    c.bundle_id, f.evidence
FROM fraud AS f JOIN links AS l ON l.finding_id = f.finding_id JOIN claims AS c ON c.claim_id = l.claim_id;

-- entity_findings.mark TEXT the severity that the finding has for this entity (entity_marks.severity)
CREATE VIEW entity_findings AS
SELECT e.kind, e.id, e.score, m.severity AS mark, f.finding_id, f.rule, f.subject, f.severity, f.confidence, f.change,
    f.status, f.claims, f.devices, f.accounts, f.at_stake, f.currency, f.first_seen, f.evidence
FROM entity_marks AS m
JOIN entities AS e ON e.kind = m.kind AND e.id = m.id
JOIN fraud AS f ON f.finding_id = m.finding_id;

-- claim_history.presentation INTEGER which presentation of the receipt this claim is, by date: 1 is the first
-- claim_history.findings INTEGER the number of findings that the claim is linked to
CREATE VIEW claim_history AS
SELECT c.presented_at, c.claim_id, c.receipt_sha256, c.account_id, c.device_id, c.verdict, c.failed_checks, c.risk,
    c.bundle_id, c.receipts,
    row_number() OVER (PARTITION BY c.receipt_sha256 ORDER BY c.presented_at, c.claim_id) AS presentation,
    (SELECT count(*) FROM links AS l WHERE l.claim_id = c.claim_id) AS findings
FROM claims AS c;

-- refunds.transaction_id TEXT a refunded transaction, once: upgrades, family sharing and refunds that a later proof shows reversed are left out
-- refunds.refunded_at TEXT when it was refunded, by the earliest that is shown
-- refunds.shown_by TEXT purchase if a claim of this run shows the refund itself, evidence if only --evidence does
-- refunds.price REAL what was paid, by a token if one is presented; without one, what the product costs by the policy; NULL if no claim of this run presents it
-- refunds.currency TEXT that of the price
CREATE VIEW refunds AS
WITH proven AS NOT MATERIALIZED (
    SELECT p.rowid AS place, p.claim_id, p.transaction_id, p.refunded_at, p.revocation, p.price, p.currency, c.kind
    FROM purchases AS p JOIN claims AS c ON c.claim_id = p.claim_id
    WHERE c.verdict <> 'unreadable' AND coalesce(c.failed_checks, '') NOT GLOB '*sign*'
        AND coalesce(c.failed_checks, '') NOT GLOB '*chain*'),
shown AS (
    SELECT p.transaction_id, p.refunded_at, 'purchase' AS shown_by FROM proven AS p
    WHERE p.revocation IN ('refund', 'excused-refund')
    UNION
    SELECT e.transaction_id, e.revoked_at, 'evidence' FROM evidence AS e
    WHERE e.revocation IN ('refund', 'excused-refund') AND e.verdict = 'valid' AND e.kind = 'transaction')
SELECT s.transaction_id, min(s.refunded_at) AS refunded_at, max(s.shown_by) AS shown_by,
    (SELECT p.price FROM proven AS p WHERE p.transaction_id = s.transaction_id
        ORDER BY p.price IS NULL, p.kind <> 'transaction', p.currency, p.place LIMIT 1) AS price,
    (SELECT p.currency FROM proven AS p WHERE p.transaction_id = s.transaction_id
        ORDER BY p.price IS NULL, p.kind <> 'transaction', p.currency, p.place LIMIT 1) AS currency
FROM shown AS s
WHERE NOT EXISTS (
        SELECT 1 FROM evidence AS e
        WHERE e.transaction_id = s.transaction_id AND e.revoked_at IS NULL AND e.verdict = 'valid'
            AND e.kind = 'transaction' AND e.signed_at > s.refunded_at)
    AND NOT EXISTS (
        SELECT 1 FROM proven AS p JOIN receipts AS r ON r.claim_id = p.claim_id
        WHERE p.transaction_id = s.transaction_id AND p.refunded_at IS NULL AND r.created_at > s.refunded_at)
GROUP BY s.transaction_id;
