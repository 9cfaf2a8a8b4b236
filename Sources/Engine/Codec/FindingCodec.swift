import Checks
import Encodings
import Inputs
package import Rules

extension Finding {
    package static var unread: Finding {
        Finding(severity: .info, rule: 0, subject: "", involved: Involved(), evidence: "")
    }

    /// Codes all but the evidence, of which a finding that was merged has several texts.
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.rule(&rule)
        try coder.text(&subject)
        try coder.code(&severity)
        try coder.code(&confidence)
        try coder.count(&events)
        try involved.code(&coder)
        try stake.code(&coder)
    }
}

extension Involved {
    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        var keptClaims = storedClaims
        try coder.claims(&keptClaims)
        if Coder.isReading { storedClaims = keptClaims }
        var keptDevices = storedDevices
        try coder.devices(&keptDevices)
        if Coder.isReading { storedDevices = keptDevices }
        var keptMatchingDevices = storedMatchingDevices
        try coder.devices(&keptMatchingDevices)
        if Coder.isReading { storedMatchingDevices = keptMatchingDevices }
        var keptAccounts = storedAccounts
        try coder.accounts(&keptAccounts)
        if Coder.isReading { storedAccounts = keptAccounts }
        var names = sources.names
        try coder.texts(&names)
        if Coder.isReading { sources = FirstSources(names) }
        try coder.only(&app, &bits)
        try coder.only(&product, &bits)
        coder.flag(&lacksAccount, &bits)
        coder.flag(&lacksDevice, &bits)
        if coder.isPresent(links != nil, &bits) {
            var links = links ?? RingLinks(subject: "")
            try coder.text(&links.subject)
            var keptDevices = links.storedDevices
            try coder.devices(&keptDevices)
            if Coder.isReading { links.storedDevices = keptDevices }
            var keptMatchingDevices = links.storedMatchingDevices
            try coder.devices(&keptMatchingDevices)
            if Coder.isReading { links.storedMatchingDevices = keptMatchingDevices }
            var keptAccounts = links.storedAccounts
            try coder.accounts(&keptAccounts)
            if Coder.isReading { links.storedAccounts = keptAccounts }
            var keptUnmatchedAccounts = links.storedUnmatchedAccounts
            try coder.accounts(&keptUnmatchedAccounts)
            if Coder.isReading { links.storedUnmatchedAccounts = keptUnmatchedAccounts }
            self.links = links
        } else {
            links = nil
        }
        coder.end(bits)
    }
}

extension Stake {
    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var (items, isComplete) = (items, isComplete)
        try coder.bool(&isComplete)
        try coder.list(&items, of: (transaction: "", item: Item(bundleID: "", productID: ""))) {
            (entry, coder) throws(Coder.Failure) in
            try coder.text(&entry.transaction)
            try coder.text(&entry.item.bundleID)
            try coder.text(&entry.item.productID)
        }
        if Coder.isReading { self = Stake(items, isComplete: isComplete) }
    }
}

extension FieldCoder where Self: ~Escapable {
    fileprivate mutating func only(_ only: inout OnlyText, _ bits: inout PresenceBits) throws(Failure) {
        var (text, areSeveral) = (only.text, only.areSeveral)
        flag(&areSeveral, &bits)
        try self.text(&text, &bits)
        if Self.isReading { only = OnlyText(text, areSeveral: areSeveral) }
    }

    fileprivate mutating func claims(_ stored: inout (values: [ClaimID], isExact: Bool)) throws(Failure) {
        var copy = stored
        try bool(&copy.isExact)
        try list(&copy.values, of: .none) { (id, coder) throws(Failure) in try coder.identity(&id) }
        if Self.isReading { stored = copy }
    }

    fileprivate mutating func devices(_ stored: inout (values: [Device], isExact: Bool)) throws(Failure) {
        var isExact = stored.isExact
        var devices = Self.isReading ? [] : stored.values.map { Optional($0) }
        try bool(&isExact)
        try list(&devices, of: nil) { (device, coder) throws(Failure) in try coder.device(&device) }
        if Self.isReading { stored = (devices.compactMap { $0 }, isExact) }
    }

    fileprivate mutating func accounts(_ stored: inout (values: [ExactText], isExact: Bool)) throws(Failure) {
        var copy = stored
        try bool(&copy.isExact)
        try texts(&copy.values)
        if Self.isReading { stored = copy }
    }
}
