import JSON
import Records
import Therapies
import Web
import Wire

extension StudyFile {
    /// The interventions file of a study's export (ST-10): one row for each that was given, with its moments and never its words (IO-13).
    static let interventions = StudyFile(
        name: "interventions",
        columns: [
            ToldTherapies.column,
            Column("intervention", "Kennung in dieser Studie", "id in this study"),
            Column(
                "text_id",
                "Kennung des Textes aus der Bibliothek in dieser Studie; leer: für diese Person geschrieben",
                "id, in this study, of the library's text; empty: written for this person"),
            Column(
                "kind", "commendation: Anerkennung, task: Aufgabe, question: Frage",
                "commendation: encouragement, task, or question"),
            Column(
                "source", "hand: von Hand gegeben, rule: durch eine Reaktion, plan: nach Plan",
                "hand: given by a therapist, rule: by a reaction, plan: by plan"),
            Column(
                "state",
                "was am Ende der Teilnahme oder bei diesem Export daraus geworden ist: new (neu), opened (geöffnet), completed (abgeschlossen), withdrawn (zurückgezogen, ehe es geöffnet war)",
                "what had become of it at the end of the participation, or at this export: new, opened, completed, or withdrawn before it was opened"
            ),
            Column("given_at", "gegeben (UTC)", "given (UTC)", .moment),
            Column("opened_at", "geöffnet (UTC)", "opened (UTC)", .moment),
            Column("completed_at", "abgeschlossen (UTC)", "completed (UTC)", .moment),
            Column("withdrawn_at", "zurückgezogen (UTC)", "withdrawn (UTC)", .moment),
        ]
    ) { person, connection in
        let therapies = try ToldTherapies(of: person, connection)
        return try InterventionFileStore.given(
            in: therapies.ids, from: person.from, to: person.to, connection
        ).map { given in
            let opened = person.within(given.openedAt)
            let completed = person.within(given.completedAt)
            let withdrawn = person.within(given.withdrawnAt)
            let state: InterventionRecord.State =
                withdrawn != nil
                ? .withdrawn : completed != nil ? .completed : opened != nil ? .opened : .new
            return [
                therapies.cell(given.therapy), .string(person.names.uuid("intervention \(given.id)")),
                .cell(given.library.map { person.names.uuid("library intervention \($0)") }),
                .string(given.kind.rawValue), .string(given.source), .string(state.rawValue),
                .cell(given.assignedAt), .cell(opened), .cell(completed), .cell(withdrawn),
            ]
        }
    }
}
