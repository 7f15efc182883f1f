import Database
import HTTP
import Identity
import JSON
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Days of phones and watches over the API (FB-2, FB-4).
enum MeasurementDayAPI {
    static func routes(_ routes: inout Routes) {
        let type = MeasurementDay.self
        let path = "/my/measurement-days"
        routes.call(
            .get, path, .patient,
            .many(
                "Measured days of a type, one of each date; source=all: every source", type,
                query: ["type", "from", "to", "source"]), index)
        let one = path + "/:type/:date"
        routes.call(
            .get, one, .patient, .one("A measured day with its series", type, query: ["source"]), show)
        routes.call(
            .put, one, .patient,
            .one(
                "Keep a day whole: it takes the place of what this source said of it before", type,
                status: 201, takes: MeasurementDay.sent), put)
        routes.call(
            .delete, one, .patient, .nothing("Delete a day of one source", query: ["source"]), destroy)
        routes.call(
            .get, "/patients/:patient/measurement-days", .caseloadReader,
            .many(
                "Measured days that a patient shows; none where they show none", type,
                query: ["type", "from", "to"]), shared)
    }

    private static func place(_ c: Context<Member>) throws -> (MeasurementType, LocalDate) {
        guard let type = MeasurementType(rawValue: c.places["type"] ?? "") else { throw Problem.notFound }
        guard let date = LocalDate(c.places["date"] ?? "") else {
            throw Problem.invalid("date", "errors.date")
        }
        return (type, date)
    }

    private static func source(_ c: Context<Member>) throws -> MeasurementSource? {
        let fields = InputReader(form: c.request.query)
        let source = fields.choice("source", from: MeasurementSource.names)
        try fields.finish()
        return source.flatMap(MeasurementSource.init)
    }

