import Encodings

/// A shape of JSON around claims, with the jq program that makes each claim an object of its own.
///
/// The programs are a fixed table. Each was tested on its shape, and each has the same function here, so that it is
/// tried on the first values of an INPUT: a program is named only if all proofs come out of it, with the device, the
/// account and the date that stand beside them.
struct Envelope {
    let program: String
    private let rows: @Sendable (SeenJSON) -> [Row]

    /// The members of a claim.
    typealias Row = [SeenJSON.Member]

    private init(_ program: String, _ rows: @escaping @Sendable (SeenJSON) -> [Row]) {
        self.program = program
        self.rows = rows
    }

    /// Members of all objects in a value, without its arrays and objects.
    private static let flat = "[.. | objects | map_values(values | scalars)] | add"
    /// JSON and base64 of JSON in strings becomes a value.
    private static let decoding =
        "def d: if type == \"string\" then ([fromjson?, (@base64d | fromjson)?] | map(iterables) | .[0]) as $v | if $v == "
        + "null then . else $v | d end elif type == \"object\" or type == \"array\" then map_values(d) else . end; d | "
    /// The first member that is a proof becomes `receipt_data`.
    private static let naming =
        " | . + {receipt_data: (first(.[] | strings | select(test(\"^(MI.{0,6}(YJKoZIhvc|GCSqGSIb3|BgkqhkiG9)|eyJ[^.]*[.]|"
        + "(.?.x)?308.{0,8}06092[aA])\"))) // null)}"
    private static let joining = "transpose | map({(.[0]): .[1]}) | add"

    /// The table, in the order in which it is tried.
    private static let table: [Envelope] = [
        Envelope(".") { row($0) },
        // A change of a row: what it is now, and not what it was.
        Envelope(".. | objects | .after | objects") { $0.descendants.compactMap { $0["after"] }.flatMap(row) },
        // What stands beside the claim may be its date or account, and claims may follow that have no envelope.
        Envelope(
            "((objects | map_values(values | scalars)) // {}) as $o | ([.[] | objects] | if length == 0 then [{}] else . end)[] "
                + "| $o + ."
        ) { value in
            let inner = elements(value).flatMap(row)
            return inner.isEmpty ? row(value) : inner.map { merged(scalars(value) + $0) }
        },
        // Arrays first: of a file with one row to see, the others would be merged into it.
        Envelope(
            "def o: objects | map_values(values | scalars) + ([.[] | o] | add // {}); (o // {}) as $o | .. | arrays | .[] | "
                + "objects | $o + (" + flat + ")"
        ) { value in rowsOfArrays(value).map { merged(outside(value) + $0) } },
        Envelope(flat) { [flattened($0)] },
        Envelope(".[] | objects | " + flat) { flattenedRows(elements($0)) },
        Envelope(
            "def v: if type == \"object\" and length == 1 then .[] else . end; .. | objects | select(any(.[]; "
                + "type == \"object\") and all(.[] | v; type != \"object\" and type != \"array\")) | map_values(v)"
        ) { $0.descendants.compactMap(typed) },
        // The same, where all members have types: those of lists and maps are left out.
        Envelope(
            "def t: type == \"object\" and length == 1; .. | objects | select(length > 1 and all(.[]; t)) | "
                + "map_values(.[] | scalars)"
        ) { $0.descendants.compactMap(whollyTyped) },
        Envelope(
            "first(.. | arrays | select(length > 1 and all(.[]; type == \"array\"))) as $r | $r[1:][] | [$r[0], .] | "
                + joining
        ) { value in
            guard let rows = firstTable(value, atLeast: 2), let names = texts(rows[0]) else { return [] }
            return rows.dropFirst().map { joined(names, $0) }
        },
        Envelope(
            "first(.. | arrays | select(length > 0 and all(.[]; type == \"string\" or type == \"object\" and has(\"name\")))) "
                + "as $h | first(.. | arrays | select(length > 0 and all(.[]; type == \"array\"))) as $r | $r[] | "
                + "[($h | map(.name? // .)), .] | " + joining
        ) { value in
            guard let names = firstNames(value), let rows = firstTable(value, atLeast: 1) else { return [] }
            return rows.map { joined(names, $0) }
        },
        Envelope("[.schema.fields[].name] as $h | .rows[] | [$h, [.f[].v]] | " + joining) { value in
            guard let names = value["schema"]?["fields"].map({ elements($0).compactMap { $0["name"]?.characters } }),
                let rows = value["rows"]
            else { return [] }
            return elements(rows).map {
                joined(names, .array(elements($0["f"] ?? .word([])).map { $0["v"] ?? .word([]) }))
            }
        },
        Envelope(
            "map_values(values | scalars) + ([.. | objects | select(has(\"key\") and has(\"value\")) | {(.key): (.value | if type == "
                + "\"object\" then first(.[] | values) else . end)}] | add)"
        ) { value in
            let pairs = value.descendants.compactMap { pair($0) }
            return pairs.isEmpty ? [] : [scalars(value) + pairs]
        },
        Envelope(". as $t | (to_entries[0].value | keys_unsorted[]) as $i | $t | map_values(.[$i])") { byIndex($0) },
        Envelope("to_entries[] | {key} + (.value | objects | " + flat + ")") { value in
            members(value).map {
                [SeenJSON.Member(name: Array("key".utf8), value: .text($0.name))] + flattened($0.value)
            }
        },
        Envelope("to_entries[] | {device_id: .key, receipt_data: .value}") { value in
            members(value).map { member in
                [
                    SeenJSON.Member(name: Array("device_id".utf8), value: .text(member.name)),
                    SeenJSON.Member(name: Array("receipt_data".utf8), value: member.value),
                ]
            }
        },
        Envelope("{receipt_data: .}") { named($0) },
        Envelope(".[] | strings | {receipt_data: .}") { elements($0).flatMap(named) },
    ]

