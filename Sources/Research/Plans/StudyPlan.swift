import Database
import Instruments
import JSON
import Records
import Studies
import Web
import Wire
import Wording

/// A study's plan as one file: what is asked, when, of which arms, and what is compared. It carries no seed, commitment, sequence, code,
/// password, site or person, and neither days of begin and end nor what has happened (docs/decisions/0060-study-plans.md).
enum StudyPlan {
    static let format = "intersession-study-plan"
    /// Of the file; one of a later version is refused.
    static let version = 1

    /// - Returns: the file of a study, with the questionnaires it asks in the version in use.
    static func file(
        of study: StudyRecord, _ services: Services, _ connection: borrowing Connection
    ) throws -> JSON {
        let items = try StudyItemStore.all(in: study.id, connection)
        let groups = try GroupStore.find(study.id, connection)?.groups
        let keys = items.distinct.map(\.key) + (groups?.ofTherapies ?? [])
        let definitions = try Set(keys).sorted().compactMap { key in
            try QuestionnaireStore.newest(key, services.questionnaires, connection).flatMap {
                try QuestionnaireStore.file($0.id, connection)
            }
        }
        return .object([
            .init("format", .string(format)), .init("version", .number(Double(version))),
            .init("study", try head(study, services)),
            .init("questionnaires", .array(try items.map(item))),
            .init("groups", try groups.map(design) ?? .null),
            .init("definitions", .array(definitions)),
        ])
    }

    /// A consent text goes without the sentences of the house: they come with what they say.
    private static func head(_ study: StudyRecord, _ services: Services) throws -> JSON {
        var draft = StudyDraft(study)
        draft.tellsSessionDates = false
        SessionDatesLine.set(in: &draft, over: study, services)
        ConsentLine.set(tellsGender: false, in: &draft.consent, services)
        return .object([
            .init("name", .string(study.name)), .init("title", try json(study.title)),
            .init("description", try json(study.description)), .init("text", try json(study.text)),
            .init("consent_text", try json(draft.consent)), .init("access", .string(study.access.rawValue)),
            .init("is_private", .bool(study.isPrivate)), .init("is_hidden", .bool(study.isHidden)),
            .init("measurements", .array(study.measurements.map { .string($0.rawValue) })),
            .init("location_reason", try json(study.locationReason)),
            .init("time_points", try json(study.timePoints.map(\.wire))),
            .init("tells_session_dates", .bool(study.tellsSessionDates)),
        ])
    }

    private static func item(_ item: StudyItem) throws -> JSON {
        let wire = item.wire(nil, [])
        return .object([
            .init("questionnaire_key", .string(item.key)),
            .init("time_point", item.timePoint.map { .string($0) } ?? .null),
            .init("position", .number(Double(item.position))), .init("is_active", .bool(wire.isActive)),
            .init("is_onetime", .bool(item.isOnetime)),
            .init("baseline", wire.baseline.map { .string($0) } ?? .null),
            .init("event", wire.event.map { .string($0) } ?? .null),
            .init("is_schedule_changeable", .bool(item.isScheduleChangeable)),
            .init("allows_overnight", .bool(item.allowsOvernight)),
            .init("schedules", try json(wire.schedules)),
            .init("can_use", .array(wire.canUse.map { .string($0.name) })),
            .init("arms", item.arms.isEmpty ? .null : .array(item.arms.map { .string($0.rawValue) })),
        ])
    }

    private static func design(_ groups: TrialDesign) throws -> JSON {
        let outcomes = groups.outcomes.map { outcome in
            StudyDesign.Outcome(
                isPrimary: outcome.isPrimary, questionnaireKey: outcome.key, scale: outcome.scale,
                day: outcome.day, timePoint: outcome.timePoint, value: outcome.value?.rawValue,
                source: outcome.source.rawValue)
        }
        return .object([
            .init("allocation", .string(groups.allocation.rawValue)),
            .init("allocated_at", .string(groups.moment.rawValue)),
            .init("arms", try json(groups.arms.map(\.wire))), .init("size", .number(Double(groups.size))),
            .init("strata", try json(groups.strata.wire)),
            .init("sample_size", .number(Double(groups.sampleSize))), .init("outcomes", try json(outcomes)),
        ])
    }

    private static func json(_ value: some Encodable) throws -> JSON {
        try JSON.parse(try JSONWriter.bytes(of: value)).withoutNull
    }

    /// - Throws: `Problem.invalid` for a file that is none, or of a later version.
    static func check(_ json: JSON) throws(Problem) {
        guard case .object = json, json["format"]?.string == format, let stated = json["version"]?.number
        else {
            throw .invalid("format", "plans.no_plan")
        }
        if Int(exactly: stated).map({ !(1...version).contains($0) }) ?? true {
            throw .invalid("version", "plans.later_version", ["n": String(version)])
        }
        // What nothing reads would be lost without a word.
        let fields = InputReader(json: json)
        for name in fields.names where !members.contains(name) { fields.refuse(name, "errors.unknown_field") }
        for name in ["questionnaires", "definitions"] {
            let list = fields.list(name) ?? []
            if list.count > most { fields.refuse(name, "errors.whole", ["from": "0", "to": String(most)]) }
        }
        refuse(json["study"], "study", but: head, fields)
        if let groups = json["groups"], groups != .null { refuse(groups, "groups", but: design, fields) }
        if !fields.errors.isEmpty { throw .invalid(fields.errors) }
    }

    private static let members = ["format", "version", "study", "questionnaires", "groups", "definitions"]
    private static let head = [
        "name", "title", "description", "text", "consent_text", "access", "is_private", "is_hidden",
        "measurements", "location_reason", "time_points", "tells_session_dates",
    ]
    private static let design = [
        "allocation", "allocated_at", "arms", "size", "strata", "sample_size", "outcomes",
    ]
    /// Of questionnaires in a study.
    private static let most = 500

    /// Members that a call would take and a plan does not have, such as sites and a begin.
    private static func refuse(_ part: JSON?, _ place: String, but known: [String], _ fields: InputReader) {
        guard case .object(let members) = part else { return fields.refuse(place, "errors.object") }
        for member in members where !known.contains(member.key) {
            fields.refuse("\(place).\(member.key)", "errors.unknown_field")
        }
    }
}

extension JSON {
    /// Members without a value say nothing in a plan.
    fileprivate var withoutNull: JSON {
        switch self {
        case .object(let members):
            .object(members.filter { $0.value != .null }.map { .init($0.key, $0.value.withoutNull) })
        case .array(let list): .array(list.map(\.withoutNull))
        default: self
        }
    }
}
