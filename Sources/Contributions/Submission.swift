import JSON
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// An answer sheet as a device sends it, with its outer fields read. Made only by reading.
package struct Submission: Sendable {
    /// The subject of a sheet: exactly one.
    package enum Reason: Sendable, Equatable {
        case assignment(ID<Assignment>)
        /// A questionnaire of a study, in the version that the device showed.
        case study(ID<Study>, questionnaire: ID<QuestionnaireVersion>)
        /// A daily that the device planned itself, by the clock of a zone; of the sheet's where none is named.
        case daily(questionnaire: ID<QuestionnaireVersion>, from: Instant, due: Instant, zone: String?)
        /// A sheet from paper, entered by staff.
        case paper
    }

    package let reason: Reason
    package var startedAt: Instant
    package var completedAt: Instant
    package let zone: DeviceZone
    package let answers: JSON?
    /// The questions with times of their own.
    package var answeredAt: [String] = []
    /// The sensors that bring values: `gps`, `microphone`.
    package var sensors: [String] = []
    /// Which of a study's questionnaires it answers, where it says so (ST-1).
    package var item: String?
    /// What it is about, where its participant has noted that with a button (ST-2).
    package var event: ID<StudyEvent>?
    /// The sensors that the device denied.
    package var refusedSensors: [String] = []
    /// Times of single answers and sensors, in canonical form; nil when none were sent.
    package var details: [UInt8]?

    package init(
        reason: Reason, startedAt: Instant, completedAt: Instant, zone: DeviceZone, answers: JSON?,
        answeredAt: [String] = [], sensors: [String] = [], details: [UInt8]? = nil
    ) {
        self.reason = reason
        self.startedAt = startedAt
        self.completedAt = completedAt
        self.zone = zone
        self.answers = answers
        self.answeredAt = answeredAt
        self.sensors = sensors
        self.details = details
    }

    /// A sheet in a known zone.
    package init(
        reason: Reason, startedAt: Instant, completedAt: Instant, timezone: String, answers: JSON?,
        details: [UInt8]? = nil
    ) {
        self.init(
            reason: reason, startedAt: startedAt, completedAt: completedAt, zone: DeviceZone(name: timezone),
            answers: answers, details: details)
    }

    /// Clocks of phones are fast or slow: up to five minutes in the future counts as now, up to five minutes before
    /// its window as its opening.
    package static let clockSlackSeconds: Int64 = 300

    /// - Parameter zone: the account's, which counts where the device's is unknown.
    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, zone: String) throws(Problem) -> Submission {
        let reason = reason(fields)
        let start = fields.time("started_at", required: true)
        let end = fields.time("completed_at", required: true)
        if fields.value("timezone") == nil { fields.refuse("timezone", "errors.required") }
        let told = fields.deviceZone("timezone", or: zone)
        if let start, let end, end < start { fields.refuse("completed_at", "errors.ends_before_start") }
        let answers = fields.value("answers")
        if answers == nil { fields.refuse("answers", "errors.required") }
        let details = SubmissionDetails(fields)
        let item: ID<StudyQuestionnaire>? = fields.id("item_id")
        let event: ID<StudyEvent>? = fields.id("event_id")
        if event != nil, fields.value("study_id") == nil {
            fields.refuse("event_id", "answers.event_of_study")
        }
        let refused = fields.value("sensors_refused")?.array?.compactMap(\.string) ?? []
        try fields.finish()
        guard let reason, let start, let end, let told else { throw .invalid(fields.errors) }
        var submission = Submission(
            reason: reason, startedAt: start, completedAt: end, zone: told, answers: answers,
            answeredAt: details.answeredAt, sensors: details.sensors, details: details.bytes)
        submission.refusedSensors = refused
        submission.item = item?.text
        submission.event = event
        return submission
    }

    /// Exactly one reason: an assignment, a study, or a daily the device planned itself.
    private static func reason(_ fields: InputReader) -> Reason? {
        let reasons = ["assignment_id", "study_id", "daily"].filter { fields.value($0) != nil }
        let isStudy = reasons == ["study_id"]
        let study: ID<Study>? = fields.id("study_id")
        let questionnaire: ID<QuestionnaireVersion>? = fields.id("questionnaire_id", required: isStudy)
        let assignment: ID<Assignment>? = fields.id("assignment_id")
        let daily = reasons == ["daily"] ? daily(fields) : nil
        if reasons.count != 1 {
            fields.refuse("assignment_id", "answers.one_reason")
        } else if !isStudy, questionnaire != nil {
            fields.refuse("questionnaire_id", "answers.no_questionnaire_id")
        }
        if let study, let questionnaire, isStudy { return .study(study, questionnaire: questionnaire) }
        return assignment.map { .assignment($0) } ?? daily
    }

    private static func daily(_ fields: InputReader) -> Reason? {
        guard let inner = fields.object("daily") else { return nil }
        let questionnaire: ID<QuestionnaireVersion>? = inner.id("questionnaire_id", required: true)
        let from = inner.time("available_from", required: true)
        let due = inner.time("due_at", required: true)
        let zone = inner.value("timezone")?.string.flatMap { ZoneData.current.knows($0) ? $0 : nil }
        if let from, let due {
            let length = due.seconds - from.seconds
            if length <= 0 { inner.refuse("due_at", "errors.ends_before_start") }
            if length > DailyPlan.openSeconds { inner.refuse("due_at", "answers.daily_long") }
        }
        fields.adopt(inner)
        guard let questionnaire, let from, let due else { return nil }
        return .daily(questionnaire: questionnaire, from: from, due: due, zone: zone)
    }
}

