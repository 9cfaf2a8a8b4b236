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
        try coder.sketch(&claimIDs, of: .none) { (id, coder) throws(Coder.Failure) in try coder.identity(&id) }
        try coder.devices(&devices)
        try coder.devices(&matchingDevices)
        try coder.accounts(&accounts)
        var names = sources.names
        try coder.texts(&names)
        if Coder.isReading { sources = FirstSources(names) }
        try coder.text(&bundleID, &bits)
        try coder.text(&productID, &bits)
        coder.flag(&lacksAccount, &bits)
        coder.flag(&lacksDevice, &bits)
        if coder.isPresent(links != nil, &bits) {
            var links = links ?? RingLinks(subject: "")
            try coder.text(&links.subject)
            try coder.devices(&links.devices)
            try coder.devices(&links.matchingDevices)
            try coder.accounts(&links.accounts)
            try coder.accounts(&links.unmatchedAccounts)
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
    fileprivate mutating func devices(_ devices: inout DistinctSketch<Device>) throws(Failure) {
        var (octets, isExact) = (Self.isReading ? [] : devices.sorted.map { Optional($0) }, devices.isExact)
        try bool(&isExact)
        try list(&octets, of: nil) { (device, coder) throws(Failure) in try coder.device(&device) }
        if Self.isReading { devices = DistinctSketch(octets.compactMap { $0 }, isExact: isExact) }
    }

    fileprivate mutating func accounts(_ accounts: inout DistinctSketch<ExactText>) throws(Failure) {
        try sketch(&accounts, of: "") { (account, coder) throws(Failure) in try coder.text(&account) }
    }

    /// The values that a sketch keeps, in order, and whether these are all.
    fileprivate mutating func sketch<Value>(
        _ sketch: inout DistinctSketch<Value>, of placeholder: Value,
        _ code: (inout Value, inout Self) throws(Failure) -> Void
    ) throws(Failure) {
        var (values, isExact) = (Self.isReading ? [] : sketch.sorted, sketch.isExact)
        try bool(&isExact)
        try list(&values, of: placeholder, code)
        if Self.isReading { sketch = DistinctSketch(values, isExact: isExact) }
    }
}
