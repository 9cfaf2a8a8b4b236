import Encodings
import Inputs
import Receipts
import Rules

/// A claim's observation as a line: what the claim says under one key.
///
/// Under the key of a transaction it stands for two, if it can: the transaction's, and that of the original
/// transaction with the same id.
struct ObservationLine {
    let place: ClaimPlace
    var observation: Observation
    private let name: SourceName
    /// Whether the purchases are those of the original transaction.
    var isOriginal = false
    /// Which of the purchases is the transaction's, if it is one.
    var transaction: Int?

    /// What there is in a line.
    struct Flags: OptionSet {
        let rawValue: Int

        static let deviceHashMatches = Flags(rawValue: 1)
        static let isGenuine = Flags(rawValue: 2)
        static let hasDevice = Flags(rawValue: 4)
        static let hasAccount = Flags(rawValue: 8)
        static let hasPresentedAt = Flags(rawValue: 16)
        static let hasCreatedAt = Flags(rawValue: 32)
        static let hasApp = Flags(rawValue: 64)
        /// The claim is not of the first input.
        static let hasInput = Flags(rawValue: 128)
        /// The source is a name and the line.
        static let isNamedByLine = Flags(rawValue: 256)
        static let isOriginal = Flags(rawValue: 512)
        static let isTransaction = Flags(rawValue: 1024)
    }

    func write(_ letter: StreamKey.KeyLetter, _ octets: Span<UInt8>, to line: inout LineWriter) {
        let flags = flags(under: letter)
        line.begin(letter, octets)
        line.number(flags.rawValue)
        line.number(place.line)
        if flags.contains(.hasInput) { line.number(place.input) }
        line.text(name.text)
        if flags.contains(.hasDevice), let device = observation.device { device.withOctets { line.octets($0) } }
        if flags.contains(.hasAccount) { line.text(observation.accountID) }
        if flags.contains(.hasPresentedAt), let date = observation.presentedAt { line.instant(date) }
        if flags.contains(.hasCreatedAt), let date = observation.createdAt {
            line.instant(date, since: flags.contains(.hasPresentedAt) ? observation.presentedAt ?? .epoch : .epoch)
        }
        if flags.contains(.hasApp) {
            line.text(observation.bundleID)
            line.environment(observation.environment)
        }
        if let transaction { line.number(transaction) }
        var context = PurchaseContext(letter, octets)
        for purchase in observation.purchases { context.write(purchase, to: &line) }
        line.end()
    }

    /// What is not wanted under the key is left out: it would have to be carried, sorted and read.
    private func flags(under letter: StreamKey.KeyLetter) -> Flags {
        var flags: Flags = []
        if observation.deviceHashMatches { flags.insert(.deviceHashMatches) }
        if observation.isGenuine { flags.insert(.isGenuine) }
        if observation.device != nil, letter != .device { flags.insert(.hasDevice) }
        if !observation.accountID.isEmpty, letter != .account { flags.insert(.hasAccount) }
        // A receipt was made when it was made, whoever presents it.
        if observation.presentedAt != nil, letter != .receipt { flags.insert(.hasPresentedAt) }
        if observation.createdAt != nil, letter != .receipt { flags.insert(.hasCreatedAt) }
        let isAppWanted = letter == .device || letter == .account || isOriginal
        if observation.isGenuine, isAppWanted { flags.insert(.hasApp) }
        if place.input > 0 { flags.insert(.hasInput) }
        if name.isNamedByLine { flags.insert(.isNamedByLine) }
        if isOriginal { flags.insert(.isOriginal) }
        if transaction != nil { flags.insert(.isTransaction) }
        return flags
    }

    init(place: ClaimPlace, observation: Observation) {
        self.place = place
        self.observation = observation
        name = SourceName(observation.source, place)
    }

    /// What the line says under its key, and if that is a transaction's under the original transaction with its id.
    func observations(under letter: StreamKey.KeyLetter) -> (own: Observation?, original: Observation?) {
        guard letter == .transaction else { return (observation, nil) }
        let original = isOriginal ? observation : nil
        guard let transaction, observation.purchases.indices.contains(transaction) else { return (nil, original) }
        var own = observation
        own.purchases = [observation.purchases[transaction]]
        return (own, original)
    }

    /// Reads what stands behind the key.
    init(_ letter: StreamKey.KeyLetter, _ octets: [UInt8], _ fields: inout LineFields) throws(LineFault) {
        let flags = Flags(rawValue: try fields.int())
        let line = try fields.int()
        place = ClaimPlace(input: flags.contains(.hasInput) ? try fields.int() : 0, line: line)
        name = SourceName(text: try fields.text(), isNamedByLine: flags.contains(.isNamedByLine))
        observation = Observation(claim: place.number, source: name.source(at: place))
        observation.deviceHashMatches = flags.contains(.deviceHashMatches)
        observation.isGenuine = flags.contains(.isGenuine)
        if letter == .device {
            observation.device = Device(octets: octets.span)
        } else if flags.contains(.hasDevice) {
            let octets = try fields.octets()
            observation.device = Device(octets: octets.span)
        }
        if letter == .account {
            observation.accountID = ExactText(String(decoding: octets, as: UTF8.self))
        } else if flags.contains(.hasAccount) {
            observation.accountID = try fields.text()
        }
        if flags.contains(.hasPresentedAt) { observation.presentedAt = try fields.instant() }
        if flags.contains(.hasCreatedAt) {
            observation.createdAt = try fields.instant(since: observation.presentedAt ?? .epoch)
        }
        if flags.contains(.hasApp) {
            observation.bundleID = try fields.text()
            observation.environment = try fields.environment()
        }
        isOriginal = flags.contains(.isOriginal)
        if flags.contains(.isTransaction) { transaction = try fields.int() }
        var context = PurchaseContext(letter, octets.span)
        while fields.hasMore() { observation.purchases.append(try context.read(&fields)) }
        if let transaction, !observation.purchases.indices.contains(transaction) {
            throw .malformed("it names a purchase that it does not have")
        }
    }
}

extension Instant {
    fileprivate static let epoch = Instant(milliseconds: 0)
}

/// Where receipts come from (attribute 0), as lines have it: the number of an environment that is known, or any text
/// behind a number that none has.
extension LineWriter {
    fileprivate mutating func environment(_ environment: ExactText) {
        let number = KnownEnvironment.number(of: environment)
        self.number(number ?? KnownEnvironment.unknown)
        if number == nil { text(environment) }
    }
}

extension LineFields {
    fileprivate mutating func environment() throws(LineFault) -> ExactText {
        if let name = KnownEnvironment.name(try int()) { return name }
        return try text()
    }
}

/// A claim's source as lines have it: without the line, where that says it all.
struct SourceName {
    let text: ExactText
    let isNamedByLine: Bool

    init(text: ExactText, isNamedByLine: Bool) {
        self.text = text
        self.isNamedByLine = isNamedByLine
    }

    func source(at place: ClaimPlace) -> ExactText { isNamedByLine ? "\(text):\(place.line)" : text }

    init(_ source: ExactText, _ place: ClaimPlace) {
        let suffix = ":\(place.line)".utf8
        isNamedByLine = source.utf8.count > suffix.count && source.utf8.suffix(suffix.count).elementsEqual(suffix)
        text =
            isNamedByLine ? ExactText(String(decoding: source.utf8.dropLast(suffix.count), as: UTF8.self)) : source
    }
}
