import Wire

extension DemonstrationPatient {
    static let all = [
        pia, tom, mia,
        DemonstrationPatient(
            codename: "C590047", alias: "Herr Feld", gender: .male, note: "Schlaf", therapist: 0,
            email: "jan@example.org",
            course: .running(weeks: 12, trend: 0.02, diligence: 0.3), daysAhead: 3, hour: 16,
            quietDays: 4, strain: (15, 14)),
        DemonstrationPatient(
            codename: "C115826", note: "Überweisung Dr. Krenn", therapist: 0, email: nil, course: .codeOpen),
        DemonstrationPatient(
            codename: "C862390", alias: "Frau Moor", note: nil, therapist: 0, email: nil,
            course: .codeExpired),
        DemonstrationPatient(
            codename: "C307714", note: "abgeschlossen, Nachgespräch im Februar", therapist: 0,
            email: "eva@example.org", course: .ended(weeks: 11, trend: 0.15, diligence: 0.8), daysAhead: 1,
            hour: 14, strain: (18, 5), isRead: true),
        DemonstrationPatient(
            codename: "C676152", alias: "Frau Stein", note: nil, therapist: 1, email: "quinn@example.org",
            course: .running(weeks: 10, trend: 0.08, diligence: 0.75), strain: (17, 12), isRead: true),
        DemonstrationPatient(
            codename: "C259938", alias: "Herr Bach", gender: .male,
            note: "wöchentlich, ab Februar alle zwei Wochen",
            therapist: 1,
            email: "ole@example.org", course: .running(weeks: 7, trend: -0.1, diligence: 0.85), daysAhead: 1,
            hour: 13, strain: (12, 15)),
        DemonstrationPatient(
            codename: "C904461", note: nil, therapist: 1, email: "ida@example.org",
            course: .running(weeks: 2, trend: 0.1, diligence: 0.9), daysAhead: 3, strain: (16, 15),
            isRead: true),
        DemonstrationPatient(
            codename: "C543270", note: "Erstgespräch geführt", therapist: 1, email: nil, course: .codeOpen),
        DemonstrationPatient(
            codename: "C188609", gender: .male, note: nil, therapist: 1, email: "leo@example.org",
            course: .ended(weeks: 8, trend: 0.05, diligence: 0.5), daysAhead: 4, hour: 10, isRead: true),
        DemonstrationPatient(
            codename: "C371158", note: "seit zwei Jahren, Tinnitus", therapist: 1,
            email: "nina@example.org",
            course: .running(weeks: 104, trend: 0.02, diligence: 0.7), hour: 17, hasTinnitus: true,
            keepsUp: true),
    ]

    /// Much improved: her strain fell below the cut-off.
    private static let pia = DemonstrationPatient(
        codename: "C020480", alias: "Frau Winter", note: "morgens, Bruder", therapist: 0,
        email: "pia@example.org",
        course: .running(weeks: 12, trend: 0.12, diligence: 0.88), strain: (20, 8),
        words: [
            Words(
                note:
                    "Streit mit dem Bruder noch einmal durchgegangen. Sie hört den Vorwurf früher und bleibt.",
                done: ["Brief an den Bruder"]),
            Words(
                note: "Schläft besser. Zwei Abende ohne Grübeln; Spaziergang als fester Punkt.",
                done: ["Schlafprotokoll", "Spaziergang am Abend"]),
            Words(
                note:
                    "Hat den Bruder angerufen. Erleichtert, auch traurig. Nächstes Mal: was sie von ihm braucht.",
                done: ["Anruf beim Bruder"]),
        ], agenda: "Was braucht sie vom Bruder?\nAbstände größer machen?")

    /// Has worsened, with an answer that must be seen before tonight's session.
    private static let tom = DemonstrationPatient(
        codename: "C731905", alias: "Herr Tal", gender: .male, note: "Prüfungszeit bis Februar", therapist: 0,
        email: "tom@example.org",
        course: .running(weeks: 9, trend: -0.05, diligence: 0.62), hour: 18, pause: 22...27,
        strain: (12, 21), isWeary: true,
        words: [
            Words(note: "Lernplan gemeinsam gekürzt. Wirkt erschöpft.", done: ["Lernplan"]),
            Words(
                note: "Prüfung verschoben, schämt sich dafür. Krisenplan besprochen.",
                done: ["Krisenplan"]),
        ], agenda: "Wer ist am Wochenende da?")

    private static let mia = DemonstrationPatient(
        codename: "C448213", alias: "Frau Berg", note: nil, therapist: 0, email: "mia@example.org",
        course: .running(weeks: 5, trend: 0.2, diligence: 0.95), daysAhead: 1, hour: 8, strain: (20, 14),
        words: [
            Words(note: "Erste Woche mit Tagesstruktur, gelingt an vier Tagen.", done: ["Wochenplan"])
        ])
}