    // MARK: Lists

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let fields = InputReader(form: c.request.query)
        let wanted = fields.choice("source", from: MeasurementSource.names + ["all"])
        let stretch = try DayStretch(fields, today: LocalTime(c.now, Zone(account.timezone)).date)
        let days = try c.read { connection in
            guard let wanted else {
                return try MeasurementDays.chosen(
                    stretch.type, of: account.id, from: stretch.from, to: stretch.to, connection)
            }
            return try MeasurementDayStore.all(
                stretch.type, of: account.id, from: stretch.from, to: stretch.to, connection
            ).filter { wanted == "all" || $0.source.rawValue == wanted }
        }
        return try list(days, paging)
    }

    private static func list(_ days: [MeasurementDayRecord], _ paging: Paging) throws -> Reply {
        let newest = Array(days.reversed())
        let (part, next) = paging.part(of: newest) { Position(number: $0.date.daysSince1970, $0.name) }
        return try .data(
            Many(part.map { Item(id: $0.name, $0.wire) }, total: newest.count, next: next))
    }

    @Sendable static func shared(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let stretch = try DayStretch(fields, today: LocalTime(c.now, c.dates.zone).date)
        let days = try c.read { connection in
            try SharedDays(in: c.proof.patient, connection).chosen(
                stretch.type, from: stretch.from, to: stretch.to, connection)
        }
        return try list(days, paging)
    }

    // MARK: One

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (type, date) = try place(c)
        let source = try source(c)
        let account = c.proof.account
        let found = try c.read { connection in
            try with(
                contents: try source.map {
                    try MeasurementDayStore.find(type, date, $0, of: account.id, connection)
                } ?? MeasurementDays.chosen(type, of: account.id, from: date, to: date, connection).first,
                connection)
        }
        return try answer(found, c)
    }

    private static func with(
        contents day: MeasurementDayRecord?, _ connection: borrowing Connection
    ) throws -> (day: MeasurementDayRecord, contents: DayContents)? {
        guard let day else { return nil }
        return (day, try MeasurementDayStore.contents(of: day, connection))
    }

    private static func answer(
        _ found: (day: MeasurementDayRecord, contents: DayContents)?, _ c: Context<Member>, status: Int = 200
    ) throws -> Reply {
        // Deleted by another request in between.
        guard let (day, contents) = found else { throw Problem.notFound }
        var wire = day.wire
        wire.series = try contents.samples(c.proof.account.key(c.keys)).map {
            [Double($0.offset), Double($0.length), $0.value]
        }
        let reply = try Reply.data(One(id: day.name, wire), status: status)
        return Conditional.tagged(reply, revision: day.revision, c.language)
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let (type, date) = try place(c)
        let account = c.proof.account
        let draft = try DayDraft.read(
            try c.body(), type: type, date: date, zone: account.timezone, now: c.now)
        // A phone sends its days again and again: an unchanged one needs no line in the audit log.
        let outcome: MeasurementDays.Outcome
        if try c.read({ try MeasurementDays.knows(draft, of: account, c.keys, at: c.now, $0) }) {
            outcome = .unchanged
        } else {
            outcome = try c.write(.dayMeasured, about: account.id) { [now = c.now] connection in
                try DeletedDayStore.forget(DayName(draft), of: account.id, connection)
                return try MeasurementDays.take(draft, of: account, c.keys, at: now, connection) { revision in
                    try check(c.request, revision, of: draft)
                }
            }
        }
        let found = try c.read { connection in
            try with(
                contents: MeasurementDayStore.find(type, date, draft.source, of: account.id, connection),
                connection)
        }
        return try answer(found, c, status: outcome == .made ? 201 : 200)
    }

    /// The address of a day names no source, but its body does: of several the state of that source is shown.
    /// - Throws: `StaleState`.
    private static func check(_ request: Request, _ revision: Int?, of draft: DayDraft) throws {
        do {
            try check(request, revision)
        } catch Problem.preconditionFailed {
            let path = request.path.joined(separator: "/")
            guard let target = Target("/\(path)?source=\(draft.source.rawValue)") else {
                throw Problem.preconditionFailed
            }
            throw StaleState(target: target)
        }
    }

    /// - Throws: `Problem.preconditionFailed` when the present state is another one.
    private static func check(_ request: Request, _ revision: Int?) throws {
        if request.headers["If-None-Match"] == "*", revision != nil { throw Problem.preconditionFailed }
        if request.headers["If-Match"] != nil {
            try Conditional.requireRevision(request, current: revision, isRequired: false)
        }
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let (type, date) = try place(c)
        guard let source = try source(c) else { throw Problem.invalid("source", "errors.required") }
        try delete(type, date, source, c)
        return .response(.noContent)
    }

    /// The same for the page.
    /// - Throws: `Problem.notFound`, `.preconditionFailed`.
    static func delete(
        _ type: MeasurementType, _ date: LocalDate, _ source: MeasurementSource, _ c: Context<Member>
    ) throws {
        let account = c.proof.account.id
        try c.write(.dayDeleted, about: account) { [request = c.request] connection in
            let known = try MeasurementDayStore.find(type, date, source, of: account, connection)
            guard let known else { throw Problem.notFound }
            try check(request, known.revision)
            try MeasurementDayStore.delete(type, date, source, of: account, connection)
            try OtherDeviceDayStore.removeAll(DayName(known), of: account, connection)
            try DeletedDayStore.note(DayName(known), of: account, connection)
        }
    }
}

/// A type and the requested days; by default the last four weeks.
struct DayStretch {
    let type: MeasurementType
    let from: LocalDate
    let to: LocalDate

    /// Five years and a day.
    private static let longest: Int64 = 1_827

    /// - Throws: `Problem.invalid`.
    init(_ fields: InputReader, today: LocalDate) throws {
        let type = fields.choice("type", from: MeasurementType.names, required: true)
        let to = fields.date("to") ?? today
        let from = fields.date("from") ?? to.adding(days: -27)
        if from > to { fields.refuse("from", "health.order") }
        if to.daysSince1970 - from.daysSince1970 > Self.longest { fields.refuse("from", "health.too_long") }
        try fields.finish()
        guard let type = type.flatMap(MeasurementType.init) else { throw Problem.invalid(fields.errors) }
        self.type = type
        self.from = from
        self.to = to
    }
}

extension AuditAction {
    static let dayMeasured = AuditAction(name: "measurement_day.kept")
    static let dayDeleted = AuditAction(name: "measurement_day.deleted")
}
