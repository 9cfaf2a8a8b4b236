import Engine

/// The queries of `audit show`, by the kind of subject. The first parameter of each query is the subject's id.
struct ShownQueries {
    let kind: ShownSubject.Kind

    /// The query for whether there is such a subject: it returns a row if there is.
    var exists: String {
        let entity = "SELECT 1 FROM entities WHERE kind = '\(kind.rawValue)' AND id = ?1"
        return switch kind {
        case .claim: "SELECT 1 WHERE EXISTS (\(claims))"
        case .finding: "SELECT 1 FROM fraud WHERE finding_id = ?1"
        case .signer: entity
        case .app: "SELECT 1 FROM fraud WHERE subject = 'app:' || ?1"
        case .account, .device, .person, .transaction, .receipt:
            "\(entity) UNION SELECT 1 WHERE EXISTS (\(claims))"
                + " UNION SELECT 1 FROM fraud WHERE subject = '\(kind.rawValue):' || ?1"
        }
    }

    /// The query for the facts about the subject itself, in one row.
    var facts: String {
        switch kind {
        // Of a case the latest presentation.
        case .claim: "SELECT * FROM claims WHERE claim_id IN (\(claims)) ORDER BY presented_at DESC, claim_id LIMIT 1"
        case .finding: "SELECT * FROM fraud WHERE finding_id = ?1"
        case .account, .device, .person, .transaction, .receipt, .signer, .app:
            "SELECT * FROM entities WHERE kind = '\(kind.rawValue)' AND id = ?1"
        }
    }

    /// The query for the ids of its claims.
    var claims: String {
        let ofSubject = """
            SELECT l.claim_id FROM fraud AS f JOIN links AS l ON l.finding_id = f.finding_id
            WHERE f.subject = '\(kind.rawValue):' || ?1
            """
        return switch kind {
        case .account, .device:
            """
            SELECT claim_id FROM claims WHERE \(kind.rawValue)_id = ?1
            UNION SELECT claim_id FROM links WHERE \(kind.rawValue)_id = ?1
            """
        case .person: "SELECT claim_id FROM receipts WHERE app_transaction_id = ?1 UNION \(ofSubject)"
        case .transaction:
            """
            SELECT claim_id FROM purchases WHERE transaction_id = ?1
            UNION SELECT claim_id FROM purchases WHERE original_transaction_id = ?1 UNION \(ofSubject)
            """
        case .receipt: "SELECT claim_id FROM claims WHERE receipt_sha256 = ?1"
        case .signer:
            """
            SELECT l.claim_id FROM entity_marks AS m JOIN links AS l ON l.finding_id = m.finding_id
            WHERE m.kind = 'signer' AND m.id = ?1
            """
        case .app: ofSubject
        case .claim:
            """
            SELECT claim_id FROM claims WHERE claim_id = ?1
            UNION SELECT claim_id FROM receipts WHERE case_id = ?1 UNION \(ofSubject)
            """
        case .finding: "SELECT claim_id FROM links WHERE finding_id = ?1"
        }
    }

    /// The query for its findings, each with its mark here, the highest first.
    var findings: String {
        let columns = """
            f.severity, f.rule, f.confidence, f.change, f.status, f.subject, f.evidence, f.first_seen, f.at_stake,
            f.currency, f.at_stake_at_least, f.finding_id
            """
        return switch kind {
        case .finding: "SELECT f.severity AS mark, \(columns) FROM fraud AS f WHERE f.finding_id = ?1"
        case .claim:
            """
            SELECT l.severity AS mark, \(columns) FROM links AS l JOIN fraud AS f ON f.finding_id = l.finding_id
            JOIN severities AS s ON s.severity = l.severity
            WHERE l.claim_id IN (\(claims)) GROUP BY f.finding_id ORDER BY max(s.rank) DESC, f.rule, f.subject
            """
        case .app:
            """
            SELECT f.severity AS mark, \(columns) FROM fraud AS f JOIN severities AS s ON s.severity = f.severity
            WHERE f.subject = 'app:' || ?1 ORDER BY s.rank DESC, f.rule
            """
        case .account, .device, .person, .transaction, .receipt, .signer:
            ReportQuery.findings("m.severity AS mark, \(columns)", of: "'\(kind.rawValue)'", "?1")
        }
    }

    /// The query for the decisions about its findings, latest first.
    var decisions: String {
        """
        SELECT r.reviewed_at, r.status, r.reviewed_by, r.note, r.until, f.rule, f.subject, f.finding_id
        FROM reviews AS r JOIN fraud AS f ON f.finding_id = r.finding_id
        WHERE r.finding_id IN (SELECT finding_id FROM (\(findings))) ORDER BY r.reviewed_at DESC, r.rowid DESC
        """
    }

