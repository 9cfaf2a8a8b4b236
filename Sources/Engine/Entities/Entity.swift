import Checks
package import Encodings
import Inputs
import Rules

/// An account, device or other thing that findings are about (table `entities`).
package struct Entity: Hashable, Sendable {
    /// The kind of entity. Entities with equal scores sort in the order of the cases.
    package enum Kind: UInt8, CaseIterable, Sendable {
        case account
        /// A device, through matching claims: anybody can name a device.
        case device
        /// The use of an app by an Apple Account (`appTransactionId`).
        case person
        /// An original transaction.
        case transaction
        /// The signed content of a proof.
        case receipt
        /// A signer with a chain that is not the App Store's.
        case signer

        /// The word in reports, as in subjects.
        package var code: String { String(describing: self) }

        /// Makes a kind from a word in reports; `nil` for any other text.
        package init?(code: ExactText) {
            guard let kind = Self.allCases.first(where: { ExactText($0.code) == code }) else { return nil }
            self = kind
        }
    }

    package var kind: Kind
    /// The id, as in subjects of findings; for a signer the SHA-256 of the certificate, in hex.
    package var id: ExactText

    package init(_ kind: Kind, _ id: ExactText) { (self.kind, self.id) = (kind, id) }

    /// Makes the entity of a finding's subject, if every claim of the finding represents it. Not an account or a
    /// device: their claims name these, and others can submit such claims.
    package init?(subject: ExactText) {
        for kind in [Kind.person, .transaction] {
            if let id = subject.rest(behind: "\(kind.code):"), !id.isEmpty {
                self.init(kind, id.boundedID)
                return
            }
        }
        return nil
    }

    /// Whether others can present a match: a copy of a proof with its device id.
    var canBeVictim: Bool {
        switch kind {
        case .device, .person: true
        case .account, .transaction, .receipt, .signer: false
        }
    }

    /// Codes it so that records sort by kind, then by id, byte by byte.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&kind)
        try coder.sortable(&id)
    }
}

extension Entity: SortedRecord {
    package static var unread: Entity { Entity(.account, "") }

    /// Nearly the order by kind and id.
    package var prefix: UInt64 { UInt64(kind.rawValue) << 56 | id.prefix(7) }
}

extension LinkFacts {
    /// Calls a body with each entity that a finding about the claim concerns.
    ///
    /// A person is named by a token, which others can also present. So only a matching claim represents the person, or
    /// any claim of a finding about that person.
    ///
    /// - Parameter subject: the subject of the finding, if it is an entity.
    func forEachEntity(ofRule rule: Int, subject: Entity?, _ body: (Entity) throws -> Void) rethrows {
        if let subject { try body(subject) }
        if !accountID.isEmpty { try body(Entity(.account, accountID.boundedID)) }
        if isMatching, let device { try body(Entity(.device, ExactText(device.description))) }
        if isMatching, !personID.isEmpty, subject?.kind != .person || subject?.id != personID {
            try body(Entity(.person, personID))
        }
        if !originalTransactionID.isEmpty, subject?.kind != .transaction || subject?.id != originalTransactionID {
            try body(Entity(.transaction, originalTransactionID))
        }
        if !receiptSHA256.isEmpty { try body(Entity(.receipt, ExactText(Hex.string(receiptSHA256.span)))) }
        if !untrustedSigner.isEmpty, rule == RuleBook.untrustedSignerNumber {
            try body(Entity(.signer, ExactText(Hex.string(untrustedSigner.span))))
        }
    }
}