    /// Whether a program makes a column of the keys around claims.
    static func keepsKeys(_ program: String) -> Bool { program.contains("to_entries") }

    /// Every program of the table, for tests: as it is, and with strings of JSON and proofs under other names.
    static let programs = table.flatMap { one in
        [one.program, decoding + one.program, one.program + naming, decoding + one.program + naming]
    }

    /// Returns the first program of the table that loses nothing of the first values of an INPUT.
    ///
    /// - Parameter isWhole: whether the last value has ended; otherwise its last claim may be incomplete.
    static func program(for values: [SeenJSON], _ names: ExportNames, isWhole: Bool) -> String? {
        let needsDecoding = values.contains { $0.hasEncodedClaim }
        let values = needsDecoding ? values.map(\.decoded) : values
        let there = Contents(values, names)
        guard !there.proofs.isEmpty else { return nil }
        // Keys that differ from claim to claim are ids.
        let keys = Set(values.flatMap(\.namesOfClaims))
        let hasIDs = keys.count > 2 || values.contains(where: \.hasNamesOfClaims)
        for isNaming in [false, true] {
            for envelope in table where !hasIDs || keepsKeys(envelope.program) {
                var rows = values.flatMap(envelope.rows)
                if isNaming { rows = rows.map(renamed) }
                guard there.isComplete(rows, names, isWhole: isWhole),
                    let fields = fields(lackingIn: rows, of: keepsKeys(envelope.program) ? [] : values, names)
                else { continue }
                return (needsDecoding ? decoding : "") + envelope.program + (isNaming ? naming : "") + fields
            }
        }
        return nil
    }
}

extension Envelope {
    /// Returns a program that names the device, the account and the date of rows without them after the keys that look
    /// like them; `nil` if there is such a key in the values, and none in the rows.
    private static func fields(lackingIn rows: [Row], of values: [SeenJSON], _ names: ExportNames) -> String? {
        let read = Set(
            rows.joined().filter { $0.value.characters?.isEmpty == false }.map {
                names.column(named: $0.name.span)?.column
            })
        let found = UnknownValues(rows.joined(), besides: names)
        let there = UnknownValues(values.flatMap(\.leaves), besides: names)
        var fields: [String] = []
        for kind in LikelyColumn.allCases where !read.contains(kind.column) {
            guard let name = found.name(kind) else {
                guard there.name(kind) == nil else { return nil }
                continue
            }
            guard let field = UnknownValues.field(kind, name) else { return nil }
            fields.append(field)
        }
        return fields.isEmpty ? "" : " | . + {\(fields.joined(separator: ", "))}"
    }
}

