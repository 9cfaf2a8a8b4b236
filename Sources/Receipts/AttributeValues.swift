import DER
import Encodings

extension Attribute {
    /// The text of a UTF8String; an empty one is `nil`, which is how Apple writes "none".
    func text() throws(ReceiptError) -> ExactText? {
        let octets = try octets(of: .utf8String)
        guard octets.count > 0 else { return nil }
        do {
            return ExactText(String(copying: try UTF8Span(validating: octets)))
        } catch {
            throw .value(attribute: type, .notText)
        }
    }

    /// The same, sharing the memory of a text that is likely to be equal.
    func text(like likely: ExactText?, or other: ExactText? = nil) throws(ReceiptError) -> ExactText? {
        let octets = try octets(of: .utf8String)
        if let likely, octets.equals(likely.utf8.span) { return likely }
        if let other, octets.equals(other.utf8.span) { return other }
        return try text()
    }

    /// The date of an IA5String; an empty one is `nil`.
    func date() throws(ReceiptError) -> Instant? {
        let octets = try octets(of: .ia5String)
        guard octets.count > 0 else { return nil }
        guard let date = Instant(rfc3339: octets) else { throw .value(attribute: type, .notADate) }
        return date
    }

    /// The number of an INTEGER.
    func number() throws(ReceiptError) -> Int {
        do throws(DERError) {
            return try DERReader.read(value) { reader throws(DERError) in try reader.integer() }
        } catch {
            throw .value(attribute: type, .encoding(error))
        }
    }

    /// The octets inside the one element of this kind that the value holds.
    @_lifetime(copy self)
    private func octets(of tag: PrimitiveTag) throws(ReceiptError) -> Span<UInt8> {
        do throws(DERError) {
            let range = try DERReader.read(value) { reader throws(DERError) in try reader.rangeOfContents(of: tag) }
            return value.extracting(range)
        } catch {
            throw .value(attribute: type, .encoding(error))
        }
    }
}