/// The optional parts of a sheet: when each question was answered, and sensors (TYS-7).
package struct SubmissionDetails {
    let bytes: [UInt8]?
    let answeredAt: [String]
    let sensors: [String]

    private struct Document: Encodable {
        let answered_at: JSON?
        let sensors: JSON?
    }

    init(_ fields: InputReader) {
        let times = fields.value("answered_at")
        let sensors = fields.value("sensors")
        if case .object(let members)? = times { answeredAt = members.map(\.key) } else { answeredAt = [] }
        if let times { Self.check(times: times, fields) }
        if let sensors { Self.check(sensors: sensors, fields) }
        if case .object(let members)? = sensors {
            self.sensors = members.filter { $0.value.array?.isEmpty == false }.map(\.key)
        } else {
            self.sensors = []
        }
        bytes = try? Self.bytes(times: times, sensors: sensors)
    }

    /// In canonical form; nil when empty.
    static func bytes(times: JSON?, sensors: JSON?) throws -> [UInt8]? {
        if times == nil && sensors == nil { return nil }
        return try JSONWriter.bytes(of: Document(answered_at: times, sensors: sensors))
    }

    package static func check(times: JSON, _ fields: InputReader) {
        guard case .object(let members) = times else { return fields.refuse("answered_at", "errors.object") }
        for member in members where member.value != .null {
            if member.value.string.flatMap({ Instant($0) }) == nil {
                fields.refuse("answered_at." + member.key.prefix(60), "errors.time")
            }
        }
    }

    /// The parts of a reading: its numbers with their ranges, and which are required beside the time.
    private static let readings: [String: [(name: String, range: ClosedRange<Double>, isRequired: Bool)]] = [
        "gps": [
            ("latitude", -90...90, true), ("longitude", -180...180, true),
            ("altitude", -1_000...100_000, false),
        ],
        "microphone": [("amplitude", -1e9...1e9, true)],
    ]
    private static let readingLimit = 1_000

    private static func check(sensors: JSON, _ fields: InputReader) {
        guard case .object(let members) = sensors else { return fields.refuse("sensors", "errors.object") }
        for member in members {
            let place = "sensors." + member.key.prefix(60)
            guard let names = readings[member.key] else {
                fields.refuse(place, "errors.unknown_field")
                continue
            }
            guard let values = member.value.array else {
                fields.refuse(place, "answers.list")
                continue
            }
            guard values.count <= readingLimit else {
                fields.refuse(place, "answers.readings", ["limit": String(readingLimit)])
                continue
            }
            for (index, value) in values.enumerated() {
                check(reading: value, names, "\(place).\(index)", fields)
            }
        }
    }

    private static func check(
        reading: JSON, _ names: [(name: String, range: ClosedRange<Double>, isRequired: Bool)],
        _ place: String,
        _ fields: InputReader
    ) {
        guard case .object(let members) = reading else { return fields.refuse(place, "errors.object") }
        for member in members
        where member.key != "measured_at" && !names.contains(where: { $0.name == member.key }) {
            fields.refuse("\(place).\(member.key.prefix(60))", "errors.unknown_field")
        }
        for (name, range, isRequired) in names {
            switch reading[name] {
            case nil, .null: if isRequired { fields.refuse("\(place).\(name)", "errors.required") }
            case .number(let value)?:
                if !range.contains(value) { fields.refuse("\(place).\(name)", "answers.out_of_range") }
            default: fields.refuse("\(place).\(name)", "errors.number")
            }
        }
        if reading["measured_at"]?.string.flatMap({ Instant($0) }) == nil {
            fields.refuse("\(place).measured_at", "errors.time")
        }
    }
}

extension QuestionnaireDefinition {
    /// Answers in the one form that is stored and compared: every question in order, null without an answer.
    package func canonical(_ answers: Answers) throws -> [UInt8] {
        try JSONWriter.bytes(of: Ordered(questions.map { (key: $0.key, value: answers[$0.key]) }))
    }
}
