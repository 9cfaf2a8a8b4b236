CREATE VIEW finding_claims AS
SELECT f.finding_id, f.rule, f.subject, f.severity, f.confidence, f.change, f.status, l.severity AS mark, l.claim_id,
    l.source, c.verdict, c.failed_checks, l.device_id, l.account_id, l.receipt_sha256, l.guid, l.presented_at,
    c.bundle_id, f.evidence
FROM fraud AS f JOIN links AS l ON l.finding_id = f.finding_id JOIN claims AS c ON c.claim_id = l.claim_id;

CREATE VIEW entity_findings AS
SELECT e.kind, e.id, e.score, m.severity AS mark, f.finding_id, f.rule, f.subject, f.severity, f.confidence, f.change,
    f.status, f.claims, f.devices, f.accounts, f.at_stake, f.currency, f.first_seen, f.evidence
FROM entity_marks AS m
JOIN entities AS e ON e.kind = m.kind AND e.id = m.id
JOIN fraud AS f ON f.finding_id = m.finding_id;

CREATE VIEW claim_history AS
SELECT c.presented_at, c.claim_id, c.receipt_sha256, c.account_id, c.device_id, c.verdict, c.failed_checks, c.risk,
    c.bundle_id, c.receipts,
    row_number() OVER (PARTITION BY c.receipt_sha256 ORDER BY c.presented_at, c.claim_id) AS presentation,
    (SELECT count(*) FROM links AS l WHERE l.claim_id = c.claim_id) AS findings
FROM claims AS c;

CREATE VIEW new_tonight AS
SELECT f.* FROM fraud AS f JOIN severities AS s ON s.severity = f.severity
WHERE f.change = 'new' ORDER BY s.rank DESC, f.rule, f.subject;
