import Accounts
import Database
import HTTP
import Identity
import JSON
import Pairing
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A cover as sent. Made only by reading.
struct CoverDraft: Sendable {
    let email: String
    /// Nil for all running therapies.
    let patients: [ID<Therapy>]?
    let from: LocalDate
    let until: LocalDate
    let access: CoverRecord.Access
    /// Whether the colleague sees the names that the therapist gave the patients (PR-29).
    let sharesAlias: Bool

    /// A year of parental leave; for longer there is the hand-over.
    static let longestDays: Int64 = 366
    static let farthestDays: Int64 = 730

    /// From the API.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader, today: LocalDate) throws(Problem) -> CoverDraft {
        var patients: [ID<Therapy>]?
        switch fields.value("patients") {
        case .string("all")?: break
        case .array(let ids)? where !ids.isEmpty && ids.count <= 500:
            var named: [ID<Therapy>] = []
            for (index, value) in ids.enumerated() {
                guard case .string(let text) = value, let id = ID<Therapy>(uuid: text) else {
                    fields.refuse("patients.\(index)", "errors.id")
                    continue
                }
                if !named.contains(id) { named.append(id) }
            }
            patients = named
        default: fields.refuse("patients", "covers.whom")
        }
        return try read(fields, patients, email: "colleague_email", today: today)
    }

    /// From the portal: `all`, or boxes that are ticked.
    static func read(form: Form, today: LocalDate) throws(Problem) -> CoverDraft {
        let fields = InputReader(form: form)
        let named = form.all("patient").compactMap { ID<Therapy>(uuid: $0) }
        let isForAll = fields.choice("whom", from: ["all", "named"], required: true) == "all"
        if !isForAll && named.isEmpty { fields.refuse("whom", "covers.whom") }
        return try read(fields, isForAll ? nil : named, email: "colleague_email", today: today)
    }

    /// For all running therapies, without the aliases: set up by a clinic lead.
    /// - Throws: `Problem.invalid`.
    static func readForAll(_ fields: InputReader, today: LocalDate) throws(Problem) -> CoverDraft {
        try read(fields, nil, email: "colleague_email", today: today, withAlias: false)
    }

    private static func read(
        _ fields: InputReader, _ patients: [ID<Therapy>]?, email: String, today: LocalDate,
        withAlias: Bool = true
    ) throws(Problem) -> CoverDraft {
        let address = fields.email(email)
        let from = fields.date("from", required: true)
        let until = fields.date("until", required: true)
        let access: CoverRecord.Access? = fields.choice("access", required: true)
        let sharesAlias = withAlias && fields.bool("shares_alias") ?? false
        if let from, let until {
            if until < from { fields.refuse("until", "errors.ends_before_start") }
            if until < today { fields.refuse("until", "covers.over") }
            let isFar =
                until.daysSince1970 - from.daysSince1970 >= longestDays
                || from.daysSince1970 - today.daysSince1970 > farthestDays
            if isFar { fields.refuse("until", "covers.long") }
        }
        try fields.finish()
        guard let address, let from, let until, let access else { throw .invalid(fields.errors) }
        return CoverDraft(
            email: address, patients: patients, from: from, until: until, access: access,
            sharesAlias: sharesAlias)
    }
}

/// Giving and ending covers, for page and call alike (PR-20).
enum CoverActions {
    /// - Parameters:
    ///   - withAbsence: whether its days are entered as an absence of the therapist.
    ///   - giver: the therapist who is away, where a clinic lead sets it up.
    /// - Returns: the id.
    /// - Throws: `Problem.invalid` for the therapist themselves, for an account that is no therapist's, for others'
    ///   patients, and where one of the patients has a cover already.
    static func make(
        _ draft: CoverDraft, withAbsence: Bool = false, for giver: AccountRecord? = nil, _ c: Context<Member>
    ) throws -> ID<CoverRecord> {
        let therapist = giver ?? c.proof.account
        let colleague = try Colleagues.find(
            draft.email, field: "colleague_email", but: therapist.id, c)
        // Clinic leads open no file, also not by setting themselves up.
        if giver != nil && colleague.id == c.proof.account.id {
            throw Problem.invalid("colleague_email", "sharing.oneself")
        }
        let zone = Zone(c.services.timezone)
        let cover = CoverRecord(
            id: c.newID(), by: therapist.id, colleague: colleague.id, draft.access,
            isForAll: draft.patients == nil, sharesAlias: draft.sharesAlias, startsOn: draft.from,
            endsOn: draft.until,
            startsAt: zone.instant(draft.from, hour: 0, minute: 0),
            endsAt: zone.instant(draft.until.adding(days: 1), hour: 0, minute: 0))
        let told = try c.read { try patients(draft.patients, of: therapist.id, $0) }
        let names = try c.read { connection in
            (
                therapist: try TherapistStore.name(of: therapist.id, c.keys, connection),
                colleague: try TherapistStore.name(of: colleague.id, c.keys, connection)
            )
        }
        let notices = try notices(
            "covers.notice", for: told, names, from: cover.startsAt, until: cover.endsAt,
            days: (draft.from, draft.until), c)
        let change = try c.change(
            of: try therapist.key(c.keys),
            to: [
                "colleague": names.colleague, "from": draft.from.text, "until": draft.until.text,
                "access": draft.access.rawValue,
                "shares_alias": draft.sharesAlias ? "true" : nil,
                "patients": draft.patients == nil ? "all" : told.map(\.codename).joined(separator: ", "),
            ])
        let absence: ID<AbsenceRecord>? = withAbsence ? c.newID() : nil
        try c.write(.coverMade, about: giver?.id, object: cover.id, change: change) {
            [now = c.now, dates = c.dates] connection in
            try Colleagues.require(colleague.id, field: "colleague_email", connection)
            // A therapy may have been handed over, or ended, meanwhile.
            let present = try patients(draft.patients, of: therapist.id, connection)
            try requireFree(cover, Set(present.map(\.id)), dates, connection)
            try SharingStore.insert(cover, patients: draft.patients ?? [], at: now, connection)
            if let absence {
                try AbsenceActions.insert(beside: cover, id: absence, at: now, dates, connection)
            }
            for notice in notices { try NoticeStore.insert(notice, at: now, connection) }
        }
        return cover.id
    }

