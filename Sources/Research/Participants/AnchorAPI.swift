import Accounts
import Database
import HTTP
import Records
import Studies
import Web
import Wire
import Wording

/// The dates from which time points of single participants are counted (ST-1).
enum AnchorAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/participants/:codename/anchors"
        let type = StudyAnchor.self
        routes.call(
            .get, path, .studyLead,
            .many("The dates from which time points of a participant are counted", type), index)
        routes.call(
            .get, path + "/:key", .studyLead, .one("The date from which a time point is counted", type), show)
        routes.call(
            .put, path + "/:key", .studyLead,
            .one("Enter such a date, from now on", type, takes: type.sent).matching, put)
        routes.call(
            .delete, path + "/:key", .studyLead,
            .nothing("Take such a date back while nothing was asked by it").matching, destroy)
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let enrolment = try Anchors.found(c)
        let study = c.proof.study
        // One statement for all time points together.
        let dates = try c.read { try AnchorStore.every(of: enrolment.id, $0) }
        let items = Anchors.own(study).map { point in
            Item(id: id(enrolment, point.key), Anchors.anchor(point, dates).anchor)
        }
        return try .data(paging.part(of: items))
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let enrolment = try Anchors.found(c)
        let point = try Anchors.point(c)
        let dates = try c.read { try AnchorStore.every(of: enrolment.id, $0) }
        let (anchor, revision) = Anchors.anchor(point, dates)
        return Conditional.tagged(
            try .data(One(id: id(enrolment, point.key), anchor)), revision: revision, c.language)
    }

    private static func id(_ enrolment: EnrolmentRecord, _ key: String) -> String {
        DerivedID.of("anchor", enrolment.id, key)
    }

    @Sendable static func put(_ c: Context<StudyLead>) throws -> Reply {
        let fields = try c.body()
        let date = fields.date("date", required: true)
        try fields.finish()
        let enrolment = try Anchors.found(c)
        let key = try Anchors.key(c)
        let revision = try Anchors.set(date, for: key, of: enrolment, c)
        let anchor = StudyAnchor(key: key, date: date)
        return Conditional.tagged(
            try .data(One(id: id(enrolment, key), anchor)), revision: revision, c.language)
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        _ = try Anchors.set(nil, for: try Anchors.key(c), of: try Anchors.found(c), c)
        return .response(.noContent)
    }
}

/// Entering dates of participants, for pages and calls alike.
enum Anchors {
    /// The participant in the path.
    static func found(_ c: Context<StudyLead>) throws -> EnrolmentRecord {
        let found = try c.read { try EnrolmentStore.told(c, $0) }
        guard found.state == .enrolled else { throw Problem.notFound }
        return found
    }

    /// The time points whose days are counted from a date of each participant, entered by a lead or taken from their therapy.
    static func own(_ study: StudyRecord) -> [TimePoint] {
        study.timePoints.filter { $0.window.anchor.isOwn }
    }

    /// What leads learn of it, and how often that has changed.
    /// - Parameter all: of the participant.
    static func anchor(
        _ point: TimePoint, _ all: (own: [String: [AnchorDate]], sessions: [String: [SessionDates]])
    ) -> (anchor: StudyAnchor, revision: Int) {
        if point.window.anchor == .eachSession {
            let sessions = all.sessions[point.key] ?? []
            let days = sessions.compactMap { $0.dates.last?.date }.sorted()
            return (
                StudyAnchor(key: point.key, date: nil, dates: days),
                sessions.reduce(0) { $0 + $1.dates.count }
            )
        }
        let dates = all.own[point.key] ?? []
        return (StudyAnchor(key: point.key, date: dates.last?.date), dates.count)
    }

    /// The time point in the path, which is counted from a date of each participant.
    static func point(_ c: Context<StudyLead>) throws -> TimePoint {
        guard let point = c.proof.study.timePoints.first(where: { $0.key == c.places["key"] }) else {
            throw Problem.notFound
        }
        guard point.window.anchor.isOwn else { throw Problem.conflict(Message("studies.anchor_not_entered")) }
        return point
    }

    /// The same of one whose date leads enter.
    static func key(_ c: Context<StudyLead>) throws -> String {
        let point = try point(c)
        guard point.window.anchor == .lead else {
            throw Problem.conflict(Message("studies.anchor_not_entered"))
        }
        return point.key
    }

    /// - Parameter date: nil takes it back.
    /// - Returns: how often it was entered.
    /// - Throws: `Problem.conflict` for taking back what something was asked by.
    static func set(
        _ date: LocalDate?, for key: String, of enrolment: EnrolmentRecord, _ c: Context<StudyLead>
    ) throws -> Int {
        let study = c.proof.study.id
        let revision = try c.write(.anchorEntered, about: enrolment.accountID, object: study) {
            [now = c.now, request = c.request] connection -> Int in
            guard let present = try EnrolmentStore.find(id: enrolment.id, connection),
                present.state == .enrolled,
                let record = try StudyStore.find(study, connection)
            else { throw Problem.notFound }
            let known = try AnchorStore.revision(of: key, as: enrolment.id, connection)
            try Conditional.requireRevision(
                request, current: known, isRequired: date != nil && known > 0)
            let dates = try AnchorStore.all(of: enrolment.id, connection)[key]
            if dates?.last?.date == date { return known }
            if date == nil {
                let prompts = try StudyPrompts(record, connection).of(present, connection)
                let isUsed = prompts.all.items.contains {
                    $0.timePoint == key && prompts.hasBegun($0, at: now)
                }
                if isUsed { throw Problem.conflict(Message("studies.anchor_used")) }
            }
            try AnchorStore.set(date, for: key, of: enrolment.id, since: now, connection)
            return try AnchorStore.revision(of: key, as: enrolment.id, connection)
        }
        c.services.spread(.studiesChanged(enrolment.accountID))
        return revision
    }
}

extension AuditAction {
    static let anchorEntered = AuditAction(name: "study.anchor_entered")
}
