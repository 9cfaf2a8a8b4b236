-- What each finding puts at stake, recomputed from a report in SQLite, beside the amount that the report says.
--
-- Each WHEN is a row of the table in figures.md (Money at stake). To list the transactions, replace the last statement by
-- SELECT * FROM concerned: a restored purchase has a row for each of its transactions. Not in the report, so not in the
-- recomputed amounts, are prices that only evidence or other claims state, purchases of earlier runs' claims, and the
-- parts of a ring beyond the ten that its evidence names.
WITH genuine AS (
    SELECT f.finding_id, f.rule, f.subject, l.presented_at, c.claimed_product_id AS asked, r.created_at,
        iif(c.kind = 'transaction', r.created_at, '') AS signed_at,
        CASE WHEN f.rule IN ('transaction-conflict', 'replayed-consumable') THEN p.transaction_id
            WHEN p.web_order_line_item_id IS NOT NULL
                THEN coalesce(p.original_transaction_id, p.transaction_id) || ' ' || p.web_order_line_item_id
            WHEN p.expires_at IS NULL AND c.kind = 'app-receipt' THEN coalesce(p.original_transaction_id, p.transaction_id)
            ELSE p.transaction_id END AS purchase,
        p.*
    FROM fraud AS f JOIN links AS l USING (finding_id) JOIN claims AS c USING (claim_id)
        JOIN receipts AS r USING (claim_id) JOIN purchases AS p USING (claim_id)
    WHERE c.verdict <> 'unreadable' AND coalesce(c.failed_checks, '') NOT GLOB '*sign*'
        AND coalesce(c.failed_checks, '') NOT GLOB '*chain*' AND coalesce(p.ownership, 'PURCHASED') = 'PURCHASED'
        AND coalesce(r.environment, '') IN ('', 'Production', 'ProductionVPP')),
shown AS (
    SELECT g.*, g.subject = 'transaction:' || coalesce(g.original_transaction_id, g.transaction_id) AS is_subject,
        coalesce(max(g.presented_at) OVER (PARTITION BY g.finding_id), g.created_at) AS last_presented,
        t.refunded_at AS taken_back,
        coalesce(t.transaction_id IS NOT NULL AND g.product_id = g.asked, false) AS is_asked_refund
    FROM genuine AS g LEFT JOIN refunds AS t USING (transaction_id)),
concerned AS (
    SELECT * FROM shown AS s WHERE CASE
        WHEN rule IN ('shared-receipt', 'unattributed-replay')
            THEN refunded_at IS NULL AND taken_back IS NULL AND coalesce(expires_at > last_presented, true)
        WHEN rule = 'hidden-refund' THEN is_subject AND refunded_at IS NULL AND presented_at > taken_back
        WHEN rule = 'repeat-refunds' THEN taken_back IS NOT NULL
        WHEN rule = 'refunded-purchase' THEN taken_back IS NOT NULL AND is_asked_refund = (
            SELECT max(o.is_asked_refund) FROM shown AS o WHERE o.finding_id = s.finding_id)
        WHEN subject GLOB 'transaction:*' THEN is_subject
        WHEN subject GLOB 'claim:*' THEN product_id = asked AND purchased_at = (
            SELECT max(o.purchased_at) FROM genuine AS o
            WHERE o.finding_id = s.finding_id AND o.product_id = s.asked)
        END),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY finding_id, purchase ORDER BY signed_at DESC, product_id) AS rank
    FROM concerned),
at_stake AS (
    SELECT finding_id, purchase, price FROM ranked WHERE rank = 1
    UNION
    SELECT ring.finding_id, s.purchase, s.price FROM fraud AS ring
        JOIN fraud AS part ON ring.evidence LIKE '%' || part.subject || '%' AND part.severity IN ('high', 'critical')
            AND part.rule IN ('shared-receipt', 'shared-account', 'replayed-consumable', 'transaction-conflict')
        JOIN ranked AS s ON s.finding_id = part.finding_id AND s.rank = 1
    WHERE ring.rule = 'fraud-ring')
SELECT f.rule, f.subject, f.at_stake, round(sum(s.price), 2) AS recomputed, count(*) AS transactions
FROM fraud AS f JOIN at_stake AS s USING (finding_id)
GROUP BY f.finding_id ORDER BY f.rule, f.subject;
