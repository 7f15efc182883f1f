import Database
import Identity
import JSON
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

extension StudyFile {
    /// The participants file of a study's export (ST-10): one row for each codename. What the therapy and the account say of the person
    /// stands in it only of those that consent to research.
    static let participants = StudyFile(
        name: "participants",
        columns: [
            Column(
                "state", "enrolled: nimmt teil, left: ausgeschieden, die Antworten bleiben",
                "enrolled, or left and the answers stay"),
            Column("arm", "Gruppe; leer ohne Gruppen", "group; empty without groups"),
            Column("site", "Standort; leer ohne Gruppen", "site; empty without groups"),
            Column("enrolled_at", "angemeldet (UTC)", "enrolled (UTC)", .moment),
            Column("left_at", "ausgeschieden (UTC)", "left (UTC)", .moment),
            Column(
                "crossed_at",
                "seit wann die Warteliste Interventionen bekommt (UTC); leer: noch nicht, oder keine Warteliste",
                "since when the waiting list gets interventions (UTC); empty: not yet, or no waiting list",
                .moment),
            Column(
                "consent_version", "Version des Einwilligungstextes, der jetzt gilt",
                "version of the consent text that is in force", .number),
            Column(
                "consented_at", "in diese Version eingewilligt (UTC)", "consented to that version (UTC)",
                .moment),
            Column("source", "account: mit Konto, paper: auf Papier", "account, or paper without one"),
            Column("timezone", "Zeitzone bei der Anmeldung", "time zone at enrolment"),
            Column("language", "Sprache des Kontos", "language of the account"),
            Column(
                "research_consent",
                "1: stimmt auch der Forschung zu; ohne das bleibt leer, was dahinter steht, und von der Therapie steht in keiner Datei etwas",
                "1: consents to research as well; without it what follows is empty, and no file has anything of the therapy",
                .number),
            Column(
                "age_band", "Alter bei der Anmeldung: 0-17, 18-24, dann zehn Jahre, zuletzt 75+",
                "age at enrolment: 0-17, 18-24, then ten years, at last 75+"),
            Column(
                "gender", "female (weiblich), male (männlich), diverse (divers), not_stated (ohne Angabe)",
                "female, male, diverse, or not_stated"),
            Column(
                "therapies", "Anzahl der Therapien während der Teilnahme",
                "number of therapies during the participation", .number),
            Column(
                "platforms", "womit die App benutzt wurde, durch Striche getrennt",
                "what the app was used on, separated by bars"),
        ], consent: .study
    ) { person, connection in
        guard let enrolment = try EnrolmentStore.find(id: person.enrolment, connection) else { return [] }
        let account = try AccountStore.find(person.account, connection)
        let therapies = person.agrees ? try ToldTherapies(of: person, connection).all : []
        let birth = try therapies.last?.birthDate(person.keys)
        let used =
            person.agrees
            ? try AppUseStore.days(
                of: person.account, from: person.days.lowerBound, to: person.days.upperBound, connection) : []
        let platforms = Set(used.map(\.platform)).sorted()
        let isOnPaper = enrolment.signedOn != nil
        return [
            [
                .string(enrolment.state.rawValue), .cell(enrolment.arm?.rawValue), .cell(enrolment.site),
                .cell(enrolment.enrolledAt), .cell(enrolment.leftAt), .cell(enrolment.crossedAt),
                .cell(enrolment.consentVersion), .cell(enrolment.consentedAt),
                .string(isOnPaper ? "paper" : "account"),
                .string(enrolment.zone.identifier),
                .cell(isOnPaper ? nil : account?.language.rawValue), .cell(person.agrees),
                .cell(birth.flatMap { AgeBand.name(born: $0, on: person.days.lowerBound) }),
                .cell(person.agrees ? gender(therapies.last, account)?.rawValue : nil),
                .cell(person.agrees ? therapies.count : nil),
                .cell(platforms.isEmpty ? nil : platforms.joined(separator: "|")),
            ]
        ]
    }

    /// As stated on pairing, else in the own profile (ISO 5218).
    private static func gender(_ therapy: Therapy?, _ account: AccountRecord?) -> Gender? {
        if let stated = therapy?.gender { return stated }
        switch account?.sex {
        case 1: return .male
        case 2: return .female
        case 9: return .notStated
        default: return nil
        }
    }
}

/// Ages as files tell them: never the age itself.
enum AgeBand {
    /// - Returns: nil before the birth.
    static func name(born birth: LocalDate, on day: LocalDate) -> String? {
        let isBefore = (day.month, day.day) < (birth.month, birth.day)
        switch day.year - birth.year - (isBefore ? 1 : 0) {
        case ..<0: return nil
        case ..<18: return "0-17"
        case ..<25: return "18-24"
        case 75...: return "75+"
        case let age:
            let first = (age - 25) / 10 * 10 + 25
            return "\(first)-\(first + 9)"
        }
    }
}
