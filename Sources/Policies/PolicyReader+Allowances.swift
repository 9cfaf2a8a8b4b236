import Checks
import Encodings
import Inputs
import Rules
import YAML

extension PolicyReader {
    /// `allow`: a list.
    mutating func allowances(_ value: YAMLValue) -> [Policy.Allowance] {
        switch value.content {
        case .empty: return []
        case .list(let items): return items.compactMap { allowance($0) }
        case .text, .table:
            refuse(value, "“allow” must be a list of subjects, each with a reason")
            return []
        }
    }

    private mutating func allowance(_ item: YAMLValue) -> Policy.Allowance? {
        guard case .table = item.content else {
            refuse(item, "an entry of “allow” must be a table with “subject” and “reason”")
            return nil
        }
        var (subject, reason, missing): (ExactText, ExactText, [ExactText]) = ("", "", ["subject", "reason"])
        var ids: Set<ExactText> = []
        var until: Instant?
        for entry in table(item, "“allow”", keys: ["subject", "rules", "reason", "until"]) {
            missing.removeAll { $0 == entry.key }
            switch entry.key {
            case "subject": subject = self.subject(entry.value) ?? ""
            case "rules": ids = ruleIDs(entry.value)
            case "reason": reason = text(entry.value, "reason", "a text that says why") ?? ""
            default: until = end(entry.value)
            }
        }
        checkSubject(subject, ids, of: item)
        for key in missing { report(item.place, "an entry of “allow” needs “\(key)”") }
        var allowance = Policy.Allowance(subject: subject, reason: reason.text)
        allowance.rules = ids
        allowance.until = until
        return allowance
    }

    /// Records a problem if no rule of an entry can have its subject: the entry would hide nothing, without notice.
    private mutating func checkSubject(_ subject: ExactText, _ ids: Set<ExactText>, of item: YAMLValue) {
        let rules = RuleBook.rules.filter { ids.contains($0.documentation.id) }
        guard rules.count == ids.count, !rules.isEmpty, case .table(let entries) = item.content,
            let place = entries.first(where: { $0.key == "subject" })?.value.place,
            let kind = SubjectKind.split(subject)?.kind,
            !rules.contains(where: { $0.subjects.contains(kind) })
        else { return }
        let possible = rules.map { rule in
            "\(rule.documentation.id) has " + rule.subjects.map(\.pattern).joined(separator: " or ")
        }
        report(
            place,
            "no rule of this entry has a subject \(kind.pattern), so it would hide nothing: "
                + possible.joined(separator: ", "))
    }

    private mutating func ruleIDs(_ value: YAMLValue) -> Set<ExactText> {
        let texts = texts(value, "rules", of: "rule ids")
        for (text, place) in texts where !RuleBook.ids.contains(text) {
            report(place, "unknown rule \(text.quoted)" + Nearest.question(text, among: RuleBook.ids))
        }
        return Set(texts.map(\.text))
    }

    /// Returns a subject in the form used by findings.
    private mutating func subject(_ value: YAMLValue) -> ExactText? {
        let text = value.text ?? ""
        if let id = text.rest(behind: "finding:") {
            if FindingID(id) != nil { return text }
            refuse(value, "a finding must be named by the 24 hex digits of its finding_id")
            return nil
        }
        guard let (kind, id) = SubjectKind.split(text), !id.isBlank else {
            refuse(
                value,
                text.hasPrefix("source:")
                    ? "“source:” is the position of a row, not a claim: name the finding's subject (claim:…) or id "
                        + "(finding:…), as the report has them"
                    : "“subject” must be claim:, finding:, receipt:, transaction:, device:, account:, app: or person: "
                        + "followed by an id")
            return nil
        }
        switch kind {
        case .account: return "account:\(DeviceIdentifiers.canonicalUUID(id) ?? id)"
        case .transaction, .app, .person: return value.text
        case .claim:
            if ClaimID(id) != nil { return value.text }
            refuse(value, "a claim must be named by the 24 hex digits of its case_id")
        case .device:
            let device = DeviceIdentifiers(id)
            if !device.isMalformed, device.identifiers.count == 1, let octets = device.identifiers.first,
                let device = Device(octets: octets.span)
            {
                return "device:\(device)"
            }
            refuse(value, "a device must be one UUID or one MAC address")
        case .receipt:
            let digits = id.lowercasedASCII
            if digits.utf8.count == 64, digits.utf8.allSatisfy({ Hex.value($0) != nil }) { return "receipt:\(digits)" }
            refuse(value, "a receipt must be named by the 64 hex digits of its receipt_sha256")
        }
        return nil
    }

    /// Returns the end of an allowance: a time, or the end of a day.
    private mutating func end(_ value: YAMLValue) -> Instant? {
        let text = (value.text ?? "").text
        if text.utf8.count == 10, let midnight = Instant(rfc3339: text + "T00:00:00Z") {
            return midnight.adding(seconds: 86_400)
        }
        if let instant = Instant(rfc3339: text) { return instant }
        refuse(value, "“until” must be a date such as 2026-12-31 or a time such as 2026-12-31T12:00:00Z")
        return nil
    }
}
