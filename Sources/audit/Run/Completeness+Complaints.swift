import Encodings
import Engine
import Inputs

extension Completeness {
    /// The maximum number of named files or apps.
    private static let maxNamed = 100

    /// Returns why an operator must look: reports that cannot be counted, and more that is missing than may be.
    ///
    /// - Parameter maxMissing: the greatest share of the units that may be missing; `nil` for any.
    func complaints(_ maxMissing: Double?) -> [RunComplaint] {
        var complaints = faults.prefix(Self.maxNamed).map { RunComplaint(.sales, TerminalText.escaped($0)) }
        if faults.count > Self.maxNamed {
            let more = counted(faults.count - Self.maxNamed, "more sales report")
            complaints.append(RunComplaint(.sales, "\(more) cannot be counted"))
        }
        if let maxMissing, Double(missing) > maxMissing * Double(units) {
            let text = "\(missing) of \(counted(units, "unit")) that Apple sold are missing, where --max-missing is "
            complaints.append(RunComplaint(.missing, text + "\(maxMissing): the table completeness has the days"))
        }
        return complaints
    }

    /// What could not be compared, in a sentence.
    var warning: String? {
        guard !unseenApps.isEmpty else { return nil }
        let names = unseenApps.prefix(8).map { "“\(TerminalText.escaped($0.text))”" }.joined(separator: ", ")
        let more = unseenApps.count > 8 ? " and \(unseenApps.count - 8) more" : ""
        return "sales reports name apps of which no proof shows a product, so nothing of them counts as missing: "
            + "\(names)\(more)"
    }
}
