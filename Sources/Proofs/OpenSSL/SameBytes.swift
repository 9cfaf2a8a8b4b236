private import Glibc

/// Whether two runs of bytes are the same, by `memcmp`: a container's certificates are some 3,500 bytes,
/// and they are compared for every receipt.
func areSame(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    let count = first.count
    guard count == second.count else { return false }
    return unsafe first.withUnsafeBytes { first in
        unsafe second.withUnsafeBytes { second in
            guard let first = first.baseAddress, let second = second.baseAddress else { return true }
            return unsafe memcmp(first, second, count) == 0
        }
    }
}

func areSame(_ first: Span<UInt8>, _ second: [UInt8]) -> Bool { areSame(first, second.span) }