/// What values of JSON hold of claims: their proofs, and the values under the names of columns.
private struct Contents {
    private(set) var proofs: Set<[UInt8]> = []
    private var fields: Set<[UInt8]> = []
    /// The columns whose values are objects or arrays.
    private var columnsOfObjects: Set<Column> = []
    /// The devices and dates that are elements of arrays, as in rows without names.
    private var cells: Set<[UInt8]> = []
    /// The number of times that a proof occurs.
    private var count = 0

    init(_ values: [SeenJSON], _ names: ExportNames) { for value in values { add(value, names) } }

    private mutating func add(_ value: SeenJSON, _ names: ExportNames) {
        switch value {
        case .text(let text): if value.isProof { insert(text) }
        case .word: break
        case .encoded(let inner, _): add(inner, names)
        case .array(let elements):
            for element in elements {
                add(element, names)
                if case .text(let text) = element, SeenForm.isOfClaim(text.span) { cells.insert(text) }
            }
        case .object(let members):
            for member in members where !SeenJSON.isPast(member.name) {
                if case .text(let text) = member.value, text.span.withoutBlanks.count > 0,
                    names.column(named: member.name.span)?.column == .receiptData
                {
                    insert(text)
                } else {
                    add(member.value, names)
                }
                if let field = Self.field(member, names) { fields.insert(field) }
                if member.value.isContainer, let column = names.column(named: member.name.span)?.column,
                    column != .receiptData
                {
                    columnsOfObjects.insert(column)
                }
            }
        }
    }

    private mutating func insert(_ proof: [UInt8]) {
        proofs.insert(proof)
        count += 1
    }

    /// A column and its value; `nil` for the proof, and for what is no value.
    private static func field(_ member: SeenJSON.Member, _ names: ExportNames) -> [UInt8]? {
        guard let column = names.column(named: member.name.span)?.column, column != .receiptData, column != .file,
            let text = member.value.characters, !text.isEmpty, !text.elementsEqual("null".utf8)
        else { return nil }
        return [UInt8(column.rawValue)] + text
    }

    /// Whether each row has one proof, all proofs and values are in rows, and none twice.
    func isComplete(_ rows: [Envelope.Row], _ names: ExportNames, isWhole: Bool) -> Bool {
        var found: Set<[UInt8]> = []
        var fields: Set<[UInt8]> = []
        var cells = cells
        var others = 0
        for (index, row) in rows.enumerated() {
            var proof: [UInt8]?
            let columns = Set(row.compactMap { names.column(named: $0.name.span)?.column })
            guard columnsOfObjects.isSubset(of: columns) else { return false }
            for member in row {
                if case .text(let text) = member.value { cells.remove(text) }
                if let field = Self.field(member, names) { fields.insert(field) }
                guard names.column(named: member.name.span)?.column == .receiptData else { continue }
                // A placeholder may begin like JSON: [FILTERED].
                if case .encoded = member.value { proof = proof ?? Array("[]".utf8) }
                guard case .text(let text) = member.value, !text.isEmpty else { continue }
                guard proof == nil || proof == text else { return false }
                proof = text
            }
            if let proof {
                found.insert(proof)
                if !proofs.contains(proof) { others += 1 }
            } else if isWhole || index < rows.count - 1 {
                return false
            }
        }
        // A few proofs may be unreadable.
        return rows.count - others <= max(count, 1) + (isWhole ? 0 : 1) && 2 * others <= rows.count
            && proofs.isSubset(of: found)
            && self.fields.isSubset(of: fields) && cells.isEmpty
    }
}
