import Foundation
import Wire

// Single values go up together, and each is settled for itself: one that is refused stays with its reason (RP-113).
extension SyncRun {
    private static let valuesAtOnce = 500

    mutating func values(_ outgoing: [Outgoing]) async throws {
        var left = outgoing
        while !left.isEmpty {
            let batch = left.prefix(Self.valuesAtOnce)
            left.removeFirst(batch.count)
            var sent: [Outgoing] = []
            var bodies: [Data] = []
            for value in batch {
                if let body = try store.waitingRecord(value.subject) {
                    sent.append(value)
                    bodies.append(body)
                } else {
                    try store.write { try LocalStore.settle(value, $0) }
                }
            }
            if !sent.isEmpty { left = try await send(sent, bodies) + left }
        }
    }

    /// - Returns: what has to be sent again, without those that are refused now.
    private mutating func send(_ values: [Outgoing], _ bodies: [Data]) async throws -> [Outgoing] {
        do {
            let filed = try await client.putMeasurements(bodies)
            var refusals: [Int: Refusal] = [:]
            for refused in filed.refused {
                guard let place = Self.place(refused.field) else { continue }
                refusals[place] = Refusal(
                    status: 422, message: refused.message, code: refused.code,
                    errors: [refused.field: [refused.message]])
            }
            for (place, value) in values.enumerated() where refusals[place] == nil {
                try store.acknowledgeRecord(value)
                summary.sent += 1
            }
            try refuse(values, refusals)
            return []
        } catch ClientError.refused(let refusal) where refusal.status == 500 {
            for value in values { try postpone(value, because: refusal) }
            return []
        } catch {
            guard let refusal = isFinal(error) else { throw error }
            var refusals: [Int: Refusal] = [:]
            for (field, sentences) in refusal.errors {
                guard let place = Self.place(field), values.indices.contains(place) else { continue }
                let message = sentences.joined(separator: " ")
                refusals[place] = Refusal(
                    status: refusal.status, message: message, code: refusal.code, errors: [field: sentences])
            }
            // The portal names a hundred at most, and an older one takes none of the others along.
            if refusals.isEmpty { for place in values.indices { refusals[place] = refusal } }
            try refuse(values, refusals)
            return values.indices.filter { refusals[$0] == nil }.map { values[$0] }
        }
    }

    private mutating func refuse(_ values: [Outgoing], _ refusals: [Int: Refusal]) throws {
        for (place, refusal) in refusals where values.indices.contains(place) {
            try store.refuseRecord(values[place], refusal)
            summary.refused += 1
        }
    }

    /// Of `items.3.value` the 3.
    private static func place(_ field: String) -> Int? {
        let parts = field.split(separator: ".")
        return parts.count > 1 && parts[0] == "items" ? Int(parts[1]) : nil
    }
}

extension Client {
    /// `putMeasurements` with bodies as they are kept.
    func putMeasurements(_ bodies: [Data]) async throws(ClientError) -> FiledMeasurements {
        let list = Data("{\"items\":[".utf8) + bodies.joined(separator: Data(",".utf8)) + Data("]}".utf8)
        return try one(await send("PUT", "/my/measurements", body: list))
    }
}
