/// The memory of this process according to the kernel (proc(5)).
public enum ProcessMemory {
    /// The peak resident memory in bytes; `nil` if `/proc` does not provide it.
    public static var peak: Int? {
        guard let bytes = try? FileContents.bytes(of: "/proc/self/status", limit: 1 << 16) else { return nil }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("VmHWM:") {
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
        }
        return nil
    }
}
