public import Encodings
import Files
public import Inputs
public import Ledgers
import Receipts
import Rules

/// Finds claims of earlier runs by who presented them.
public enum CachedClaims {
    /// Returns the numbers in the ledger of all claims that a device presented.
    public static func presented(by device: Device, in reader: LedgerReader) throws -> [UInt64] {
        var octets: [UInt8] = []
        device.withOctets { octets.append(copying: $0) }
        return try claims(.device, octets, in: reader)
    }

    /// The numbers in the ledger of all claims whose device is this text, which is no device identifier. All claims are read,
    /// as no key leads to these.
    public static func presented(byMalformed device: ExactText, in reader: LedgerReader) throws -> [UInt64] {
        var found: [UInt64] = []
        try reader.forEachClaim { id, record in
            let observations = try ClaimRecord.observations(of: record)
            if observations.presented.malformedDevice == device.boundedID { found.append(id) }
        }
        return found
    }

    /// The numbers in the ledger of all claims and tokens of evidence that show this `appAccountToken`, in whatever case. All
    /// are read, as no key leads to these.
    public static func showing(accountToken: ExactText, in reader: LedgerReader) throws -> [UInt64] {
        let wanted = accountToken.lowercasedASCII
        var found: [UInt64] = []
        try reader.forEachClaim { id, record in
            let tokens = try ClaimRecord.observations(of: record).purchases.lazy.compactMap {
                $0.details?.appAccountToken
            }
            if tokens.contains(where: { $0.lowercasedASCII == wanted }) { found.append(id) }
        }
        return found
    }

    /// Returns the numbers in the ledger of all claims that an account presented.
    public static func presented(byAccount id: ExactText, in reader: LedgerReader) throws -> [UInt64] {
        try claims(.account, Array(id.boundedID.utf8), in: reader)
    }

    /// Returns the numbers in the ledger of all claims that show the use of an app by an Apple Account.
    ///
    /// - Parameter id: the `appTransactionId`.
    public static func showing(person id: ExactText, in reader: LedgerReader) throws -> [UInt64] {
        try PersonKeys.all(id).flatMap { try claims(.person, $0, in: reader) }
    }

    private static func claims(
        _ kind: KeyKind, _ key: [UInt8], in reader: LedgerReader
    ) throws -> [UInt64] {
        var found: [UInt64] = []
        try reader.claims(under: ObservationRecord.prefix(of: kind, key.span)) { found.append($0) }
        var meant: [UInt64] = []
        for identity in found {
            // Another key may have the same hash.
            guard let record = try reader.record(ofClaim: identity)?.record else { continue }
            var isMeant = false
            // One that cannot be read must not be left in the ledger as if it were another's.
            try ClaimRecord.observations(of: record.span).forEachKey(KeyKinds([kind]), withPeriods: false) {
                _, octets, _, _ in
                isMeant = isMeant || octets.isSame(as: key)
            }
            if isMeant { meant.append(identity) }
        }
        return meant
    }
}
