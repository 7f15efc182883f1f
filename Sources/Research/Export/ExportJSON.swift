import Contributions
import Instruments
import JSON
import Questionnaires
import Records
import Scheduling
import Studies
import Therapies
import Web
import Wire

/// The study, its questionnaires as published, and every occasion; the manifest is at the end.
struct ExportJSON: ExportWriter {
    private let codebook: [JSON]
    private var people: [Person] = []
    private var events: [Event] = []
    private var isFirst = true

    init(_ codebook: [JSON]) { self.codebook = codebook }

    private struct Person: Encodable, Sendable {
        let participant: String
        let state: String
        let arm: String?
        let site: String?
        let consent_version: Int
        let enrolled_on: LocalDate?
        let left_on: LocalDate?
    }

    /// What was noted with a button, also where nothing was filled in about it.
    private struct Event: Encodable, Sendable {
        let participant: String
        let questionnaire: String
        let item_id: String
        let event: String
        let started_at: Instant
        let ended_at: Instant?
        let timezone: String
        let is_answered: Bool
    }

    private struct Line: Encodable, Sendable {
        let participant: String
        let questionnaire: String
        let version: Int?
        let occasion: Int
        let prompted_at: Instant?
        let started_at: Instant?
        let completed_at: Instant?
        let prompt_state: String?
        let item_id: String?
        /// Null without one.
        let time_point: String?
        /// Null without a sheet.
        let answered_together: Bool?
        /// Null for a sheet about no event.
        let event_started_at: Instant?
        let event_ended_at: Instant?
        let timezone: String?
        /// Entered by staff.
        let is_paper: Bool?
        /// The version of the consent text it was given under.
        let consent_version: Int?
        let answers: JSON?
        /// When each question was answered, and readings of sensors.
        let details: StoredJSON?
        let scores: Ordered<Double>?
    }

    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws {
        let name = try JSONWriter.bytes(of: JSON.string(study.name))
        try sink.write("{\"format\":\"intersession-study/1\",\"study\":")
        try sink.write(name)
        try sink.write(",\"exported_at\":\"\(now.text)\",\"questionnaires\":")
        try sink.write(try JSONWriter.bytes(of: JSON.array(codebook)))
        try sink.write(",\"occasions\":[")
    }

    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws {
        people.append(
            Person(
                participant: enrolment.codename, state: enrolment.state.rawValue,
                arm: enrolment.arm?.rawValue, site: enrolment.site,
                consent_version: enrolment.consentVersion, enrolled_on: enrolment.day,
                left_on: enrolment.leftAt.map { LocalTime($0, enrolment.zone).date }))
    }

    mutating func note(_ noted: [StudyEventRecord], of person: ParticipantPrompts) {
        events += noted.compactMap { event in
            guard let item = person.all.items.first(where: { $0.id == event.itemID }) else { return nil }
            return Event(
                participant: person.enrolment.codename, questionnaire: item.key, item_id: item.id.text,
                event: item.event?.rawValue ?? "", started_at: event.startedAt, ended_at: event.endedAt,
                timezone: event.zone.name, is_answered: event.sheet != nil)
        }
    }

    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws {
        if !isFirst { try sink.write(",\n") }
        isFirst = false
        let sheet = row.sheet
        try sink.write(
            try JSONWriter.bytes(
                of: Line(
                    participant: row.participant, questionnaire: row.questionnaire,
                    version: sheet?.questionnaire.version, occasion: row.occasion, prompted_at: row.prompt,
                    started_at: row.tellsWay ? sheet?.record.startedAt : nil,
                    completed_at: row.completedAt,
                    prompt_state: row.state?.rawValue, item_id: row.item?.text,
                    time_point: row.item?.timePoint,
                    answered_together: sheet.flatMap { _ in row.isTogether },
                    event_started_at: row.event?.startedAt, event_ended_at: row.event?.endedAt,
                    timezone: row.timezone, is_paper: row.tellsWay ? sheet?.record.isPaper : nil,
                    consent_version: sheet?.record.consentVersion,
                    answers: sheet?.answers, details: sheet?.details,
                    scores: sheet.map { Ordered($0.scores.map { (key: $0.scale, value: $0.value) }) })))
    }

    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws {
        try sink.write("],\"participants\":")
        try sink.write(try JSONWriter.bytes(of: people))
        try sink.write(",\"events\":")
        try sink.write(try JSONWriter.bytes(of: events))
        try sink.write(",\"manifest\":")
        try sink.write(try JSONWriter.bytes(of: manifest))
        try sink.write("}\n")
    }
}
