import Encodings

/// Finds people and devices that are connected by several severe findings.
package struct FraudRing: Rule {
    package static let documentation = RuleDocumentation(
        id: "fraud-ring",
        title: "Several findings lead to the same people or devices",
        severity: .critical,
        raisedWhen: """
            \(minFindings.standard) or more findings of `shared-receipt`, `shared-account`, `replayed-consumable` or \
            `transaction-conflict`, each of high or critical severity, are connected, directly or through others. Two \
            findings are connected if the genuine claims of both name one account, or if one device matches in both. \
            Together they have \(minDevices.standard) or more devices, not all of them have the same set of devices, \
            and their genuine claims name more than one account, or none at all
            """,
        why: """
            One shared receipt can be an accident. Several that lead to the same people are a group that passes \
            purchases around, or a service that sells them.
            """,
        whenWrong: """
            A test department that restores many devices from one backup looks like a ring: allow the receipts and \
            transactions that join it. One person with one account is never a ring. Nobody can make a ring of others \
            by what they present. Claims that Apple did not sign are ignored, an account id comes from the company's \
            own server, and a device counts only in findings in which it matches. Owners whose receipts were stolen \
            by one group are in the ring's findings, but it is not named after them. Where nothing matches in any of \
            its findings, anybody may be the owner: the ring is named after no account, its marks are medium at most, \
            and its confidence is the lowest of its findings. Otherwise confidence is possible where no account is \
            named.
            """,
        whatToDo: """
            Look at the ring as a whole: its devices and accounts are listed. Act on all of it at once. The ring is \
            named after the smallest account that meets two conditions. Its claims do not match in two or more of the \
            ring's findings; and in none of them does it match, or was it the first of all or the heir of a \
            hand-over. If no account meets both, the ring is named after its smallest transaction and, without one, after its smallest receipt, never \
            after a device. Claims whose device was not checked name nobody. Each claim is marked with the highest \
            severity that it has in the joined findings, high becoming critical. Claims that only milder parts of \
            these findings contain are not in the ring. Findings that a review closed as `ok` join none. With a \
            ledger, findings of earlier runs join it if a claim of this run has their key or one of their accounts. \
            Findings are taken in the order of their names, at most 1,000,000 of them.
            """,
        limits: [minDevices, minFindings])

    package static let examples: [RuleExample] = [
        .raised(
            "two people present the receipts of two strangers", .critical,
            claims: copies(of: 1, ownedBy: "ann") + copies(of: 2, ownedBy: "bob")),
        .raised(
            "nobody is named: two receipts of one device, each on four others", .critical,
            claims: copiesWithoutAccounts(of: 1, on: "BCDE") + copiesWithoutAccounts(of: 2, on: "CDEF")),
        .raised(
            "two purchases are each on the phones of seven people", .critical,
            claims: restored(1, by: 1...7) + restored(2, by: 2...8)),
        .raised(
            "Ann reinstalls, and sends her two receipts under a new id; Eve presents copies of both", .critical,
            claims: [
                claim(1, "A", "ann", matches: true, on: 1), claim(2, "B", "ann", matches: true, on: 1),
                claim(1, "N", "ann", on: 9), claim(2, "N", "ann", on: 9), claim(1, "X", "eve", on: 12),
                claim(2, "X", "eve", on: 12),
            ]
        ).about("account:eve", marking: [.info, .info, .medium, .medium, .critical, .critical]),
        .raised(
            "nothing matches: Ann is the first to present two receipts, and two others present copies", .critical,
            claims: [
                claim(1, "N", "ann", on: 1), claim(2, "N", "ann", on: 1), claim(1, "X", "eve", on: 2),
                claim(2, "X", "eve", on: 2), claim(1, "Y", "yan", on: 2), claim(2, "Z", "zoe", on: 2),
            ]
        ).about(smallestReceipt, marking: [.info, .info, .medium, .medium, .medium, .medium]),
        .raised(
            "nothing matches: Ann reinstalled, and thieves were faster", .critical,
            claims: [
                claim(1, "X", "eve", on: 1), claim(2, "X", "eve", on: 1), claim(1, "Y", "yan", on: 2),
                claim(2, "Z", "zoe", on: 2), claim(1, "N", "ann", on: 3), claim(2, "N", "ann", on: 3),
            ]
        ).about(smallestReceipt, marking: [.info, .info, .medium, .medium, .medium, .medium]),
        .raised(
            "Ann opened another account on a new phone; strangers who come later do not make her their ring", .critical,
            claims: [1, 2].flatMap { receipt in
                [
                    claim(receipt, "A", "ann", matches: true, on: 1), claim(receipt, "B", "ann-2", on: 10),
                    claim(receipt, "X\(receipt)", "xav", on: 20), claim(receipt, "Y\(receipt)", "yol", on: 21),
                ]
            }
        ).about(
            "account:xav", marking: [.info, .medium, .critical, .critical, .info, .medium, .critical, .critical]),
        .raised(
            "Eve comes after her, with copies that match: it may be either of them", .critical,
            claims: [
                claim(1, "N", "ann", on: 1), claim(2, "N", "ann", on: 1), claim(1, "A", "eve", matches: true, on: 9),
                claim(2, "B", "eve", matches: true, on: 9), claim(1, "X", "eve", on: 9), claim(2, "X", "eve", on: 9),
            ]
        ).about(
            smallestReceipt, marking: [.medium, .medium, .info, .info, .medium, .medium]),
        .raised(
            "the day says nothing of who was first, so that the ring is named after what they share", .critical,
            claims: [
                claim(1, "N", "ann", on: 1), claim(2, "N", "ann", on: 1), claim(1, "X", "eve", on: 1),
                claim(2, "X", "eve", on: 1), claim(1, "Y", "yan", on: 2), claim(2, "Z", "zoe", on: 2),
            ]
        ).about(
            smallestReceipt, marking: [.info, .info, .info, .info, .medium, .medium]),
        .clear("one receipt is one finding, and no ring", claims: copies(of: 1, ownedBy: "ann")),
        .clear(
            "both receipts are on the same devices",
            claims: copiesWithoutAccounts(of: 1, on: "BCDE")
                + copiesWithoutAccounts(of: 2, on: "BCDE")),
        .clear(
            "one person has two old receipts on several phones",
            claims: [1, 2].flatMap { number in
                ["A", "B", "C", "D", "E"].prefix(number + 3).map { device in
                    ExampleClaim(
                        device: device, deviceHashMatches: device == "A", account: "ann",
                        receipt: ExampleReceipt(number))
                }
            }),
    ]

    private static let smallestReceipt: ExactText =
        "receipt:0101010101010101010101010101010101010101010101010101010101010101"

    private static func claim(
        _ receipt: Int, _ device: String, _ account: ExactText, matches: Bool = false, on day: Int
    ) -> ExampleClaim {
        ExampleClaim(
            device: device, deviceHashMatches: matches, account: account,
            presented: "2026-03-\(day < 10 ? "0" : "")\(day)", receipt: ExampleReceipt(receipt))
    }

    /// Returns claims to a receipt: one by its owner, and two by other people on other phones.
    private static func copies(of number: Int, ownedBy owner: ExactText) -> [ExampleClaim] {
        let owned = ExampleClaim(
            device: "O\(number)", account: owner, presented: "2026-03-01", receipt: ExampleReceipt(number))
        let copies = (["X", "Y"] as [String]).map { device in
            ExampleClaim(
                device: device, deviceHashMatches: false, account: ExactText("user-" + device),
                presented: "2026-03-02", receipt: ExampleReceipt(number))
        }
        return [owned] + copies
    }

    private static func copiesWithoutAccounts(of number: Int, on devices: String) -> [ExampleClaim] {
        [ExampleClaim(device: "A", receipt: ExampleReceipt(number))]
            + devices.map {
                ExampleClaim(device: String($0), deviceHashMatches: false, receipt: ExampleReceipt(number))
            }
    }

    /// Receipts of separate phones, for people who sign in with one Apple Account.
    private static func restored(_ transaction: Int, by people: ClosedRange<Int>) -> [ExampleClaim] {
        people.map {
            ExampleClaim(
                device: "D\($0)", account: "user-\($0)",
                receipt: ExampleReceipt(10 * transaction + $0, ExamplePurchase("gold", "46000000000000\(transaction)")))
        }
    }

    private static let minDevices = RuleLimit(
        "devices", standard: 3, in: 2...1_000_000, "at least this many devices are joined")
    private static let minFindings = RuleLimit(
        "findings", standard: 2, in: 1...1_000_000, "at least this many findings join them")

    package static let subjects: [SubjectKind] = [.receipt, .transaction, .account]

    /// The rules whose findings can be part of a ring, by number.
    static let joiningNumbers: Set<Int> = {
        let ids: Set<ExactText> = [
            "shared-receipt", "shared-account", "transaction-conflict", "replayed-consumable",
        ]
        return Set(RuleBook.ids.indices.filter { ids.contains(RuleBook.ids[$0]) })
    }()

    /// Returns the mark of a claim in a ring, from its mark in one of the joined findings: high becomes critical.
    package static func severity(of mark: Severity) -> Severity { mark == .high ? .critical : mark }

    let minDevices: Int
    let minFindings: Int

    package init(_ policy: Policy) {
        minDevices = policy.value(of: Self.minDevices, in: Self.self)
        minFindings = policy.value(of: Self.minFindings, in: Self.self)
    }

    /// Whether connected findings make a ring.
    func isRing(_ ring: Participants, of members: [Participants]) -> Bool {
        guard members.count >= minFindings, let links = ring.links, links.devices.isMore(than: minDevices - 1),
            links.accounts.isMore(than: 1) || !links.accounts.isMore(than: 0),
            let first = members.first?.links?.devices.sorted
        else { return false }
        return members.dropFirst().contains { $0.links?.devices.sorted != first }
    }
}
