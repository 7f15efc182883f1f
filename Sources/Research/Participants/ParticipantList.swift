import Database
import Psychometrics
import Records
import Studies
import Web
import Wire

/// The participants of a study that were taken in, as leads look for them (ST-3): for one reason, in one order.
struct ParticipantList: Sendable {
    enum Order: String, CaseIterable, Sendable {
        case newest
        /// The least answered share of the last seven days first.
        case response
        case codename
    }

    let people: [EnrolmentRecord]
    /// How they answered lately; nil where that decides neither who is shown nor the order.
    let response: StudyResponse?
    private let order: Order
    private let shares: [ID<Enrolment>: Int]

    /// After every share.
    private static let nothingAsked = 101

    init(
        _ look: ParticipantsInView.Look?, in order: Order, _ c: Context<StudyLead>,
        _ connection: borrowing Connection
    ) throws {
        let study = c.proof.study
        let all = try Participants.shown(in: study.id, connection).filter { $0.enrolledAt != nil }
        let isAsked = look != nil || order == .response
        let response = isAsked ? try StudyResponse(study, of: all, at: c.now, connection) : nil
        let lately = response?.people ?? []
        let shares = Dictionary(
            lately.map { one in
                let isNothing = one.prompted == 0
                return (
                    one.enrolment.id,
                    isNothing ? Self.nothingAsked : Share.percent(one.answered, of: one.prompted)
                )
            }, uniquingKeysWith: { $1 })
        let needing = Set(
            lately.filter { ParticipantsInView.look(at: $0, c.now) == look }.map(\.enrolment.id))
        let shown = look == nil ? all : all.filter { needing.contains($0.id) }
        self.order = order
        self.response = response
        self.shares = shares
        people =
            switch order {
            case .newest: shown
            case .response:
                shown.sorted {
                    (shares[$0.id] ?? Self.nothingAsked, $0.codename)
                        < (shares[$1.id] ?? Self.nothingAsked, $1.codename)
                }
            case .codename: shown.sorted { $0.codename < $1.codename }
            }
    }

    /// A part of them, with their compliance, which is computed for this part alone.
    func page(
        _ paging: Paging, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> (part: [Participants.Standing], next: String?) {
        let (part, next) = paging.part(of: people, order == .newest ? .newestFirst : .earliestFirst) { one in
            switch order {
            case .newest: Position(one.askedAt, one.id)
            case .response: Position(number: Int64(shares[one.id] ?? Self.nothingAsked), one.codename)
            case .codename: Position(number: 0, one.codename)
            }
        }
        return (try Participants.standing(part, c, connection), next)
    }
}
