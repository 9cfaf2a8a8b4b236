import Encodings
import Reports
import SampleStore
import Testing

struct `The text of an inspection` {
    @Test func `puts the verdict first, then why, then all that the receipt holds`() throws {
        let lines = try InspectionText(InspectionSamples.inspect(), isColored: false).lines
        #expect(
            lines.joined(separator: "\n") == """
                INVALID  malformed-in-app-purchase
                  receipt  receipt.der
                  size     4,671 bytes
                  app      com.example.notes 1 (Production)
                  created  2024-03-01T00:00:00Z
                  as of    2026-01-01T00:00:00Z

                Checks
                  – table row         No row of a manifest or table was read.
                  ✓ receipt file      It was found.
                  ✓ reading it        It was read.
                  ✓ bytes in it       There are 4671 bytes.
                  ✓ format            The bytes are a PKCS #7 container.
                  ✓ structure         The container can be decoded.
                  ✓ signed data       Its content type is signedData.
                  ✓ content           It has embedded content of type data.
                  ✓ kind of object    It is a proof of purchase, or a reader could take it for one.
                  ✓ strict form       The container is in the one form that Apple writes.
                  ✓ signature         The signature holds over the content (RSA with SHA-256).
                  ✓ signer            The signer is “Sample Store Receipt Signing”, serial number ee55a3d1e000002.
                  ✓ trust             The chain ends at the trust anchor “Sample Store Root CA”.
                  ✓ chain's dates     All 3 certificates were valid when the receipt was created, on
                                      2024-03-01T00:00:00Z.
                  ✓ App Store signer  Leaf and intermediate have Apple's marker extensions.
                  ✓ receipt           All required attributes are present; it was created on 2024-03-01T00:00:00Z.
                  ✗ purchases         Purchase 1 of 3 cannot be read: attribute 1702, product_id, is missing, or
                                      empty. [malformed-in-app-purchase]
                  ✓ device id         It can be read.
                  ✓ device hash       The receipt's device hash is that of 10111213-1415-1617-1819-1A1B1C1D1E1F.
                  – bundle id         No bundle id was claimed; the receipt's is “com.example.notes”.
                  – app version       No app version was claimed; the receipt's is “1”.
                  – environment       Any environment is allowed; the receipt's is “Production”.
                  ✓ expiration        The receipt has no expiration date.

                Container
                  content       1,591 bytes
                  SHA-256       0467a3a276394edaafa84b4a9cc0b740d9c177aa5d20f7a54a3615147d4d0b2f
                  form          as Apple writes it
                  digest        SHA-256
                  certificates  3

                Chain, signer first
                  1  Sample Store Receipt Signing
                     issuer   Sample Store Developer Relations CA
                     serial   ee55a3d1e000002
                     valid    2015-01-01T00:00:00Z to 2033-01-01T00:00:00Z
                     key      RSA-2048, signed with sha256WithRSAEncryption
                     SHA-256  9717935b4c0bbf5c62ec80d6f8021c7028676dd8c340f149d7c2ffc4c9d2bd09
                  2  Sample Store Developer Relations CA
                     issuer   Sample Store Root CA
                     serial   1dee5a3d1e000001
                     valid    2013-01-01T00:00:00Z to 2035-01-01T00:00:00Z
                     key      RSA-2048, signed with sha256WithRSAEncryption
                     SHA-256  c0e74b6d43b5f6a1654263e02367348e3bdcaf92744bacd8d05da78a56bbd853
                  3  Sample Store Root CA
                     issuer   itself
                     serial   2
                     valid    2006-01-01T00:00:00Z to 2039-01-01T00:00:00Z
                     key      RSA-2048, signed with sha256WithRSAEncryption
                     SHA-256  dad05b9fdb353e1830aec693d401bc80a86179c3842064e95c152c15a4f03000

                Attributes
                   0  receipt_type                  Production
                   1  app_item_id                   1500000001
                   2  bundle_id                     com.example.notes
                   3  application_version           1
                   4  opaque_value                  404142434445464748494a4b4c4d4e4f  (version 2)
                   5  sha1_hash                     41b7f78765d1e3f4f5b349c13b628a38f029d610
                   6  –                             808182838485868788898a8b8c8d8e8f… (64 bytes)
                   7  –                             c0c1c2c3c4c5c6c7c8c9cacbcccdcecf… (49 bytes)
                   8  download_date                 2024-03-01T00:00:00Z
                   9  fulfillment_tool_version      P302
                  10  age_rating                    4+
                  11  developer_id                  1500000
                  12  receipt_creation_date         2024-03-01T00:00:00Z
                  13  ios_version                   16.3.1
                  14  –                             1
                  15  download_id                   64000000000001
                  16  version_external_identifier   820000001
                  17  in_app                        3, see below
                  18  original_purchase_date        2024-03-01T00:00:00Z
                  19  original_application_version  1
                  20  –                             (empty)
                  25  platform                      3

                Purchases
                  #1   malformed
                       1701  quantity                 1
                       1703  transaction_id           460000000000004
                       1704  purchase_date            2024-02-02T00:00:00Z
                       1705  original_transaction_id  460000000000004
                       1706  original_purchase_date   2024-02-02T00:00:00Z
                       1707  product_type             1
                       1708  expires_date             (empty)
                       1710  item_id                  0
                       1711  web_order_line_item_id   0
                       1712  cancellation_date        (empty)
                       1713  is_trial_period          0
                       1714  –                        (empty)
                       1715  –                        (empty)
                       1716  –                        (empty)
                       1717  –                        (empty)
                       1718  –                        (empty)
                  #2   com.example.notes.pro  (non-consumable)
                       transaction  460000000000000
                       bought       2023-12-24T00:00:00Z
                  #3   com.example.notes.monthly  (auto-renewable subscription, trial period)
                       transaction  460000000000002  original 460000000000001
                       bought       2024-02-01T00:00:00Z  first 2024-01-01T00:00:00Z
                       expires      2024-02-08T00:00:00Z
                       cancelled    2024-02-03T00:00:00Z, and refunded
                       order line   460000000000003
                       1799         new (unknown attribute)
                """)
    }

    @Test func `says that a valid receipt's device was not checked`() throws {
        let receipt = ReceiptContent(
            bundleID: "com.example.notes", device: InspectionSamples.device, createdAt: .utc(2024, 3, 1))
        #expect(try InspectionText(InspectionSamples.inspect(receipt), isColored: false).lines.first == "VALID")
        let unclaimed = try InspectionSamples.inspect(receipt, device: "")
        #expect(InspectionText(unclaimed, isColored: false).lines.first == "VALID  the device was not checked")
    }

    @Test func `is coloured only where it was asked for`() throws {
        let inspection = try InspectionSamples.inspect()
        let plain = InspectionText(inspection, isColored: false).lines
        let colored = InspectionText(inspection, isColored: true).lines
        #expect(colored.first == "\u{1b}[31mINVALID\u{1b}[0m  malformed-in-app-purchase")
        #expect(plain.count == colored.count)
        #expect(!plain.joined().contains("\u{1b}"))
    }

    @Test func `never lets untrusted text reach the terminal as it is`() throws {
        let nasty = "\u{1b}[2J\u{202e}\u{7}\n\u{9b}evil"
        let receipt = InspectionSamples.receipt.with {
            $0.bundleID = nasty
            $0.appVersion = nasty
            $0.environment = nasty
            $0.ageRating = nasty
            $0.purchases[0].productID = nasty
            $0.purchases[0].transactionID = nasty
            $0.purchases[0].promotionalOfferID = nasty
            $0.edits = [.add(AttributeContent(99, text: nasty)), .add(AttributeContent(98, ascii: nasty))]
        }
        let inspection = try InspectionSamples.inspect(receipt, source: nasty, device: nasty)
        let lines = InspectionText(inspection, isColored: false).lines
        for line in lines { #expect(TerminalText.escaped(line) == line) }
        #expect(lines.contains { $0.contains("\\u{1b}[2J\\u{202e}\\u{7}\\u{a}\\u{9b}evil") })
    }

    @Test func `cuts what no person would read`() throws {
        let receipt = InspectionSamples.receipt.with { $0.appVersion = String(repeating: "x", count: 100_000) }
        let lines = try InspectionText(InspectionSamples.inspect(receipt), isColored: false).lines
        #expect(lines.allSatisfy { $0.count < 500 })
        #expect(lines.contains { $0.hasSuffix("… (100,000 characters)") })
    }
}
