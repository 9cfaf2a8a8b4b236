import Checks
import Encodings
import Inputs
import Receipts
package import Rules

extension Finding {
    package static var unread: Finding {
        Finding(severity: .info, rule: 0, subject: "", involved: Participants(), evidence: "")
    }

    /// Codes the fields that a ``MergedFinding`` does not code itself, except for the evidence, because a merged finding has several
    /// texts.
    mutating func codeRest<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&confidence)
        try coder.count(&events)
        try coder.bool(&isOfAsked)
        try involved.code(&coder)
        try stake.code(&coder)
    }
}

extension Participants {
    /// Codes all but the sources.
    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var bits = try coder.beginBits()
        try coder.claims(&claimIDs)
        try coder.claims(&caseIDs)
        try coder.devices(&devices)
        try coder.devices(&matchingDevices)
        try coder.accounts(&accounts)
        try coder.only(&app, &bits)
        try coder.only(&product, &bits)
        coder.flag(&lacksAccount, &bits)
        coder.flag(&lacksDevice, &bits)
        try coder.instant(&lastPresented, &bits)
        try coder.value(&links, &bits)
        coder.end(bits)
    }
}

extension RingLinks: Recorded {
    package static var unread: RingLinks { RingLinks(subject: "") }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&subject)
        try coder.devices(&devices)
        try coder.devices(&matchingDevices)
        try coder.accounts(&accounts)
        try coder.accounts(&mismatchedAccounts)
        try coder.accounts(&clearedAccounts)
    }
}

extension Stake {
    mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        var (items, isComplete) = (items, isComplete)
        try coder.bool(&isComplete)
        // The transactions of one finding mostly share one product and one environment.
        var last = (transaction: Transaction(""), item: Item(bundleID: "", productID: ""))
        try coder.list(&items, of: last) { (entry, coder) throws(Coder.Failure) in
            var bits = try coder.beginBits()
            try coder.id(&entry.transaction.id, unless: "", &bits)
            try coder.text(&entry.transaction.environment, unless: last.transaction.environment, &bits)
            try coder.text(&entry.item.bundleID, unless: last.item.bundleID, &bits)
            try coder.text(&entry.item.productID, unless: last.item.productID, &bits)
            try coder.value(&entry.item.price, &bits)
            coder.flag(&entry.item.isMember, &bits)
            coder.end(bits)
            last = entry
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

    fileprivate mutating func claims(_ sketch: inout DistinctSketch<IdentityHash>) throws(Failure) {
        var (claims, isExact) = (sketch.sorted, sketch.isExact)
        try bool(&isExact)
        try list(&claims)
        if Self.isReading { sketch = DistinctSketch(claims, isExact: isExact) }
    }

    fileprivate mutating func devices(_ sketch: inout DistinctSketch<Device>) throws(Failure) {
        var (devices, isExact) = (sketch.sorted.map { Optional($0) }, sketch.isExact)
        try bool(&isExact)
        try list(&devices, of: nil) { (device, coder) throws(Failure) in try coder.device(&device) }
        if Self.isReading { sketch = DistinctSketch(devices.compactMap { $0 }, isExact: isExact) }
    }

    fileprivate mutating func accounts(_ sketch: inout DistinctSketch<ExactText>) throws(Failure) {
        var (accounts, isExact) = (sketch.sorted, sketch.isExact)
        try bool(&isExact)
        try texts(&accounts)
        if Self.isReading { sketch = DistinctSketch(accounts, isExact: isExact) }
    }
}
