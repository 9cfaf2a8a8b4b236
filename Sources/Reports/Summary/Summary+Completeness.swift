import Encodings
import Engine

/// How complete a run is by Apple's sales reports.
extension Summary {
    static func completeness(_ found: Completeness) -> Section {
        var section = Section(
            "completeness", "Completeness",
            "Units in Apple's sales reports, on days that the export covers, and those that nothing shows.",
            columns: ["what", "units"],
            rows: [[.code("units"), .number(found.units)], [.code("missing"), .number(found.missing)]])
        section.readers = .programs
        return section
    }

    /// The sentence about it; `nil` without sales reports.
    var completenessSentence: String? {
        guard let counts = self["completeness"]?.rows.compactMap({ $0.last?.count }), counts.count == 2 else {
            return nil
        }
        return Self.completenessSentence(units: counts[0], missing: counts[1])
    }

    /// `Apple sold 1,204 units on days that the export covers: neither proofs nor evidence show 12 of them (1.0 %)`
    static func completenessSentence(units: Int, missing: Int) -> String {
        let sold = "Apple sold \(counted(units, "unit", grouped)) on days that the export covers"
        guard missing > 0 else { return sold + ": proofs or evidence show all of them" }
        let share = Cell.share(missing, of: units).displayText
        return "\(sold): neither proofs nor evidence show \(grouped(missing)) of them (\(share))"
    }
}
