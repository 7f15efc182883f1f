/// Somebody who plays a patient in the demonstration clinic.
struct DemonstrationPatient: Sendable {
    enum Course: Sendable {
        case codeOpen, codeExpired
        /// Weeks of therapy so far; how the scores go; how many of the prompts are answered.
        case running(weeks: Int, trend: Double, diligence: Double)
        case ended(weeks: Int, trend: Double, diligence: Double)
    }

    let codename: String
    let note: String?
    /// Index into the clinic's staff: 0 Ada, 1 Ben.
    let therapist: Int
    let email: String?
    let course: Course
    /// 1 for Monday; the hour of the weekly session.
    let weekday: Int
    let hour: Int
    /// A holiday, from so many days ago to so many.
    var pause: ClosedRange<Int>?
    /// For so many days nothing was answered.
    var quietDays = 0

    static let all: [DemonstrationPatient] = [
        .init(
            codename: "C020480", note: "Dienstag früh, Bruder", therapist: 0, email: "pia@example.org",
            course: .running(weeks: 12, trend: 0.12, diligence: 0.88), weekday: 2, hour: 9),
        .init(
            codename: "C731905", note: "Prüfungszeit bis Februar", therapist: 0, email: "tom@example.org",
            course: .running(weeks: 9, trend: -0.05, diligence: 0.62), weekday: 3, hour: 10,
            pause: 22...27),
        .init(
            codename: "C448213", note: nil, therapist: 0, email: "mia@example.org",
            course: .running(weeks: 5, trend: 0.2, diligence: 0.95), weekday: 5, hour: 8),
        .init(
            codename: "C590047", note: "Schlaf", therapist: 0, email: "jan@example.org",
            course: .running(weeks: 12, trend: 0.02, diligence: 0.3), weekday: 4, hour: 16,
            quietDays: 4),
        .init(
            codename: "C115826", note: "Überweisung Dr. Krenn", therapist: 0, email: nil, course: .codeOpen,
            weekday: 1, hour: 11),
        .init(
            codename: "C862390", note: nil, therapist: 0, email: nil, course: .codeExpired, weekday: 1,
            hour: 12),
        .init(
            codename: "C307714", note: "abgeschlossen, Nachgespräch im Jänner", therapist: 0,
            email: "eva@example.org", course: .ended(weeks: 11, trend: 0.15, diligence: 0.8), weekday: 1,
            hour: 14),
        .init(
            codename: "C676152", note: nil, therapist: 1, email: "quinn@example.org",
            course: .running(weeks: 10, trend: 0.08, diligence: 0.75), weekday: 1, hour: 9),
        .init(
            codename: "C259938", note: "wöchentlich, ab Jänner alle zwei Wochen", therapist: 1,
            email: "ole@example.org", course: .running(weeks: 7, trend: -0.1, diligence: 0.85), weekday: 2,
            hour: 13),
        .init(
            codename: "C904461", note: nil, therapist: 1, email: "ida@example.org",
            course: .running(weeks: 2, trend: 0.1, diligence: 0.9), weekday: 4, hour: 9),
        .init(
            codename: "C543270", note: "Erstgespräch geführt", therapist: 1, email: nil, course: .codeOpen,
            weekday: 3, hour: 15),
        .init(
            codename: "C188609", note: nil, therapist: 1, email: "leo@example.org",
            course: .ended(weeks: 8, trend: 0.05, diligence: 0.5), weekday: 5, hour: 10),
        .init(
            codename: "C371158", note: "seit zwei Jahren", therapist: 1, email: "nina@example.org",
            course: .running(weeks: 104, trend: 0.02, diligence: 0.7), weekday: 3, hour: 17),
    ]
}
