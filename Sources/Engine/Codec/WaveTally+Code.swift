import Encodings
package import Rules

extension WaveTally {
    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.counts(&failing)
        try coder.counts(&passing)
    }
}

extension FieldCoder where Self: ~Escapable {
    fileprivate mutating func counts(_ counts: inout BottomMap<ClaimWave, WaveTally.Count>) throws(Failure) {
        var (kept, isComplete) = (counts.sorted, counts.isComplete)
        let none = (key: ClaimWave(rule: 0, bundleID: "", way: "", day: nil), value: WaveTally.Count(claims: 0))
        try list(&kept, of: none) { (entry, coder) throws(Failure) in
            try entry.key.code(&coder)
            try coder.count(&entry.value.claims)
            try coder.list(&entry.value.accounts, of: 0) { (hash, coder) throws(Failure) in try coder.number(&hash) }
        }
        try bool(&isComplete)
        if Self.isReading { counts = BottomMap(kept, isComplete: isComplete) }
    }
}

extension ClaimWave {
    fileprivate mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.rule(&rule)
        try coder.text(&bundleID)
        var bits = try coder.beginBits()
        try coder.text(&way, &bits)
        try coder.wideNumber(&day, &bits)
        coder.end(bits)
    }
}
