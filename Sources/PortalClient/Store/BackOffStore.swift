import Wire

// The record of failed tries.
extension LocalStore {
    func backOff() throws -> (failures: Int, notBefore: Instant) {
        try read { connection in
            let failures = try Self.fact(.failures, connection).flatMap { Int($0) } ?? 0
            let until = try Self.fact(.notBefore, connection).flatMap { Int64($0) } ?? 0
            return (failures, Instant(milliseconds: until))
        }
    }

    func keepBackOff(_ failures: Int, _ notBefore: Instant) throws {
        if try backOff() == (failures, notBefore) { return }
        try write { connection in
            try Self.set(.failures, String(failures), connection)
            try Self.set(.notBefore, String(notBefore.milliseconds), connection)
        }
    }
}
