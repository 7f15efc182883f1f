import Database
import Foundation
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// What the fields of a letter stand for. The alias and the emergency contact are no fields: a letter travels.
struct LetterFacts: Sendable {
    /// By field; a fact that is not known says so.
    let facts: [String: String]
    let courses: [TherapyFile.Overview.Course]

    init(_ c: Context<Caseload>, _ connection: borrowing Connection) throws {
        let therapy = c.proof.patient
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        let held = sessions.held
        let unknown = c.texts["letters.fact_unknown"]
        let day = { (date: LocalDate?) in date.map(c.dates.day) ?? unknown }
        let session = { (entry: SessionList.Numbered?) in
            entry.map { c.dates.day($0.session.startsAt) } ?? unknown
        }
        facts = [
            "today": c.dates.day(c.now), "codename": therapy.codename,
            "therapist": try c.proof.therapist.name(c.keys) ?? unknown,
            "therapy_started_on": day(therapy.startedOn), "therapy_ended_on": day(therapy.endedOn),
            "first_session_on": session(held.first), "last_session_on": session(held.last),
            "sessions_held": String(held.count),
            "sessions_missed": String(sessions.all.count { $0.state == .missed }),
        ]
        courses = try CourseReader(services: c.services, texts: c.texts, zone: c.dates.zone).all(
            of: therapy, sessions, connection)
    }

    static func name(_ course: TherapyFile.Overview.Course) -> String {
        "\(course.questionnaireKey)/\(course.scale)"
    }

    /// The field that draws each course, for the page.
    var fields: [String] {
        facts.keys.sorted() + [LetterText.courses] + courses.map { "course \(Self.name($0))" }
    }
}

/// The house's own template of a kind of letter: a heading, and text in Markdown.
enum LetterTemplate {
    /// In the first language of these that has one.
    static func read(_ kind: LetterDraft.Kind, _ c: Context<Caseload>) -> (title: String, text: String) {
        for language in c.languages {
            let name = "\(kind.rawValue).\(language.rawValue).md"
            guard let bytes = c.services.shipped("letters/\(name)") else { continue }
            let file = String(decoding: bytes, as: UTF8.self)
            let lines = file.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                String(lines[0].drop { $0 == "#" || $0 == " " }),
                lines.count > 1 ? String(lines[1].drop(while: \.isNewline)) : ""
            )
        }
        return (c.texts["letters.kind_\(kind.rawValue)"], "")
    }
}
