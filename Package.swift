// swift-tools-version: 6.2
import PackageDescription

/// The settings of each of our modules.
let rules: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
]

/// Whether to build the fuzzers (`make fuzz`). Every module then counts the edges that an input takes through it.
let isFuzzing = Context.environment["AUDIT_FUZZ"] == "1"
let coverage = "-sanitize-coverage=edge,inline-8bit-counters,pc-table,indirect-calls,trace-cmp"
let strict = isFuzzing ? rules + [.unsafeFlags(["-enable-testing", "-sanitize=address", coverage])] : rules

/// What the subjects of the fuzzers read with.
let fuzzed: [Target.Dependency] = [
    "audit", "Checks", "Corpus", "DER", "Encodings", "Files", "Inputs", "Engine", "Policies", "Receipts",
    "Reports", "Rules", "SampleStore", "Proofs", "Streams", "YAML",
]

/// The commit of a release build. `make release` sets it.
let commit = Context.environment["AUDIT_COMMIT"]

let package = Package(
    name: "receipt-audit",
    products: [
        .executable(name: "audit", targets: ["audit"]),
        // Made-up receipts, tokens and forgeries, to try out and test `audit`.
        .executable(name: "audit-lab", targets: ["audit-lab"]),
        // The checks of one proof, for servers in Swift.
        .library(name: "ReceiptAudit", targets: ["ReceiptAudit"]),
    ],
    dependencies: [
        // The command line: parsing, `--help`, shell completions.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Policies and jobs: YAML 1.2 with the line and column of every node, so that an error can point at its cause.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Logs: one interface, with levels, for lines that people read and lines that machines read.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The HTML report: pages from templates that escape every text unless told otherwise.
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        // C libraries. The system installs and patches them.
        // OpenSSL: X.509 chains, digests, RSA.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // libcsv: manifests and tables, with everything that spreadsheets put into them.
        .systemLibrary(name: "CLibCSV", providers: [.apt(["libcsv-dev"])]),
        // zlib: compressed tables.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // libxlsxwriter: workbooks of any size in little memory.
        .systemLibrary(name: "CXLSXWriter", providers: [.apt(["libxlsxwriter-dev"])]),
        // minizip and Expat: workbooks that an analyst filled in. libxlsxwriter needs minizip itself.
        .systemLibrary(name: "CMinizip", providers: [.apt(["libminizip-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        // SQLite: the ledger in one file, and reports as databases. We call the C interface, which writes 1.5 million
        // rows a second. Prepared statements of GRDB, the Swift library, write 0.72 million.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        // System calls that Swift's Glibc lacks.
        .systemLibrary(name: "CLinux"),
        // RSA multiplication on processors with instructions for it. Swift cannot emit them, and OpenSSL does not use
        // them for public keys. With CBuild the only C of our own.
        .target(name: "CMontgomery"),
        // The commit that `make release` builds from, for `--version`.
        .target(name: "CBuild", cSettings: commit.map { [.define("AUDIT_COMMIT", to: "\"\($0)\"")] }),

        // Alphabets that every stage reads and writes.
        .target(name: "Encodings", swiftSettings: strict),
        .target(name: "DER", swiftSettings: strict),
        .target(name: "Files", dependencies: ["CLinux", "Encodings"], swiftSettings: strict),
        // Files that people write: YAML, with the line and column of each error.
        .target(
            name: "YAML", dependencies: ["Encodings", .product(name: "Yams", package: "Yams")], swiftSettings: strict),

        // Databases: ledgers and reports.
        .target(name: "SQLite", dependencies: ["CSQLite", "Encodings", "Files"], swiftSettings: strict),

        // Sorting in bounded memory.
        .target(name: "Sorting", dependencies: ["Encodings", "Files"], swiftSettings: strict),

        // The path of a claim, in order.
        .target(
            name: "Inputs", dependencies: ["CLibCSV", "CLinux", "CZlib", "Encodings", "Files", "Sorting"],
            swiftSettings: strict),
        .target(
            name: "Proofs", dependencies: ["CMontgomery", "COpenSSL", "DER", "Encodings"], swiftSettings: strict),
        .target(name: "Receipts", dependencies: ["DER", "Encodings"], swiftSettings: strict),
        .target(
            name: "Checks", dependencies: ["DER", "Encodings", "Inputs", "Proofs", "Receipts"],
            swiftSettings: strict),
        // The library product: one proof at a time.
        .target(
            name: "ReceiptAudit", dependencies: ["Checks", "Encodings", "Inputs", "Proofs", "Receipts"],
            swiftSettings: strict),
        .target(
            name: "Rules", dependencies: ["Encodings", "Inputs", "Proofs", "Receipts", "Checks"],
            swiftSettings: strict),
        // A company's description of its apps, read from YAML.
        .target(
            name: "Policies",
            dependencies: ["Checks", "Encodings", "Inputs", "Receipts", "Rules", "YAML"],
            swiftSettings: strict),
        .target(
            name: "Subscriptions", dependencies: ["Encodings", "Inputs", "Receipts", "Checks", "Rules"],
            swiftSettings: strict),
        .target(
            name: "Engine",
            dependencies: [
                "Encodings", "Files", "Sorting", "Inputs", "Proofs", "Receipts", "Checks", "Rules", "Subscriptions",
            ],
            swiftSettings: strict),
        // What a run knows about earlier runs.
        .target(
            name: "Ledgers", dependencies: ["Checks", "Encodings", "Files", "Rules", "Engine", "SQLite"],
            swiftSettings: strict),
        .target(
            name: "Reports",
            dependencies: [
                "CExpat", "CMinizip", "CXLSXWriter", "Encodings", "Files", "Inputs", "Ledgers", "Proofs", "Receipts",
                "Checks", "Rules", "Sorting", "SQLite", "Subscriptions", "Engine",
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            // In the binary itself, because it ships alone.
            resources: [.embedInCode("HTML/Templates"), .embedInCode("Database/Schema")],
            swiftSettings: strict),

        // The two halves of a run as filters over lines, for engines that sort and spread the work.
        .target(
            name: "Streams",
            dependencies: [
                "Encodings", "Files", "Sorting", "Inputs", "Proofs", "Receipts", "Checks", "Rules",
                "Subscriptions", "Engine", "Reports",
            ],
            swiftSettings: strict),

        // Command-line handling that both programs share.
        .target(
            name: "CommandLineSupport",
            dependencies: [
                "CBuild", "Encodings", "Files", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // A fake App Store, for tests, benchmarks and `audit-lab`. `audit` does not link it.
        .target(
            name: "SampleStore", dependencies: ["COpenSSL", "DER", "Encodings"], path: "Sources/Lab",
            resources: [.embedInCode("Attacks/Texts")],
            swiftSettings: strict),

        .executableTarget(
            name: "audit",
            dependencies: [
                "CLinux", "CommandLineSupport", "Encodings", "Inputs", "Ledgers", "Proofs", "Receipts", "Checks",
                "ReceiptAudit", "Rules", "Policies", "SQLite", "Subscriptions", "Engine", "Reports", "Files", "Streams",
                "YAML",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        .executableTarget(
            name: "audit-lab",
            dependencies: [
                "CommandLineSupport", "Encodings", "Files", "SampleStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        // Specifications, one target per stage. `Corpus` finds the genuine receipts that RECEIPTS_CORPUS names.
        .target(
            name: "Corpus", dependencies: ["COpenSSL", "Encodings"], path: "Tests/Corpus", swiftSettings: strict),
        .specification(of: "Encodings"),
        .specification(of: "DER", with: ["Encodings"]),
        .specification(of: "Files"),
        .specification(of: "YAML", with: ["Encodings"]),
        .specification(of: "Sorting", with: ["Files"]),
        .specification(of: "Ledgers", with: ["Encodings", "Engine", "Rules", "SQLite"]),
        .specification(of: "Inputs", with: ["Encodings", "Files", "SampleStore"]),
        .specification(of: "Proofs", with: ["DER", "Encodings", "SampleStore", "COpenSSL"]),
        .specification(of: "Receipts", with: ["DER", "Encodings", "SampleStore", "Proofs"]),
        .specification(
            of: "Checks", with: ["DER", "Encodings", "Inputs", "SampleStore", "Proofs", "Receipts"]),
        .specification(
            of: "ReceiptAudit", with: ["Checks", "Encodings", "Inputs", "Proofs", "Receipts", "SampleStore"]),
        .specification(of: "Rules", with: ["Checks", "Encodings", "Inputs", "Receipts", "Proofs"]),
        .specification(of: "Policies", with: ["Encodings", "Receipts", "Rules", "YAML"]),
        .specification(
            of: "Subscriptions",
            with: ["Checks", "Encodings", "Inputs", "Receipts", "Rules", "SampleStore", "Proofs"]),
        .specification(
            of: "Engine",
            with: [
                "Checks", "Encodings", "Inputs", "Ledgers", "Policies", "Receipts", "Rules", "SampleStore",
                "Proofs",
            ]),
        .specification(
            of: "Reports",
            with: [
                "Checks", "Encodings", "Files", "Inputs", "Engine", "Receipts", "Rules", "SampleStore", "Proofs",
            ]),
        .specification(
            of: "Streams",
            with: ["Checks", "Encodings", "Engine", "Files", "Inputs", "Receipts", "Rules", "SampleStore"]),
        // The subjects of the fuzzers, each with a few of its seeds. `make fuzz` builds them with libFuzzer.
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["Fuzz.swift"], swiftSettings: strict),
        .specification(of: "SampleStore", with: ["DER", "Encodings", "Inputs", "Proofs", "Checks"]),
        .specification(
            of: "audit", named: "CommandTests",
            with: [
                "audit-lab", "Checks", "Encodings", "Engine", "Files", "Inputs", "Ledgers", "Receipts", "Reports",
                "Rules",
                "SampleStore", "SQLite", "Proofs", "YAML",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)

// With AUDIT_TESTS, only the tests of this target are built (`make t T=Rules`).
if let only = Context.environment["AUDIT_TESTS"] {
    package.targets.removeAll { $0.type == .test && $0.name != only + "Tests" }
}

// Optimizing the tests of the programs takes long and changes nothing: they start what was built (`make release-test`).
if Context.environment["AUDIT_MODULE_TESTS"] == "1" {
    package.targets.removeAll { ["CommandTests", "FuzzTests"].contains($0.name) }
}

if isFuzzing {
    package.products = []
    // An executable cannot be part of another. Only the part of `audit` that reads job files is built, as a library.
    package.targets.removeAll { $0.type == .executable || $0.type == .test }
    package.targets += [
        .target(
            name: "audit",
            dependencies: [
                "Encodings", "Files", "Inputs", "Engine", "Reports", "Rules", "Proofs", "YAML",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            sources: ["Run/Arguments.swift", "Run/Job.swift"],
            swiftSettings: strict),
        .executableTarget(
            name: "Fuzz", dependencies: fuzzed, path: "Tests/Fuzz", exclude: ["SubjectTests.swift"],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ]
}

extension Target {
    /// The tests of one target. They may also use the modules in `others`.
    static func specification(
        of target: String, named name: String? = nil, with others: [Target.Dependency] = []
    ) -> Target {
        .testTarget(
            name: name ?? target + "Tests",
            dependencies: [.target(name: target), "Corpus"] + others,
            swiftSettings: strict)
    }
}
