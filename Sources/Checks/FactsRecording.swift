import Proofs

extension Facts {
    mutating func fail(_ check: Check) { failed.insert(check) }

    /// Records why there is no content to judge.
    mutating func fail(_ container: ContainerFault) {
        let check: Check
        switch container {
        case .notPKCS7: check = .unknownFormat
        case .malformed: check = .malformedContainer
        case .notSigned: check = .notSigned
        case .noContent: check = .noContent
        }
        fail(check)
        fault = .container(container)
        leaveUnchecked(after: check)
    }

    mutating func leaveUnchecked(_ checks: Check...) {
        for check in checks { notChecked.insert(check) }
    }

    /// Records that no check behind this one could be made, except those that have failed.
    mutating func leaveUnchecked(after last: Check) {
        for check in Check.allCases where check > last && !failed.contains(check) { notChecked.insert(check) }
    }
}
