private import Glibc

extension Span where Element == UInt8 {
    /// Whether these are the same bytes.
    public func isSame(as other: [UInt8]) -> Bool { count == other.count && compare(with: other.span, count) == 0 }

    /// Whether these bytes come before others in byte order, in which what begins something longer comes before it.
    public func precedes(_ other: Span<UInt8>) -> Bool { order(to: other) < 0 }

    /// Less than 0 if these bytes come before others, more if they come after them, 0 if they are the same.
    public func order(to other: Span<UInt8>) -> Int {
        let order = compare(with: other, Swift.min(count, other.count))
        return order == 0 ? count - other.count : Int(order)
    }

    /// Compares so many bytes, which both must have.
    private func compare(with other: Span<UInt8>, _ count: Int) -> CInt {
        guard count > 0 else { return 0 }
        return unsafe withUnsafeBytes { first in
            unsafe other.withUnsafeBytes { second in
                guard let first = first.baseAddress, let second = second.baseAddress else { return 0 }
                return unsafe memcmp(first, second, count)
            }
        }
    }
}
