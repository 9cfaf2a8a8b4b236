import Checks
import Encodings
import Engine
import Rules
import SQLite

/// The rows of a workbook that cells lead to.
struct WorkbookPlaces {
    typealias Place = WorkbookSheet.Place
    /// The links of a row, by the index of the column.
    typealias Links = [Int: Place]

    /// What a row is about, or the first of several rows.
    private enum Subject: Hashable {
        case finding(FindingID)
        /// The first finding of a rule.
        case findings(ExactText)
        case links(FindingID)
        case claim(ClaimID)
        case entity(String)
        case rule(ExactText)

        var sheet: String {
            switch self {
            case .finding, .findings: QueueSheet.name
            case .links: "Links"
            case .claim: "Claims"
            case .entity: EntitySheet.name
            case .rule: RuleSheet.name
            }
        }
    }

    /// A claim with findings: the first row of the sheet `Links` with it, and the finding and the presenters there.
    private struct LinkedClaim {
        let row: Int
        let finding: FindingID?
        let account: String
        let device: String
    }

    private var rows: [Subject: Int] = [:]
    private var linked: [ClaimID: LinkedClaim] = [:]
    private var claimOfFinding: [FindingID: ClaimID] = [:]
    /// The first claims of entities, by subject.
    private var claimOfEntity: [String: ClaimID] = [:]

    init(_ document: ReportDocument, _ limits: WorkbookLimits) throws {
        let report = document.report
        var row = 0
        func add(_ subject: Subject) { if rows[subject] == nil { rows[subject] = row } }
        for rule in RuleBook.ids {
            add(.rule(rule))
            row += 1
        }
        row = 0
        try report.forEachFinding(limits.findings) { finding in
            add(.finding(finding.finding.id))
            add(.findings(finding.finding.rule))
            row += 1
        }
        row = 0
        for card in document.entities.cards {
            add(.entity(card.row.subject))
            for member in card.ring?.named ?? [] { add(.entity(member.subject)) }
            row += 1
        }
        try report.forEachEntity(besides: document.entities, limits.entities) { entity, _ in
            add(.entity(entity.subject))
            row += 1
        }
        row = 0
        try report.forEachWorstClaim(limits.claims) { claim in
            if let id = claim.claimID { add(.claim(id)) }
            row += 1
        }
        row = 0
        try report.forEachLink(limits.links) { link in
            defer { row += 1 }
            guard let finding = link.findingID, let claim = link.claimID else { return }
            add(.links(finding))
            addLink(row, finding, claim, link)
        }
    }

    private mutating func addLink(_ row: Int, _ finding: FindingID, _ claim: ClaimID, _ link: DatabaseReader.Cells) {
        let device = link.text("guid") == DeviceHashResult.match.rawValue ? link.text("device_id") : ""
        let account = link.text("account_id")
        if linked[claim] == nil {
            linked[claim] = LinkedClaim(row: row, finding: finding, account: account, device: device)
        }
        if claimOfFinding[finding] == nil { claimOfFinding[finding] = claim }
        for (kind, id) in [("account", account), ("device", device), ("receipt", link.text("receipt_sha256"))]
        where !id.isEmpty && claimOfEntity["\(kind):\(id)"] == nil {
            claimOfEntity["\(kind):\(id)"] = claim
        }
    }

    private subscript(subject: Subject) -> Place? {
        rows[subject].map { Place(sheet: subject.sheet, row: $0 + 1) }
    }

    func finding(_ id: FindingID) -> Place? { self[.finding(id)] }
    func firstFinding(_ rule: ExactText) -> Place? { self[.findings(rule)] }
    func rule(_ id: ExactText) -> Place? { self[.rule(id)] }
    /// - Parameter subject: the entity as in subjects of findings.
    func entity(_ subject: String) -> Place? { self[.entity(subject)] }

    func place(_ lead: Summary.Lead) -> Place? {
        switch lead {
        case .finding(let id): finding(id)
        case .entity(let entity, _): self.entity("\(entity.kind.code):\(entity.id.text)")
        case .falseAlarms(let id): rule(id)
        }
    }

    private func claim(of finding: FindingID) -> Place? { claimOfFinding[finding].flatMap { self[.claim($0)] } }

    /// Returns links from a finding to its subject, its rule, its claims, its account and its device.
    func links(of finding: FindingRow) -> Links {
        let subject = finding.subject.text
        return Self.links(
            QueueSheet.schema,
            [
                "subject": entity(subject) ?? (subject.hasPrefix("claim:") ? claim(of: finding.id) : nil),
                "rule": rule(finding.rule), "sources": claim(of: finding.id), "finding_id": self[.links(finding.id)],
                "account_id": entity("account:" + finding.accountID.text),
                "device_id": entity("device:" + finding.deviceID.text),
            ])
    }

    /// Returns links from an entity to the finding with the highest mark, its ring, and its first claim.
    func links(of entity: EntityRow, worst: FindingID?) -> Links {
        let claim = claimOfEntity[entity.subject].flatMap { self[.claim($0)] }
        return Self.links(
            EntitySheet.schema,
            [
                "id": worst.flatMap(finding), "ring": entity.ring.flatMap(finding),
                "claims": claim ?? worst.flatMap { self.claim(of: $0) },
            ])
    }

    /// Returns links from a claim to its findings, its account and, where Apple signed that it is its own, its device.
    func links(ofClaim row: DatabaseReader.Cells) -> Links {
        guard let id = row.claimID, let found = linked[id] else { return [:] }
        let failed = row.text("failed_checks").split(separator: ";")
        let isOwn =
            row.text("guid") == DeviceHashResult.match.rawValue
            && !WordOf.brokenSignature.contains { failed.contains($0[...]) }
        return Self.links(
            ReceiptsTable.schema,
            [
                "source": Place(sheet: "Links", row: found.row + 1), "claim_id": found.finding.flatMap(finding),
                "account_id": entity("account:" + found.account),
                "device_id": isOwn ? entity("device:" + found.device) : nil,
            ])
    }

    func links(ofLink row: DatabaseReader.Cells) -> Links {
        Self.links(
            LinksTable.schema,
            [
                "finding_id": row.findingID.flatMap(finding), "claim_id": row.claimID.flatMap { self[.claim($0)] },
            ])
    }

    func links(ofRule id: ExactText) -> Links { Self.links(RuleSheet.schema, ["rule": firstFinding(id)]) }

    private static func links(_ schema: TableSchema, _ places: [String: Place?]) -> Links {
        var links: Links = [:]
        for (column, place) in places { links[schema.index(of: column)] = place }
        return links
    }
}

extension DatabaseReader.Cells {
    fileprivate var findingID: FindingID? { FindingID(ExactText(text("finding_id"))) }
    fileprivate var claimID: ClaimID? { ClaimID(ExactText(text("claim_id"))) }
}
