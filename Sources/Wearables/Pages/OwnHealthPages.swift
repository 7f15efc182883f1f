import HTTP
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// What somebody's phone and watch have measured, for themselves (FB-2).
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

        package static let example = Show(
            view: .example, newID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            sleepFields: [FieldView(name: "starts_at", label: "Eingeschlafen", type: "datetime-local")],
            goalFields: [FieldView(name: "steps_per_day", label: "Schritte am Tag")], opensSleep: false,
            opensGoals: false, healthStyles: "/assets/health.css", hasProviders: true,
            errors: nil)
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
            // What there is, what can be entered, and what was asked for.
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
            view: view, newID: c.newID(), sleepFields: sleepFields(filled),
            goalFields: goalFields(filled, wishes, providers, c.texts), opensSleep: part == .sleep,
            opensGoals: part == .goals,
            healthStyles: c.services.assets.alone("health"),
            hasProviders: providers.contains(where: \.isOffered), errors: filled.summary)
    }

    private static func sleepFields(_ filled: FormState) -> [FieldView] {
        ["starts_at": "health.sleep_from", "ends_at": "health.sleep_until"].sorted { $0.key > $1.key }.map {
            var field = filled.field($0.key, label: $0.value)
            field.type = "datetime-local"
            field.isRequired = true
            return field
        }
    }

    private static func goalFields(
        _ filled: FormState, _ wishes: HealthWishes, _ providers: [MeasurementProvider], _ texts: Texts
    ) -> [FieldView] {
        let goals = [
            ("steps_per_day", "health.steps_per_day", wishes.goals.stepsPerDay),
            ("sleep_minutes", "health.sleep_minutes", wishes.goals.sleepMinutes),
        ].map { name, label, value in
            var field = filled.field(name, label: label, first: value.map(String.init) ?? "")
            field.inputMode = "numeric"
            return field
        }
        let words = HealthWords(texts: texts)
        // What was chosen stays to be seen, also where the clinic has ended it.
        let absent = Set(providers.filter { !$0.isOffered }.map(\.name))
            .subtracting(wishes.sources.map(\.rawValue))
        let sources = MeasurementSource.allCases.filter { !absent.contains($0.rawValue) }.map {
            (value: $0.rawValue, label: words.source($0))
        }
        var preferred = filled.list(
            "source", label: "health.preferred", first: wishes.sources.first?.rawValue ?? "",
            [(value: "", label: texts["health.any"])] + sources)
        preferred.hint = texts["health.preferred_hint"]
        return goals + [preferred]
    }

    // MARK: Changes

    @Sendable static func setGoals(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let source = fields.choice("source", from: MeasurementSource.names).flatMap(
                MeasurementSource.init)
            let goals = try GoalAPI.read(fields)
            try GoalAPI.save(c) { wishes in
                wishes.goals = goals
                wishes.sources = source.map { [$0] } ?? []
            }
            return .seeOther(path, flash: Message("health.goals_saved"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c, opens: .goals), status: 422)
        }
    }

    @Sendable static func addSleep(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            guard let id = ID<HealthEntry>(uuid: form["id"]) else { throw Problem.invalid("id", "errors.id") }
            let fields = InputReader(form: form)
            let zone = Zone(c.proof.account.timezone)
            let begin = fields.moment("starts_at", zone, required: true)
            let end = fields.moment("ends_at", zone, required: true)
            var errors = fields.errors
            let sleep = Sleep(startsAt: begin ?? c.now, endsAt: end ?? c.now, origin: "manual")
            if begin != nil, end != nil { errors.add(sleep.problems(now: c.now)) }
            guard errors.isEmpty else { throw Problem.invalid(errors) }
            _ = try HealthRecordActions.keep(sleep, id, c)
            return .seeOther(path + "?type=sleep", flash: Message("health.sleep_saved"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c, opens: .sleep), status: 422)
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
