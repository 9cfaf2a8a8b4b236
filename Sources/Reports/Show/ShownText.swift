import Encodings
import Engine
import Rules
import SQLite

/// Writes the facts of a report about one subject on one screen.
public struct ShownText {
    private let paint: Paint
    private let width: Int

    /// - Parameters:
    ///   - isColored: whether to colour it, for a terminal.
    ///   - width: the maximum length of a line, unless a word is longer.
    public init(isColored: Bool, width: Int) {
        paint = Paint(isColored: isColored)
        self.width = max(40, width)
    }

    /// Returns its lines.
    public func lines(of subject: ShownSubject) -> [String] {
        var lines = wrapped("\(subject.kind.rawValue) \(TextLayout.safe(subject.id))", 0).map { paint($0, .bold) }
        lines += ShownFacts.all(of: subject.facts, text).flatMap(fact)
        if subject.facts.isEmpty, subject.findings.total == 0 { lines.append("  No finding concerns it.") }
        lines += section("Findings", subject.findings, finding)
        lines += section("Decisions", subject.decisions, decision)
        if !subject.rules.isEmpty {
            lines += ["", paint("What to do", .bold)] + subject.rules.flatMap(advice)
        }
        lines += section("Claims", subject.claims, claim)
        lines += section("Who else presents these receipts", subject.others, other)
        lines += section("Purchases", subject.purchases, lead: subject.money.sentence, purchase)
        return lines
    }

    private func wrapped(_ text: String, _ indentation: Int) -> [String] {
        TextLayout.wrapped(text, indentation: indentation, width: width).map { line in
            String(repeating: " ", count: indentation) + line
        }
    }

    private func fact(_ fact: (label: String, text: String)) -> [String] {
        let lines = TextLayout.wrapped(fact.text, indentation: 34, width: width)
        return lines.enumerated().map { index, line in
            "  " + TextLayout.padded(index == 0 ? fact.label : "", to: 32) + line
        }
    }

    private func section(
        _ title: String, _ list: ShownSubject.List, lead: String? = nil, _ lines: (ShownCells) -> [String]
    ) -> [String] {
        guard list.total > 0 else { return [] }
        let more = list.total - list.rows.count
        return ["", paint("\(title) (\(grouped(list.total)))", .bold)]
            + (lead.map { wrapped($0, 2) } ?? [])
            + list.rows.flatMap { lines(ShownCells(row: $0, text: text)) }
            + (more > 0 ? ["  … and \(grouped(more)) more"] : [])
    }

    private func finding(_ cells: ShownCells) -> [String] {
        let mark = cells["mark"]
        let color = Severity(code: ExactText(mark)).map { Paint.Color($0) } ?? .dim
        let status = cells["status"] == "open" ? "" : cells["status"]
        let words = [cells["rule"], cells["confidence"], cells["change"], status].filter { !$0.isEmpty }
        let severity = cells["severity"] == mark ? "" : " (of a \(cells["severity"]) finding)"
        let money = cells.row.amount("at_stake").map { "; \($0) at stake" } ?? ""
        return ["  \(paint(mark, color))\(severity)  \(words.joined(separator: ", "))"]
            + wrapped(cells["subject"] + money, 4) + wrapped(cells["evidence"], 4)
    }

    private func decision(_ cells: ShownCells) -> [String] {
        let until = cells["until"].isEmpty ? "" : ", until \(cells["until"])"
        let note = cells["note"].isEmpty ? "" : ": \(cells["note"])"
        return ["  \(cells["reviewed_at"])  \(paint(cells["status"], .bold))  \(cells["rule"])"]
            + wrapped(cells["subject"], 4) + wrapped("by \(cells["reviewed_by"])\(until)\(note)", 4)
    }

    private func advice(_ rule: RuleDocumentation) -> [String] {
        wrapped("\(rule.id.text): \(rule.whatToDo)", 2).map { $0.replacing("`", with: "") }
    }

    private func claim(_ cells: ShownCells) -> [String] {
        let verdict = cells["verdict"].isEmpty ? "of an earlier run" : cells["verdict"]
        let failed = cells["failed_checks"].isEmpty ? "" : " (\(cells["failed_checks"].replacing(";", with: ", ")))"
        let presenter = [
            cells["account_id"].isEmpty ? "" : "account \(cells["account_id"])",
            cells["device_id"].isEmpty ? "" : "device \(cells["device_id"]) (\(cells["guid"]))",
        ].filter { !$0.isEmpty }
        let date = cells["presented_at"].isEmpty ? "without a date" : cells["presented_at"]
        return wrapped("\(date)  \(verdict)\(failed)  \(cells["source"])", 2)
            + wrapped(
                (presenter + [cells["bundle_id"], "claim \(cells["claim_id"])"]).filter { !$0.isEmpty }
                    .joined(separator: ", "), 4)
    }

    private func other(_ cells: ShownCells) -> [String] {
        let dates = [cells["first_presented"], cells["last_presented"]].filter { !$0.isEmpty }
        let span = dates.isEmpty ? "" : ", \(dates.joined(separator: " to "))"
        let claims = cells["claims"] == "1" ? "1 claim" : "\(cells["claims"]) claims"
        let owner = cells.row.number("owner") > 0 ? ", the owner" : ""
        return wrapped("\(cells["kind"]) \(cells["id"])\(owner): \(claims)\(span)", 2)
    }

    private func purchase(_ cells: ShownCells) -> [String] {
        let price = cells.row.amount("price") ?? "no price"
        let word = WordOf(rawValue: cells["word"]).map { ", \($0.introduction)" } ?? ""
        let refund = cells["refunded_at"].isEmpty ? "" : ", refunded \(cells["refunded_at"])"
        return wrapped(
            "\(cells["purchased_at"])  \(cells["transaction_id"])  \(cells["product_id"])  \(price)\(refund)\(word)", 2)
    }

    /// Returns the text of a cell, safe for a terminal; `nil` if it is empty.
    private func text(_ value: DatabaseReader.Value) -> String? {
        switch value {
        case .null: nil
        case .number(let number): String(number)
        case .real(let number): Self.decimal(number)
        case .text(let text): text.isEmpty ? nil : TextLayout.safe(text, limit: .max)
        }
    }

    /// Formats a number of the report with at most six decimals.
    static func decimal(_ number: Double) -> String {
        let millionths = Int128(exactly: (max(-1e18, min(1e18, number)) * 1_000_000).rounded()) ?? 0
        return DecimalNumber(millionths: millionths).description
    }
}

/// The cells of a row by their columns, as text.
struct ShownCells {
    let row: DatabaseReader.Row
    let text: (DatabaseReader.Value) -> String?

    subscript(column: String) -> String { row.first { $0.column == column }.flatMap { text($0.value) } ?? "" }
}
