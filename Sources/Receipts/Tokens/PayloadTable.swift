import Encodings

/// Lists the members of the documented payloads of one kind. Readers, `audit inspect`, the summary and
/// docs/app-store-members.md all use it, so that a new member is a row here.
package struct PayloadTable: Sendable {
    package let kind: Token.Kind
    package let members: [PayloadMember]

    /// The number of each member's parent, or -1.
    private let parents: [Int]
    /// The concatenated names of all members, and the end of each.
    private let names: [UInt8]
    private let ends: [Int]
    /// An open hash table from parent and name to members' numbers, with -1 in free slots. At least half are free.
    private let slots: [Int]

    /// - Parameter members: the members, each with its parent before it.
    init(_ kind: Token.Kind, _ members: [PayloadMember]) {
        self.kind = kind
        self.members = members
        var (numbers, parents): ([ExactText: Int], [Int]) = ([:], [])
        var (names, ends): ([UInt8], [Int]) = ([], [])
        var size = 1
        while size < 2 * members.count { size *= 2 }
        var slots = [Int](repeating: -1, count: size)
        for (number, member) in members.enumerated() {
            let parent = numbers[member.parent] ?? -1
            numbers[member.path] = number
            parents.append(parent)
            let name = Array(member.name.utf8)
            names += name
            ends.append(names.count)
            var slot = Self.hash(name.span, parent) & (size - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = number
        }
        self.parents = parents
        self.names = names
        self.ends = ends
        self.slots = slots
    }

    /// The table of a kind.
    package static func of(_ kind: Token.Kind) -> PayloadTable {
        switch kind {
        case .notification: notification
        case .realtimeRequest: realtimeRequest
        case .transaction: transaction
        case .renewalInfo: renewalInfo
        case .appTransaction: appTransaction
        }
    }

    /// The members about owner and device that transactions and renewal infos share.
    static let ownerMembers: [PayloadMember] = [
        .read("appAccountToken", .uuid, "Compared with the claim's; it can be changed later (API 1.16).") {
            $0.token.appAccountToken = $1.text
        },
        .read("appTransactionId", .text, "One per account and app: the person.") {
            $0.token.appTransactionID = $1.text
        },
        .read("deviceVerification", .text, "The device hash, with the nonce.") { $0.deviceHash = $1.text },
        .read("deviceVerificationNonce", .uuid, "What the device hash is made with.") { $0.nonce = $1.text },
    ]

    /// Represents the payload itself, in the place of a member's number.
    static let root = -1

    /// Returns the number of a member by its name and its parent; `nil` if it is not known.
    func number(of name: Span<UInt8>, in parent: Int) -> Int? {
        var slot = Self.hash(name, parent) & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = slots[slot]
            if parents[number] == parent, self.name(number).isSame(as: name) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    @_lifetime(borrow self)
    private func name(_ number: Int) -> Span<UInt8> {
        names.span.extracting((number == 0 ? 0 : ends[number - 1])..<ends[number])
    }

    /// 32-bit FNV-1a. The table is fixed, so no payload can make its chains longer.
    private static func hash(_ name: Span<UInt8>, _ parent: Int) -> Int {
        var hash = UInt32(truncatingIfNeeded: parent) ^ 0x811c_9dc5
        for index in name.indices { hash = (hash ^ UInt32(name[index])) &* 0x0100_0193 }
        return Int(hash ^ hash >> 15)
    }
}
