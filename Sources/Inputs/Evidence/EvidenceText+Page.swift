import Encodings

extension EvidenceText {
    /// A page of an answer of the App Store Server API.
    public struct Page: Sendable {
        /// Whether there is no page after it. Nobody signed that.
        public let isLast: Bool
        /// Whether it is of a customer's transactions. Others are of an app's notifications.
        public let isOfCustomer: Bool
        /// The places of its tokens among those that were found.
        public let tokens: Range<Int>
    }

    /// The members of an object that a page has.
    struct PageMembers {
        private var isLast: Bool?
        private var isOfCustomer: Bool?

        /// Notes a member.
        mutating func add(_ name: ExactText, _ document: JSONDocument, _ index: Int) {
            if document.kind(index) == .bool, name.utf8.span.isSameName(as: "hasMore".utf8.span) {
                isLast = document.text(index) == "false"
            } else if name.utf8.span.isSameName(as: "signedTransactions".utf8.span) {
                isOfCustomer = true
            } else if name.utf8.span.isSameName(as: "notificationHistory".utf8.span) {
                isOfCustomer = false
            }
        }

        /// Returns the page; `nil` if the object is none.
        func page(_ tokens: Range<Int>) -> Page? {
            guard let isLast, let isOfCustomer else { return nil }
            return Page(isLast: isLast, isOfCustomer: isOfCustomer, tokens: tokens)
        }
    }
}