    /// Ends it at once, even before its first day. Ending it twice is harmless.
    static func end(_ id: ID<CoverRecord>, _ c: Context<Member>) throws {
        let therapist = c.proof.account
        let found = try c.read { connection in
            try SharingStore.cover(id, by: therapist.id, connection).map {
                (
                    $0, try SharingStore.patients(of: $0, connection),
                    try TherapistStore.name(of: $0.therapistID, c.keys, connection),
                    try TherapistStore.name(of: $0.colleagueID, c.keys, connection)
                )
            }
        }
        guard let (cover, told, from, to) = found else { throw Problem.notFound }
        if cover.isOver(at: c.now) { return }
        let notices = try notices(
            "covers.notice_ended", for: told, (from, to), from: c.now, until: nil,
            days: (cover.startsOn, cover.endsOn), c)
        try c.write(.coverEnded, object: id) { [now = c.now] connection in
            guard let present = try SharingStore.cover(id, by: therapist.id, connection) else {
                throw Problem.notFound
            }
            if present.endedAt != nil { return }
            try SharingStore.end(id, at: now, connection)
            for notice in notices { try NoticeStore.insert(notice, at: now, connection) }
        }
    }

    /// The running therapies of a therapist, all or those named.
    /// - Throws: `Problem.invalid` for any other.
    private static func patients(
        _ named: [ID<Therapy>]?, of therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> [Therapy] {
        let own = try TherapyStore.caseload(of: therapist, connection).filter { $0.endedAt == nil }
        guard let named else { return own }
        let byID = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0) })
        return try named.enumerated().map { index, id in
            guard let therapy = byID[id] else {
                throw Problem.invalid("patients.\(index)", "covers.not_yours")
            }
            return therapy
        }
    }

    /// A patient has one cover at a time, so that it is clear whom to turn to.
    private static func requireFree(
        _ cover: CoverRecord, _ patients: Set<ID<Therapy>>, _ dates: DateFormat,
        _ connection: borrowing Connection
    ) throws {
        for other in try SharingStore.covers(by: cover.therapistID, connection)
        where other.endedAt == nil && other.startsAt < cover.endsAt && cover.startsAt < other.endsAt {
            let theirs = try SharingStore.patients(of: other, connection).map(\.id)
            let both = (cover.isForAll && other.isForAll) || !patients.isDisjoint(with: theirs)
            guard both else { continue }
            throw Problem.invalid(
                "from", "covers.overlap",
                ["from": dates.day(other.startsOn), "until": dates.day(other.endsOn)])
        }
    }

    /// The notices to paired patients.
    private static func notices(
        _ key: String, for therapies: [Therapy], _ names: (therapist: String, colleague: String),
        from: Instant, until: Instant?, days: (from: LocalDate, until: LocalDate), _ c: Context<Member>
    ) throws -> [NewNotice] {
        let words = SharingNotices.cover(
            key, therapist: names.therapist, colleague: names.colleague, days: days, c)
        return try therapies.compactMap { therapy in
            guard let id = therapy.accountID, let account = try c.read({ try AccountStore.find(id, $0) })
            else { return nil }
            return try NewNotice(
                .cover, words, to: try account.key(c.keys), id: c.newID(), from: from, until: until)
        }
    }
}

extension AuditAction {
    static let coverMade = AuditAction(name: "cover.made")
    static let coverEnded = AuditAction(name: "cover.ended")
}
