import Records
import Web
import Wire
import Wording

/// A new patient as entered by the therapist. Made only by reading.
package struct PatientDraft: Sendable {
    /// Nil for a random one.
    package let codename: String?
    package let note: String?
    /// A name for the therapist's eyes (PR-6).
    package let alias: String?
    /// A study to be offered when the patient pairs.
    package let studyID: ID<Study>?
    /// Nil for the day of pairing.
    package let startedOn: LocalDate?
    /// Planned.
    package let endsOn: LocalDate?

    static let noteLimit = 500
    static let aliasLimit = 60

    /// - Throws: `Problem.invalid`, also when the therapy would end before it starts.
    package static func read(_ fields: InputReader) throws(Problem) -> PatientDraft {
        let codename = fields.text("codename", limit: 20)
        let isSent = fields.value("codename") != nil
        if isSent && !Codename.isValid(codename ?? "") { fields.refuse("codename", "errors.codename") }
        let note = fields.text("note", limit: noteLimit, lines: true)
        let alias = fields.text("alias", limit: aliasLimit)
        let study: ID<Study>? = fields.id("study_id")
        let start = fields.date("therapy_started_on")
        let end = fields.date("therapy_ends_on")
        if let start, let end, end < start { fields.refuse("therapy_ends_on", "errors.ends_before_start") }
        try fields.finish()
        return PatientDraft(
            codename: codename, note: note, alias: alias, studyID: study, startedOn: start, endsOn: end)
    }

    private init(
        codename: String?, note: String?, alias: String?, studyID: ID<Study>?, startedOn: LocalDate?,
        endsOn: LocalDate?
    ) {
        self.codename = codename
        self.note = note
        self.alias = alias
        self.studyID = studyID
        self.startedOn = startedOn
        self.endsOn = endsOn
    }
}

/// A therapist's change of a patient's data; an outer nil means "not sent", an inner one "emptied".
package struct PatientChange: Sendable {
    package let note: String??
    package let alias: String??
    package let startedOn: LocalDate??
    package let endsOn: LocalDate??

    /// - Throws: `Problem.invalid`, also when the therapy would end before it starts.
    package static func read(_ fields: InputReader, of therapy: Therapy) throws(Problem) -> PatientChange {
        let note = fields.text("note", limit: PatientDraft.noteLimit, lines: true)
        let alias = fields.text("alias", limit: PatientDraft.aliasLimit)
        let startedOn = fields.date("therapy_started_on")
        let endsOn = fields.date("therapy_ends_on")
        let hasStart = fields.has("therapy_started_on")
        let start = hasStart ? startedOn : therapy.startedOn
        let end = fields.has("therapy_ends_on") ? endsOn : therapy.endsOn
        if let start, let end, end < start { fields.refuse("therapy_ends_on", "errors.ends_before_start") }
        if hasStart, let start, let ended = therapy.endedOn, ended < start {
            fields.refuse("therapy_started_on", "errors.starts_after_end")
        }
        try fields.finish()
        return PatientChange(
            note: fields.has("note") ? .some(note) : nil, alias: fields.has("alias") ? .some(alias) : nil,
            startedOn: hasStart ? .some(startedOn) : nil,
            endsOn: fields.has("therapy_ends_on") ? .some(endsOn) : nil)
    }

    private init(note: String??, alias: String??, startedOn: LocalDate??, endsOn: LocalDate??) {
        self.note = note
        self.alias = alias
        self.startedOn = startedOn
        self.endsOn = endsOn
    }
}

package enum Alias {
    /// Whether it holds more than is needed to recognise the file: a date, as of a birth, or a year. It is accepted
    /// all the same, because it is stored sealed.
    package static func isMore(_ text: String) -> Bool {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }
        return numbers.count >= 3
            || numbers.contains { $0.count == 4 && ($0.hasPrefix("19") || $0.hasPrefix("20")) }
    }
}
