import FoundationEssentials

/// One fuzzer for each reader of untrusted bytes (`make fuzz`): libFuzzer makes inputs, a ``Subject`` reads them.
///
/// The environment variable FUZZ names the subject, so that libFuzzer's own arguments are all there are and it can start
/// itself again. `Fuzz seeds DIR` writes the inputs to start from instead, and the words that inputs are made of.
@main enum Fuzz {
    /// The subject of this process. libFuzzer calls a C function, which can hold no other reference to it.
    nonisolated(unsafe) private static var subject: any Subject = Base64Subject()

    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "seeds" { return try Seeds(folder: arguments[2]).write() }
        let name = ProcessInfo.processInfo.environment["FUZZ"] ?? ""
        guard let kind = FuzzTarget(rawValue: name) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("FUZZ must name one of \(names), not “\(name)”")
        }
        unsafe subject = try kind.subject()
        var count = CommandLine.argc
        var arguments0 = unsafe CommandLine.unsafeArgv
        _ = unsafe runDriver(&count, &arguments0) { bytes, count in
            unsafe Fuzz.subject.read([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argc: UnsafeMutablePointer<CInt>,
    _ argv: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
