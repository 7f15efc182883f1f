import HTTP
import Identity
import Scheduling
import Web
import Wire

/// Single values and figures over the API.
enum MeasurementAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .put, "/my/measurements", .patient,
            .one(
                "File single values into their days; the same id again replaces one. A value that is refused is named with its reason, and the others are filed; 422 where none is good",
                FiledMeasurements.self,
                takes: .object([
                    Schema.property(
                        "items",
                        .list(
                            .object([
                                Schema.property("id", .id),
                                Schema.property("type", .choice(MeasurementType.names)),
                                Schema.property("starts_at", .time), Schema.property("ends_at", .time),
                                Schema.property("value", .number),
                                Schema.property("source", .choice(MeasurementSource.names)),
                            ])))
                ])), put)
        routes.call(
            .get, "/my/measurements", .patient,
            .many(
                "Figures of a type by day, or the means of its days by month", Measurement.self,
                query: ["type", "from", "to", "resolution"]), index)
        routes.call(
            .get, "/my/measurements/latest", .patient,
            .many("The newest figure of each type", LatestMeasurement.self), latest)
        routes.call(
            .get, "/my/heart-days", .patient,
            .many("What the heart did, day by day", HeartDay.self, query: ["from", "to"]), heartDays)
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let sent = try SentValues(try c.body(), Zone(account.timezone), now: c.now)
        try sent.check()
        guard !sent.good.isEmpty else { return try .data(One(FiledMeasurements(days: 0))) }
        do {
            let (days, values) = try c.write(.dayMeasured, about: account.id) { [now = c.now] connection in
                let filing = try Filing(sent, of: account, c.keys, at: now, connection)
                // Repeated values need no line in the audit log.
                guard filing.days > 0 else { throw Unchanged(values: filing.values) }
                return (filing.days, filing.values)
            }
            return try answer(days: days, values, c)
        } catch let unchanged as Unchanged {
            return try answer(days: 0, unchanged.values, c)
        }
    }

    private static func answer(days: Int, _ values: SentValues, _ c: Context<Member>) throws -> Reply {
        try .data(One(FiledMeasurements(days: days, refused: values.told(c.texts))))
    }

    /// Thrown out of a write that would change nothing.
    private struct Unchanged: Error {
        let values: SentValues
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let fields = InputReader(form: c.request.query)
        let resolution = fields.choice("resolution", from: Measurement.resolutions)
        let stretch = try DayStretch(fields, today: LocalTime(c.now, Zone(account.timezone)).date)
        let days = try c.read { connection in
            try MeasurementDays.chosen(
                stretch.type, of: account.id, from: stretch.from, to: stretch.to, connection)
        }
        let figures = DayFigures(stretch.type, days, today: nil)
        let list = resolution == "month" ? figures.monthly : figures.daily
        let (part, next) = paging.part(of: list, .earliestFirst) {
            Position(number: $0.date.daysSince1970, $0.date.text)
        }
        return try .data(
            Many(
                part.map { Item(id: "\($0.type.rawValue)/\($0.date.text)", $0) }, total: list.count,
                next: next))
    }

    @Sendable static func latest(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let found = try c.read { connection in
            let order = try GoalStore.find(of: account, connection).sources
            return try MeasurementType.allCases.compactMap { type in
                MeasurementDays.chosen(
                    try MeasurementDayStore.latest(type, of: account, connection), order: order)
            }
        }
        let items = found.compactMap { day in
            day.value.map { value in
                Item(
                    id: day.type.rawValue,
                    LatestMeasurement(
                        type: day.type, value: value, source: day.source, measuredAt: day.lastAt,
                        receivedAt: day.receivedAt))
            }
        }
        return try .data(paging.part(of: items))
    }

    @Sendable static func heartDays(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let fields = InputReader(form: c.request.query)
        let today = LocalTime(c.now, Zone(account.timezone)).date
        let to = fields.date("to") ?? today
        let from = fields.date("from") ?? to.adding(days: -27)
        if from > to { fields.refuse("from", "health.order") }
        try fields.finish()
        let days = try c.read { try HeartDays.all(of: account.id, from: from, to: to, $0) }
        let (part, next) = paging.part(of: days, .earliestFirst) {
            Position(number: $0.date.daysSince1970, $0.date.text)
        }
        return try .data(Many(part.map { Item(id: $0.date.text, $0) }, total: days.count, next: next))
    }
}
