import Database
import JSON
import Records
import Scheduling
import Web
import Wire

/// A participant's therapies as files of a study tell them: those that ran while they took part, the earliest first.
package struct ToldTherapies: Sendable {
    package let all: [Therapy]
    package let ids: [ID<Therapy>]

    package init(of person: StudyFile.Person, _ connection: borrowing Connection) throws {
        all = try TherapyStore.all(of: person.account, connection).filter { therapy in
            guard let paired = therapy.pairedAt else { return false }
            return paired <= person.to && therapy.endedAt.map { $0 >= person.from } ?? true
        }.sorted { ($0.pairedAt ?? .distantFuture) < ($1.pairedAt ?? .distantFuture) }
        ids = all.map(\.id)
    }

    /// The cell that says which of them it is, from 1 on.
    package func cell(_ id: ID<Therapy>) -> JSON { .cell(ids.firstIndex(of: id).map { $0 + 1 }) }

    package static let column = StudyFile.Column(
        "therapy", "welche Therapie während der Teilnahme, ab 1",
        "which therapy during the participation, from 1 on", .number)
}