    /// The query for its claims, latest first.
    var shownClaims: String {
        """
        SELECT presented_at, verdict, failed_checks, risk, guid, account_id, device_id, bundle_id, source, receipt_sha256,
            claim_id
        FROM claims WHERE claim_id IN (\(claims)) ORDER BY presented_at DESC, claim_id
        """
    }

    /// The query for the other accounts and devices that present the receipts of its claims. `owner` is 1 for those whose
    /// device a receipt of Apple names, while the claims of the subject come from another device.
    var others: String {
        let receipts = "SELECT receipt_sha256 FROM claims WHERE claim_id IN (\(claims))"
        let copied = """
            SELECT receipt_sha256 FROM claims AS c WHERE c.claim_id IN (\(claims))
            GROUP BY receipt_sha256 HAVING max(\(WordOf.isOwned("c"))) = 0
            """
        let same = { (other: ShownSubject.Kind) in
            let column = "\(other.rawValue)_id"
            // A claim, an account, a device or a person has its own claims; for anything else these belong to its
            // presenters.
            let own =
                switch kind {
                case .claim, .account, .device, .person, .app:
                    "AND \(column) NOT IN (SELECT \(column) FROM claims WHERE claim_id IN (\(claims)) "
                        + "AND \(column) IS NOT NULL)"
                case .transaction, .receipt, .signer, .finding: ""
                }
            let owns = own.isEmpty ? WordOf.isOwned("o") : "\(WordOf.isOwned("o")) AND o.receipt_sha256 IN (\(copied))"
            return """
                SELECT '\(other.rawValue)' AS kind, \(column) AS id, count(*) AS claims, max(\(owns)) AS owner,
                    min(presented_at) AS first_presented, max(presented_at) AS last_presented
                FROM claims AS o WHERE receipt_sha256 IN (\(receipts)) AND \(column) IS NOT NULL \(own) GROUP BY \(column)
                """
        }
        return "\(same(.account)) UNION ALL \(same(.device)) ORDER BY owner DESC, kind, claims DESC, id"
    }

    /// The query for the distinct transactions of its claims, latest first, each with the best word about it
    /// (``WordOf``). A token's price takes precedence over the policy's, and what was signed last, of evidence too, says
    /// whether it was refunded: for columns next to `max`, SQLite uses the row with the maximum.
    var purchases: String {
        let best = """
            SELECT * FROM (
                SELECT *, min(place) OVER (PARTITION BY transaction_id) AS best FROM (
                    SELECT p.transaction_id, p.original_transaction_id, p.product_id, p.purchased_at, p.expires_at,
                        p.refunded_at, p.revocation, p.price, p.currency, c.kind, r.created_at,
                        \(WordOf.place) AS place
                    FROM purchases AS p JOIN claims AS c ON c.claim_id = p.claim_id
                    JOIN receipts AS r ON r.claim_id = p.claim_id WHERE p.claim_id IN (\(claims))))
            WHERE place = best
            """
        return """
            WITH best AS MATERIALIZED (\(best))
            SELECT a.transaction_id, a.original_transaction_id, a.product_id, a.purchased_at, a.expires_at,
                CASE WHEN l.revocation IN ('refund', 'excused-refund') THEN l.refunded_at END AS refunded_at,
                b.price, b.currency, \(WordOf.atPlace("a.place")) AS word
            FROM (
                SELECT transaction_id, original_transaction_id, product_id, place, min(purchased_at) AS purchased_at,
                    max(expires_at) AS expires_at
                FROM best GROUP BY transaction_id) AS a
            JOIN (
                SELECT transaction_id, price, currency, max((price IS NOT NULL) * (1 + (kind <> 'app-receipt')))
                FROM best GROUP BY transaction_id) AS b ON b.transaction_id = a.transaction_id
            JOIN (
                SELECT transaction_id, revocation, refunded_at, max(signed_at || (refunded_at IS NOT NULL))
                FROM (
                    SELECT transaction_id, revocation, refunded_at, created_at AS signed_at FROM best UNION ALL
                    SELECT transaction_id, revocation, revoked_at, signed_at FROM evidence
                    WHERE verdict = 'valid' AND kind = 'transaction'
                        AND transaction_id IN (SELECT transaction_id FROM best))
                GROUP BY transaction_id) AS l ON l.transaction_id = a.transaction_id
            ORDER BY a.purchased_at DESC, a.transaction_id
            """
    }
}
