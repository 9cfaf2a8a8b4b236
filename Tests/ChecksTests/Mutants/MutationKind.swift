import SampleStore

/// One kind of change to a container's structure.
enum MutationKind: String, CaseIterable {
    // Changes to any element.
    case drop = "drop an element"
    case `repeat` = "repeat an element"
    case swap = "swap two elements"
    case move = "move an element into another"
    case retag = "retag an element"
    case longIdentifier = "write a tag in its long form"
    case nest = "put an element into a new one"
    case unnest = "put an element's contents in its place"
    case insert = "insert an element"
    case replace = "replace an element"
    case clear = "empty an element"
    case octets = "change a primitive element's octets"
    case leftOver = "leave octets over inside an element"
    case leftOverBehind = "leave octets over behind the container"
    case longLength = "write a length with more octets than it needs"
    case indefiniteLength = "write a length in the indefinite form"
    case wrongLength = "write a wrong length"
    case constructedString = "write a string in pieces"

    // Changes to one field, which keep or nearly keep what it means.
    case identifier = "replace the SignerInfo's identifier"
    case version = "change a version"
    case contentType = "change a content type"
    case contentForm = "write the content in another form"
    case content = "change the content"
    case digestAlgorithms = "change the set of digest algorithms"
    case parameters = "change an algorithm's parameters"
    case signatureAlgorithm = "change the signature algorithm"
    case signature = "change the signature"
    case signedAttributes = "add signed attributes"
    case unsignedAttributes = "add unsigned attributes"
    case secondSigner = "add a SignerInfo"
    case revocationLists = "add revocation lists"
    case addCertificate = "add a certificate"
    case exchangeCertificate = "put another certificate in the place of one"
    case certificateOrder = "reorder the certificates"
    case dropCertificate = "leave a certificate out"
    case certificateShell = "change a certificate's outer fields"
    case splice = "take a field from another receipt"

    // Changes to an attribute of a receipt or of a purchase.
    case attributeTwice = "write an attribute twice"
    case attributeOrder = "reorder the attributes"
    case attributeType = "change an attribute's type"
    case attributeVersion = "change an attribute's version"
    case unknownAttribute = "add an attribute of any type"
    case dateForm = "write a date in another form"
    case textForm = "write a text in another form"
    case numberForm = "write a number in another form"

    /// Changes to any element.
    static let ofElements = Array(allCases.prefix { $0 != .identifier })
    /// Changes to a container.
    static let ofContainers = Array(allCases.prefix { $0 != .attributeTwice })
    /// Changes to a content that is signed afterwards.
    static let ofContents = ofElements + allCases.drop { $0 != .attributeTwice }
}

/// One edit of a mutant, as it is reported.
struct MutationEdit: CustomStringConvertible {
    let kind: MutationKind
    /// The path of the element, or which variant of the kind was made.
    let detail: [Int]

    var description: String { "\(kind.rawValue) \(detail)" }
}

/// Changed bytes, and what was changed.
struct Mutant {
    let bytes: [UInt8]
    let edits: [MutationEdit]
}

extension SeededGenerator {
    /// A generator for one mutant of one specimen: each specimen has its own mutants under one seed.
    init(seed: UInt64, name: String, number: Int) {
        // FNV-1a (Fowler, Noll and Vo).
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        self.init(seed: seed ^ hash, index: number)
    }
}
