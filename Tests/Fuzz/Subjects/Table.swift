import Encodings
import Reports

@testable import Inputs

/// CSV: tables of claims, split by us and by libcsv, and the small tables of our own.
struct TableSubject: Subject {
    func read(_ bytes: [UInt8]) {
        let claims = claims(bytes, inPiecesOf: .max, plainRows: PlainRows())
        compare(claims, self.claims(bytes, inPiecesOf: .max, plainRows: nil), "by libcsv alone")
        for size in pieceSizes {
            compare(claims, self.claims(bytes, inPiecesOf: size, plainRows: PlainRows()), "in pieces of \(size)")
        }
        checkLines(claims, bytes)
        rewrite(bytes)
    }

    private func claims(
        _ bytes: [UInt8], inPiecesOf size: Int, plainRows: PlainRows?
    ) -> Result<[ReadClaim], InputError> {
        let rows = TableRows(table: "t", folder: nil, unnamed: nil, pool: BufferPool())
        return ReadClaim.all(of: TableSource(Pieces(bytes, size), rows, plainRows: plainRows))
    }

    private func compare(
        _ a: Result<[ReadClaim], InputError>, _ b: Result<[ReadClaim], InputError>, _ how: String
    ) {
        demand(a == b, "\(how) it is\n\(text(b))\nand not\n\(text(a))")
    }

    private func text(_ claims: Result<[ReadClaim], InputError>) -> String {
        switch claims {
        case .success(let claims): claims.map(\.summary).joined(separator: "\n")
        case .failure(let error): "\(error)"
        }
    }

    /// Rows stand on lines of the table, one after the other.
    private func checkLines(_ claims: Result<[ReadClaim], InputError>, _ bytes: [UInt8]) {
        guard case .success(let claims) = claims else { return }
        let most = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
        var last = 0
        for claim in claims {
            demand(claim.claim.line > last && claim.claim.line <= most, "line \(claim.claim.line) of \(most)")
            last = claim.claim.line
        }
    }

    /// What is read of a table of ours is read again once it is written.
    private func rewrite(_ bytes: [UInt8]) {
        guard let rows = CSVRows.read(bytes) else { return }
        var table = CSVRow()
        for row in rows {
            for cell in row { table.code(cell) }
            table.endRow()
        }
        let again = CSVRows.read(table.takeBytes())
        let expected = rows.filter { $0 != [""] }
        demand(again?.filter { $0 != [""] } == expected, "\(again ?? []) is not \(expected)")
    }
}
