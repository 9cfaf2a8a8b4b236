import Encodings
import Receipts
package import Rules

extension ConsumptionRequest: Recorded {
    package static var unread: ConsumptionRequest { ConsumptionRequest() }

    package mutating func code<Coder: FieldCoder & ~Escapable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text(&uuid)
        try coder.instant(&requestedAt)
        try coder.text(&transactionID)
        try coder.text(&originalTransactionID)
        try coder.text(&bundleID)
        try coder.text(&productID)
        try coder.text(&environment)
        try coder.octets(&digest)
        var number = kind?.rawValue
        var bits = try coder.beginBits()
        try coder.text(&reason, &bits)
        try coder.text(&accountToken, &bits)
        try coder.text(&appTransactionID, &bits)
        try coder.wideNumber(&millionths, &bits)
        try coder.text(&currency, &bits)
        try coder.number(&number, &bits)
        coder.end(bits)
        if Coder.isReading { kind = number.flatMap { Purchase.Kind(rawValue: $0) } }
    }
}
