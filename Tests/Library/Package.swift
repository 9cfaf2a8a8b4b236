// swift-tools-version: 6.2
import PackageDescription

// A server's use of the library, as a package of its own: `make library-check` builds and runs it.
let package = Package(
    name: "upload-handler",
    dependencies: [.package(name: "receipt-audit", path: "../..")],
    targets: [
        .executableTarget(
            name: "UploadHandler", dependencies: [.product(name: "ReceiptAudit", package: "receipt-audit")])
    ]
)
