import HTTP
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// The own measurements of phones and watches (FB-2).
package enum OwnHealthPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, show)
        routes.page(.post, path + "/goals", .patient, setGoals)
        routes.page(.post, path + "/sleeps", .patient, addSleep)
        routes.page(.post, path + "/sleeps/:entry/removal", .patient, removeSleep)
        routes.page(.post, path + "/activities/:entry/removal", .patient, removeActivity)
        routes.page(.post, path + "/days/:type/:date/:source/removal", .patient, removeDay)
    }

    static let path = "/my/health"

    package struct Show: Page {
        package static let template = "my/health"
        package static let section: NavigationItem? = .more

        let view: HealthView
        let newID: ID<HealthEntry>
        let sleepFields: [FieldView]
        let goalFields: [FieldView]
        let opensSleep: Bool
        let opensGoals: Bool
        let healthStyles: String
        /// Whether the clinic has set up any provider of measurements.
        let hasProviders: Bool
        let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private enum Part { case sleep, goals }

    private static func page(_ filled: FormState, _ c: Context<Member>, opens part: Part? = nil) throws
        -> Show
    {
        let account = c.proof.account
        let dates = c.dates(in: Zone(account.timezone))
        let choice = HealthChoice(c.request.query, today: dates.today)
        let key = try account.key(c.keys)
        let (view, wishes, providers) = try c.read { connection in
            // Types with data, types that can be entered, and the requested one.
            let known = try MeasurementDayStore.types(of: account.id, connection).union(["steps", "sleep"])
            let measures = HealthChoice.measures.filter {
                known.contains($0.rawValue) || $0 == .activities || $0 == choice.measure
            }
            let reader = HealthReader(
                account: account, key: key, texts: c.texts, dates: dates, choice: choice, path: path,
                now: c.now, isOwn: true, measures: measures, visible: choice.first...choice.last)
            return (
                try reader.view(connection), try GoalStore.find(of: account.id, connection),
                try c.services.providers(for: account.id, connection)
            )
        }
        return Show(
            view: view, newID: c.newID(), sleepFields: sleepFields(filled, dates),
            goalFields: goalFields(filled, wishes, providers, c.texts), opensSleep: part == .sleep,
            opensGoals: part == .goals,
            healthStyles: c.services.assets.alone("health"),
            hasProviders: providers.contains(where: \.isOffered), errors: filled.summary)
    }

    private static func sleepFields(_ filled: FormState, _ dates: DateFormat) -> [FieldView] {
        [("starts_at", "health.sleep_from"), ("ends_at", "health.sleep_until")].map { name, label in
            filled.moment(name, label: label, dates, required: true)
        }
    }

    private static func goalFields(
        _ filled: FormState, _ wishes: HealthWishes, _ providers: [MeasurementProvider], _ texts: Texts
    ) -> [FieldView] {
        let goals = [
            ("steps_per_day", "health.steps_per_day", wishes.goals.stepsPerDay),
            ("sleep_minutes", "health.sleep_minutes", wishes.goals.sleepMinutes),
        ].map { name, label, value in
            filled.field(name, .whole, label: label, first: value.map(String.init) ?? "")
        }
        let words = HealthFormatter(texts: texts)
        // A chosen provider stays visible, also when the clinic no longer offers it.
        let absent = Set(providers.filter { !$0.isOffered }.map(\.name))
            .subtracting(wishes.sources.map(\.rawValue))
        let sources = MeasurementSource.allCases.filter { !absent.contains($0.rawValue) }.map {
            (value: $0.rawValue, label: words.source($0))
        }
        let preferred = filled.list(
            "source", label: "health.preferred", first: wishes.sources.first?.rawValue ?? "",
            hint: "health.preferred_hint", none: "health.any", sources)
        return goals + [preferred]
    }

    // MARK: Changes

    @Sendable static func setGoals(_ c: Context<Member>) throws -> Reply {
        try c.revise(orShow: { try page($0, c, opens: .goals) }) { fields in
            let source = fields.choice("source", from: MeasurementSource.names).flatMap(
                MeasurementSource.init)
            let goals = try GoalAPI.read(fields)
            try GoalAPI.save(c) { wishes in
                wishes.goals = goals
                wishes.sources = source.map { [$0] } ?? []
            }
            return .seeOther(path, flash: Message("health.goals_saved"))
        }
    }

    @Sendable static func addSleep(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c, opens: .sleep) }) { fields in
            guard let id = ID<HealthEntry>(uuid: fields.form["id"]) else {
                throw Problem.invalid("id", "errors.id")
            }
            let zone = Zone(c.proof.account.timezone)
            let begin = fields.moment("starts_at", zone, required: true)
            let end = fields.moment("ends_at", zone, required: true)
            var errors = fields.errors
            let sleep = Sleep(startsAt: begin ?? c.now, endsAt: end ?? c.now, origin: "manual")
            if begin != nil, end != nil { errors.add(sleep.problems(now: c.now)) }
            guard errors.isEmpty else { throw Problem.invalid(errors) }
            _ = try HealthRecordActions.keep(sleep, id, c)
            return .seeOther(path + "?type=sleep", flash: Message("health.sleep_saved"))
        }
    }

    private static func entry(_ c: Context<Member>) throws -> ID<HealthEntry> {
        guard let id = ID<HealthEntry>(uuid: c.places["entry"]) else { throw Problem.notFound }
        return id
    }

    @Sendable static func removeSleep(_ c: Context<Member>) throws -> Reply {
        try HealthRecordActions.delete(Sleep.self, try entry(c), c)
        return .seeOther(path + "?type=sleep", flash: Message("health.removed"))
    }

    @Sendable static func removeActivity(_ c: Context<Member>) throws -> Reply {
        try HealthRecordActions.delete(Activity.self, try entry(c), c)
        return .seeOther(path + "?type=activities", flash: Message("health.removed"))
    }

    @Sendable static func removeDay(_ c: Context<Member>) throws -> Reply {
        guard let type = MeasurementType(rawValue: c.places["type"] ?? ""),
            let date = LocalDate(c.places["date"] ?? ""),
            let source = MeasurementSource(rawValue: c.places["source"] ?? "")
        else { throw Problem.notFound }
        try MeasurementDayAPI.delete(type, date, source, c)
        return .seeOther("\(path)?type=\(type.rawValue)&to=\(date.text)", flash: Message("health.removed"))
    }
}
