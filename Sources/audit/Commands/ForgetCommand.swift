import ArgumentParser
import Checks
import Encodings
import Engine
import Files
import FoundationEssentials
import Inputs
import Ledgers

struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete a customer, a run, or all before a date from a ledger.",
        usage: "audit forget --state <file> [<options>]",
        discussion: """
            The file is rewritten without the deleted rows. Claims that are still in an export come back with the \
            next run over it. Reviews and evidence about deleted people, accounts and devices, or about claims of \
            theirs alone, are deleted, too. The ledger before the last change (LEDGER.previous) is replaced, too, and a damaged one (LEDGER.damaged), \
            which cannot be searched, is deleted.

            EXAMPLES
              audit forget --state state.db \\
                --device 6FAF1B5A-2C4B-4F8E-9C57-0E2C5A1D3B44
              audit forget --state state.db --account account-17 --account account-18
              audit forget --state state.db --person 704289000000000000
              audit forget --state state.db --before 2025-01-01
              audit forget --state state.db --run 17

            EXIT CODES
              0    done
              2    the ledger knows nothing of one of the names, or cannot be read
                   or written; nothing was deleted
              64   wrong usage
            """
    )

    @Option(help: ArgumentHelp("The ledger.", valueName: "file"), completion: .file())
    var state: String

    @Option(
        help: ArgumentHelp(
            "Delete the claims and findings of this device: a UUID, a MAC address, or what an export had in their place.",
            valueName: "id"))
    var device: [String] = []

    @Option(help: ArgumentHelp("Delete the claims and findings of this account.", valueName: "id"))
    var account: [String] = []

    @Option(
        help: ArgumentHelp(
            "Delete the claims and findings of this use of an app by an Apple Account (appTransactionId).",
            valueName: "id"))
    var person: [String] = []

    @Option(
        help: ArgumentHelp(
            "Delete the claims and the evidence that show this appAccountToken.", valueName: "uuid"))
    var accountToken: [String] = []

    @Option(
        help: ArgumentHelp(
            "Delete runs with an earlier reference time, and the claims that they recorded first.", valueName: "date"))
    var before: Instant?

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "Undo a run, by its number in `audit history`: delete what it added first, and its findings.",
            valueName: "number"))
    var takenBack: Int64?

    @Option(
        help: ArgumentHelp(
            "The key of the ledger's pseudonyms. All options then take original ids; pseudonyms need no key.",
            valueName: "keyfile"))
    var pseudonymise: String?

    func validate() throws {
        guard
            [device, account, person, accountToken].contains(where: { !$0.isEmpty }) || before != nil
                || takenBack != nil
        else {
            throw ValidationError("Give --device, --account, --person, --account-token, --before or --run.")
        }
        if accountToken.contains(where: {
            DeviceIdentifiers.canonicalUUID(ExactText($0)) == nil
                && !Pseudonyms.isPseudonym(accountToken: ExactText($0))
        }) {
            throw ValidationError("--account-token must be a UUID, or its pseudonym.")
        }
        if person.contains(where: \.isEmpty) { throw ValidationError("--person must not be empty.") }
        for identifiers in device.map({ DeviceIdentifiers(ExactText($0)) })
        where !identifiers.isMalformed && identifiers.identifiers.isEmpty {
            throw ValidationError("--device must not be empty.")
        }
        if account.contains(where: \.isEmpty) { throw ValidationError("--account must not be empty.") }
    }

    func run() throws {
        let console = Console()
        try console.answer {
            let wanted = try wanted()
            guard let forgotten = try Ledger.forget(wanted, in: state) else {
                // Somebody who deletes what is old every night need not be told that nothing is.
                return console.say("nothing to delete")
            }
            console.say(Self.text(forgotten))
            for report in forgotten.reports {
                console.say("may still name what was forgotten: \(TerminalText.escaped(report))")
            }
        }
    }

    /// An id as it was given, what is about it in a ledger, and what its claims have.
    private struct Name {
        let given: String
        var subjects: [ExactText] = []
        var claims = RecordedClaims()
    }

    /// Finds the claims of the devices and accounts.
    private func wanted() throws -> LedgerDeletion {
        let pseudonyms = try pseudonymise.map { try Pseudonyms(key: PseudonymKey.key(in: $0, ofLedger: state)) }
        if pseudonyms == nil, !isOfPseudonyms, try LedgerHistory(state).origin?.pseudonymKey != nil {
            throw CommandError(
                "\(TerminalText.escaped(state)) was made with pseudonyms: give the key they were made with "
                    + "(--pseudonymise), or name pseudonyms as the reports have them")
        }
        let names = names(pseudonyms)
        if let failure = pseudonyms?.failure { throw failure }
        var wanted = LedgerDeletion()
        wanted.before = before
        wanted.run = takenBack
        guard !names.isEmpty else { return wanted }
        wanted.texts = true
        wanted.subjects = names.flatMap(\.subjects)
        let found = try names.reduce(into: RecordedClaims()) { $0.formUnion($1.claims) }.found(in: LedgerReader(state))
        wanted.claims = found.numbers
        // Decisions about their claims alone are also about them.
        let about = Set(try ReviewScope(wanted.subjects, in: state, isNamed: true).own.map(\.subject))
        wanted.subjects += about
        let unknown = names.filter {
            about.isDisjoint(with: $0.subjects) && found.ids.isDisjoint(with: $0.claims.recorded)
        }
        guard unknown.isEmpty else {
            throw CommandError(
                "\(TerminalText.escaped(state)) knows nothing of \(unknown.map(\.given).joined(separator: ", ")): nothing was "
                    + "deleted. Write ids as the reports have them, or leave out what is unknown")
        }
        return wanted
    }

    private func names(_ pseudonyms: Pseudonyms?) -> [Name] {
        func subject(_ kind: String, _ id: ExactText) -> ExactText {
            pseudonyms?.subject("\(kind):\(id)") ?? "\(kind):\(id)"
        }
        func name(_ option: String, _ id: String) -> Name { Name(given: "\(option) \(TerminalText.escaped(id))") }
        var names: [Name] = []
        for id in device {
            var name = name("--device", id)
            let identifiers = DeviceIdentifiers(ExactText(id))
            if identifiers.isMalformed {
                let subject = subject("device", ExactText(id))
                name.subjects.append(subject)
                name.claims.malformedDevices.insert(subject.rest(behind: "device:") ?? "")
            }
            for octets in identifiers.identifiers {
                guard let known = Device(octets: octets.span) else { continue }
                let subject = subject("device", "\(known)")
                let written = DeviceIdentifiers(subject.rest(behind: "device:") ?? "")
                guard let octets = written.identifiers.first, let device = Device(octets: octets.span) else { continue }
                name.subjects.append(subject)
                name.claims.devices.insert(device)
            }
            names.append(name)
        }
        func add(
            _ kind: String, _ given: String, _ id: ExactText, to ids: WritableKeyPath<RecordedClaims, Set<ExactText>>
        ) {
            var name = name("--" + kind, given)
            let subject = subject(kind, id)
            name.subjects.append(subject)
            name.claims[keyPath: ids].insert(subject.rest(behind: ExactText(kind + ":")) ?? "")
            names.append(name)
        }
        for id in account {
            add("account", id, DeviceIdentifiers.canonicalUUID(ExactText(id)) ?? ExactText(id), to: \.accounts)
        }
        for id in person { add("person", id, ExactText(id), to: \.persons) }
        for token in accountToken {
            var name = name("--account-token", token)
            name.claims.accountTokens.insert(DeviceIdentifiers.canonicalUUID(ExactText(token)) ?? ExactText(token))
            if let pseudonyms { name.claims.accountTokens.insert(pseudonyms.accountToken(ExactText(token))) }
            names.append(name)
        }
        return names
    }

    /// Whether all ids are pseudonyms already, which need no key.
    private var isOfPseudonyms: Bool {
        let subjects = device.map { "device:" + $0 } + account.map { "account:" + $0 } + person.map { "person:" + $0 }
        return subjects.allSatisfy { Pseudonyms.isPseudonym(ExactText($0)) }
            && accountToken.allSatisfy { Pseudonyms.isPseudonym(accountToken: ExactText($0)) }
    }

    private static func text(_ forgotten: LedgerDeletionCounts) -> String {
        "deleted \(counted(forgotten.claims, "claim")), \(counted(forgotten.findings, "finding")), "
            + "\(counted(forgotten.statements, "statement")) of evidence and \(counted(forgotten.runs, "run"))"
    }
}
