import Checks
import Encodings
import Engine
import Rules

/// The values of the template `cards`: the entities with the highest scores, each with its findings.
struct CardView {
    struct Fact { let text: String }
    struct Found {
        let severity: String
        /// The place of the finding, if it has a row elsewhere.
        let place: String?
        /// Its anchor, if this is its first place on the page.
        let ownAnchor: String?
        let rule: CellView
        let subject: String
        let evidence: String
    }

    let number: Int
    /// See ``PageAnchor``.
    let anchor: String
    let kind: String
    let name: String
    /// See ``CopiedText``.
    let exact: String?
    let worst: String
    let score: String
    let facts: [Fact]
    let found: [Found]
    let hasMore: Bool
    let more: String
    /// The other members of a ring, if the entity is the first.
    let members: [Members]

    struct Members {
        let title: String
        let named: [Member]
        let more: String
    }
    struct Member {
        let worst: String
        let kind: String
        let name: String
        let anchor: String
        let findings: String
    }

    /// - Parameter placed: the findings that already have a place on the page.
    static func all(_ document: ReportDocument, placed: Set<FindingID>) -> [CardView] {
        var placed = placed
        return document.entities.cards.enumerated().map { CardView($0, $1, &placed) }
    }

    private init(_ index: Int, _ card: TopEntities.Card, _ placed: inout Set<FindingID>) {
        let row = card.row
        number = index + 1
        anchor = PageAnchor.of(row.entity)
        kind = row.entity.kind.code
        name = TextLayout.safe(row.entity.id, limit: CellView.maxLength)
        exact = CopiedText.encoded(row.entity.id, shown: name)
        worst = row.worst.code
        score = Summary.Cell.tenths(row.score).plainText
        facts = Self.facts(of: row).map { Fact(text: $0) }
        var found: [Found] = []
        for (mark, line) in card.notes {
            let (anchor, isFirst) = (PageAnchor.of(line.id), placed.insert(line.id).inserted)
            found.append(
                Found(
                    severity: mark.code, place: isFirst ? nil : anchor, ownAnchor: isFirst ? anchor : nil,
                    rule: .rule(line.rule), subject: line.subject, evidence: line.evidence))
        }
        self.found = found
        let omitted = row.findings - found.count
        hasMore = omitted > 0
        more = "and \(counted(omitted, "more finding", grouped))"
        members = card.ring.map { [Members($0)] } ?? []
    }

    private static func facts(of row: EntityRow) -> [String] {
        let verdicts = [(row.valid, "valid"), (row.invalid, "invalid"), (row.unreadable, "unreadable")]
            .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
        var facts = ["\(counted(row.claims, "claim", grouped)): \(verdicts.joined(separator: ", "))"]
        for (count, noun) in [(row.devices, "device"), (row.accounts, "account"), (row.apps, "app")] {
            facts.append(counted(count, noun, grouped))
        }
        if let amount = row.atStake {
            facts.append("at stake: " + Summary.Cell(amount).visibleText)
        }
        if row.unpriced > 0 { facts.append("\(counted(row.unpriced, "transaction", grouped)) without a price") }
        let dates = [row.firstPresented, row.lastPresented].compactMap { $0 }.map { $0.date }
        if let first = dates.first, let last = dates.last {
            facts.append(first == last ? "presented \(first)" : "presented \(first) to \(last)")
        }
        if row.ring != nil { facts.append("part of a ring") }
        if row.isNew == true { facts.append("new") }
        return facts + [row.status.rawValue]
    }
}

extension CardView.Members {
    fileprivate init(_ ring: TopEntities.Ring) {
        title = "The ring has \(counted(ring.count, "other member", grouped))"
        named = ring.named.map { row in
            CardView.Member(
                worst: row.worst.code, kind: row.entity.kind.code,
                name: TextLayout.safe(row.entity.id, limit: CellView.maxLength), anchor: PageAnchor.of(row.entity),
                findings: counted(row.findings, "finding", grouped))
        }
        let rest = ring.count - named.count
        more =
            rest > 0 ? "and \(grouped(rest)) more: filter `ring` in the table `entities`".replacing("`", with: "") : ""
    }
}
