import Encodings

/// The search for tokens in runs of their characters, whatever the text around them is.
extension EvidenceText {
    /// Adds everything that looks like a token, or like base64 of one, wherever it stands, except in authorization
    /// headers.
    mutating func addRuns(of text: Span<UInt8>, _ layer: Int = 0) {
        var position = 0
        while position < text.count {
            let start = position
            while position < text.count, text[position].isRunByte { position += 1 }
            if position - start >= 8 || position - start >= 3 && text.starts(with: TokenShape.mark, at: start) {
                let isBearer = start >= 7 && text.extracting((start - 7)..<start).isLowercased(Array("bearer ".utf8))
                addRun(text.extracting(start..<position), isBearer: isBearer, layer)
            }
            position += 1
        }
    }

    private mutating func addRun(_ run: Span<UInt8>, isBearer: Bool, _ layer: Int) {
        guard !isKnown(run) else { return }
        if !run.starts(with: TokenShape.mark), addEncoded(run, layer) { return }
        var position = 0
        while let start = run.firstIndex(of: TokenShape.mark, from: position) {
            let isFirst = position == 0
            position = start
            while position < run.count, run[position].isTokenByte { position += 1 }
            let token = run.extracting(start..<position)
            guard let shape = TokenShape(token) else { continue }
            // Other tokens authorize requests. Behind an escape, `\n`, or a name, `token=`, it is not the run's start.
            if shape.isWhole, shape.mayHaveCertificates || start == 0 && !isBearer {
                if !isKnown(token) { append(token) }
            } else if shape.isWhole || isFirst && addEncoded(run.extracting(start...), layer) {
                continue
            } else {
                hasUnread = true
                if token.count >= TokenShape.minHeader, start == 0 || shape.dots > 0 { lost += 1 }
            }
        }
    }

    /// Adds the tokens of a run of base64 or hexadecimal.
    ///
    /// - Returns: whether it is one.
    private mutating func addEncoded(_ run: Span<UInt8>, _ layer: Int) -> Bool {
        guard undecoded.isEmpty || !undecoded.contains(run.copy()), let inner = run.decodedEvidence else {
            return false
        }
        let wasInRun = isInRun
        isInRun = true
        let isRead = addDecoded(inner, layer)
        isInRun = wasInRun
        record(run, isRead: isRead)
        return isRead
    }
}
