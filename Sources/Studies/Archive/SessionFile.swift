import Database
import JSON
import Records
import Scheduling
import Therapies
import Web
import Wire

extension StudyFile {
    /// The sessions file of a study's export (ST-10): one row for each of the time in which they took part, with its day only where the
    /// consent text that they agreed to says so (ST-1), and never a time of day.
    static let sessions = StudyFile(
        name: "sessions",
        columns: [
            ToldTherapies.column,
            Column(
                "number",
                "laufende Nummer der Sitzungen, die während der Teilnahme stattfanden; leer: fand nicht statt",
                "number of those that took place during the participation; empty: did not take place", .number
            ),
            Column(
                "state", "held: fand statt, missed: versäumt, cancelled: abgesagt",
                "held: took place, missed, or cancelled"),
            Column(
                "day", "Tag; leer, wo die Einwilligung die Tage der Sitzungen nicht nennt",
                "day; empty where the consent does not name the days of sessions", .day),
        ]
    ) { person, connection in
        let therapies = try ToldTherapies(of: person, connection)
        let sessions = try SessionStore.all(of: therapies.ids, connection)
        // Days are those of the therapy that the study follows.
        let isTold = try TherapyDateStore.hasAgreedToSessions(person.enrolment, connection)
        let enrolment = try isTold ? EnrolmentStore.find(id: person.enrolment, connection) : nil
        let followed = try enrolment.flatMap { try TherapyDates.therapy(of: $0, connection) }?.id
        var number = 0
        return therapies.all.flatMap { therapy -> [[JSON]] in
            let list = SessionList(
                sessions[therapy.id] ?? [], startedOn: therapy.startedOn, zone: person.zone, now: person.to)
            return list.all.compactMap { entry -> [JSON]? in
                let begin = entry.session.startsAt
                guard begin >= person.from, begin <= person.to, entry.state != .planned else { return nil }
                if entry.number != nil { number += 1 }
                let day = therapy.id == followed ? LocalTime(begin, person.zone).date.text : nil
                return [
                    therapies.cell(therapy.id), .cell(entry.number == nil ? nil : number),
                    .string(entry.state.rawValue), .cell(day),
                ]
            }
        }
    }

    /// The pauses file: the days on which a therapy asked nothing, as far as they lie in the time in which they took part.
    static let pauses = StudyFile(
        name: "pauses",
        columns: [
            ToldTherapies.column,
            Column(
                "source", "patient: Pause dieser Therapie, therapist: Urlaub der Praxis",
                "patient: a pause of this therapy, therapist: a holiday of the practice"),
            Column(
                "starts_on", "erster Tag innerhalb der Teilnahme, an dem die Pause galt",
                "first day within the participation on which it was in force", .day),
            Column(
                "ends_on", "letzter Tag, höchstens der letzte der Teilnahme oder der des Exports",
                "last day, at most the last one of the participation or that of the export", .day),
        ]
    ) { person, connection in
        let therapies = try ToldTherapies(of: person, connection)
        let pauses = try UnseenTimes(of: person.account, connection).pauses(within: person.days, person.zone)
        return pauses.filter { therapies.ids.contains($0.source.therapy) }.map { pause in
            [
                therapies.cell(pause.source.therapy),
                .string(pause.source.isTherapist ? "therapist" : "patient"),
                .string(pause.days.lowerBound.text), .string(pause.days.upperBound.text),
            ]
        }
    }
}
