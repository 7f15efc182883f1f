import Foundation
import Testing

@testable import Wording

/// A word or phrase that was replaced, with the better one.
struct BannedWord: Sendable {
    enum Extent: Sendable {
        /// Neither a letter nor a hyphen stands before or after it.
        case whole
        /// A word begins with it.
        case start
        case anywhere
    }

    let word: String
    let better: String
    let extent: Extent

    init(_ word: String, _ better: String, _ extent: Extent = .whole) {
        self.word = word
        self.better = better
        self.extent = extent
    }

    func stands(in text: String) -> Bool {
        text.ranges(of: word).contains { range in
            if extent == .anywhere { return true }
            let isBegun =
                range.lowerBound > text.startIndex
                && Self.isPart(text[text.index(before: range.lowerBound)])
            if isBegun || extent == .start { return !isBegun }
            return range.upperBound == text.endIndex || !Self.isPart(text[range.upperBound])
        }
    }

    private static func isPart(_ character: Character) -> Bool { character.isLetter || character == "-" }
}

/// What pages, mails and sheets no longer say: one thing has one name, buttons are verbs, English is written, not translated.
@Suite struct BannedWordsTests {
    static let german: [BannedWord] = [
        // One thing, one name.
        .init("Kurz gefragt", "Tagesabfrage"),
        .init("Kurzabfrage", "Tagesabfrage", .start),
        .init("Tägliche Frage", "Tagesabfrage", .start),
        .init("Tägliche Abfrage", "Tagesabfrage", .start),
        .init("täglichen Abfrage", "Tagesabfrage", .start),
        .init("tägliche Fragebogen", "Tagesabfrage"),
        .init("Bogen", "Fragebogen"),
        .init("Bogens", "Fragebogen"),
        .init("Bögen", "Fragebögen"),
        .init("zurückgenommen", "zurückgezogen", .anywhere),
        .init("Zurückgenommen", "Zurückgezogen", .anywhere),
        .init("zurücknehmen", "zurückziehen, rückgängig machen", .anywhere),
        .init("Zurücknehmen", "Zurückziehen", .anywhere),
        .init("Fassung", "Version", .start),
        .init("Blatt zum Verbinden", "Verbindungsblatt"),
        .init("auf dem Blatt", "auf dem Verbindungsblatt"),
        .init("Verknüpfen", "Verbinden"),
        .init("Regel", "Reaktion, oder: automatisch zugewiesen"),
        .init("Regeln", "Reaktionen, oder: automatisch zugewiesen"),
        .init("Zustellregel", "Automatische Zuweisung", .start),
        .init("Was von selbst kommt", "Automatisch zugewiesen"),
        .init("von selbst", "automatisch"),
        .init("Zweiter Schritt", "Zwei-Faktor-Anmeldung"),
        .init("Zweiter Faktor", "Zwei-Faktor-Anmeldung"),
        .init("Zweiten Faktor", "Zwei-Faktor-Anmeldung"),
        .init("zweite Faktor", "Zwei-Faktor-Anmeldung"),
        .init("zweiter Faktor", "Zwei-Faktor-Anmeldung"),
        .init("zweiten Faktor", "Zwei-Faktor-Anmeldung"),
        .init("Eigene Notiz", "Private Notiz"),
        .init("Karte des Instruments", "Angaben zum Instrument"),
        .init("Lebendes Profil", "Fortlaufendes Profil"),
        .init("lebenden Profile", "fortlaufende Profile"),
        .init("Mail", "E-Mail"),
        .init("Mails", "E-Mails"),
        .init("Mailadresse", "E-Mail-Adresse", .start),
        .init("Mailversand", "E-Mail-Versand"),
        // Please, with a person who acts.
        .init("Bitte ausfüllen", "Bitte füllen Sie … aus"),
        .init("Bitte ansehen", "Bitte sehen Sie sich … an"),
        .init("Bitte wählen,", "Bitte wählen Sie …"),
        .init("Bitte wählen.", "Bitte wählen Sie …"),
        .init("Bitte sagen", "Bitte wählen Sie …"),
        .init("Bitte übertragen,", "Bitte übertragen Sie"),
        .init("Bitte zuerst", "Bitte … Sie zuerst"),
        .init("Erwartet wird", "Bitte geben Sie …", .start),
        .init("wird erwartet", "Bitte geben Sie …"),
        // Verbs on buttons.
        .init("Intervention geben", "Intervention senden"),
        .init("Gegeben.", "Gesendet."),
        .init("-mal gegeben", "-mal gesendet", .anywhere),
        .init("einmal gegeben", "einmal gesendet"),
        .init("noch nicht gegeben", "noch nicht gesendet"),
        .init("Vermerken als", "Markieren als"),
        .init("Vermerkt.", "Als gesehen markiert."),
        .init("Außer Gebrauch", "Archivieren"),
        .init("außer Gebrauch", "archiviert"),
        .init("Wieder in Gebrauch nehmen", "Wieder verwenden"),
        // Said more plainly.
        .init("Das ging nicht", "Das hat nicht geklappt"),
        .init("Das gibt es hier nicht", "Diese Seite gibt es nicht …"),
        .init("Jemanden neu aufnehmen", "Patientin oder Patienten aufnehmen"),
        .init("Noch niemand da", "Noch keine Patientinnen und Patienten"),
        .init("Dazu passt niemand", "Keine Treffer"),
        .init("Code gilt noch", "Code gültig bis …"),
        .init("Lange nichts gehört", "Länger keine Rückmeldung"),
        .init("kommt noch", "geplant"),
        .init("Wie das zustande kommt", "So wird gerechnet"),
        .init("sie deutet nicht", "Die Deutung liegt bei Ihnen."),
        .init("zusätzlich, zählt nicht", "zusätzlich ausgefüllt, nicht gewertet"),
        .init("Was geschah", "Was war"),
        .init("Für die Sitzung merken", "Speichern"),
        .init("Höchstens einmal in so vielen", "Pause … (Tage)"),
        .init("Eigener Urlaub", "Meine Abwesenheit"),
        .init("keine Stille", "nichts gilt als versäumt"),
        .init("doch geplant", "wieder geplant"),
        .init("ist dann tot", "wird ungültig"),
        .init("ist tot", "ist nicht mehr gültig"),
        .init("in Ihre Mail", "Bitte prüfen Sie Ihr Postfach"),
        .init("Jetziges Passwort", "Aktuelles Passwort"),
        .init("jetzige Passwort", "aktuelle Passwort"),
        .init("Das neue Passwort gilt", "Passwort geändert"),
        .init("Jemand muss noch verwalten", "Mindestens ein Administrationskonto muss aktiv bleiben."),
        .init("einkommt", "eingeht"),
        .init("nicht hinausgehen", "nicht zugestellt"),
        .init("geschaltet", "ein- oder ausgeschaltet"),
        .init("Verlauf der Änderungen", "Zugriffe und Änderungen"),
        .init("bleibt ein Grenzwert eine Behauptung", "Bitte belegen Sie den Grenzwert mit einer Quelle."),
        .init("In Kraft", "Derzeit gilt"),
        .init("Vorführung angelegt", "Demonstration angelegt"),
        .init("ihre Patienten", "ihre Patientinnen und Patienten"),
        .init("Patient oder Patientin", "Patientin oder Patient"),
    ]

    /// Where the clinic is Austrian they are right.
    static let austrian: [BannedWord] = [
        .init("einlang", "eingehen", .anywhere),
        .init("Einlang", "Eingang", .anywhere),
        .init("eingelangt", "eingegangen", .anywhere),
        .init("einlangte", "eingegangen ist", .anywhere),
        .init("Beistrich", "Komma", .anywhere),
        .init("beistrich", "komma", .anywhere),
        .init("Strichpunkt", "Semikolon", .anywhere),
        .init("Jänner", "Januar", .anywhere),
    ]

    static let english: [BannedWord] = [
        // One thing, one name.
        .init("daily questions", "daily prompts"),
        .init("Daily questions", "Daily prompts"),
        .init("daily questionnaire", "daily prompt", .start),
        .init("dailies", "daily prompts"),
        .init("Dailies", "Daily prompts"),
        .init("quick question", "daily prompt"),
        .init("rule", "reaction, or: assigned automatically"),
        .init("rules", "reactions, or: assigned automatically"),
        .init("Rule", "Reaction, or: assigned automatically"),
        .init("Rules", "Reactions, or: assigned automatically"),
        .init("What comes by itself", "Assigned automatically"),
        .init("taken back", "withdrawn"),
        .init("Taken back", "Withdrawn"),
        .init("take back", "withdraw"),
        .init("Take back", "Withdraw"),
        .init("Answers held back", "Responses on hold"),
        .init("Take in", "Accept"),
        .init("Taken in", "Accepted"),
        .init("Commendation", "Encouragement", .start),
        .init("commendation", "encouragement", .start),
        .init("Give an intervention", "Send an intervention"),
        .init("Given.", "Sent."),
        .init("second factor", "two-factor sign-in"),
        .init("Second factor", "Two-factor sign-in"),
        .init("Second step", "Two-factor sign-in"),
        .init("Imprint", "Legal notice"),
        .init("imprint", "legal notice"),
        .init("e-mail", "email", .start),
        .init("E-mail", "Email", .start),
        .init("E-Mail", "Email", .start),
        .init("mail address", "email address"),
        .init("a mail with", "an email with"),
        .init("A mail has", "An email has"),
        .init("mails", "emails"),
        .init("Mails", "Emails"),
        .init("into your mail", "Check your email"),
        .init("Own note", "Private note"),
        .init("Own holiday", "My absence"),
        .init("onnect with your practice", "Pair with your practice", .anywhere),
        .init("onnected with your practice", "paired with your practice", .anywhere),
        .init("Instrument card", "Instrument details"),
        .init("persons", "people"),
        .init("Persons", "People"),
        .init("relay", "push service", .start),
        .init("watched around the clock", "monitored around the clock"),
        .init("read around the clock", "monitored around the clock"),
        .init("are no emergency service", "are not an emergency service"),
        // English, written and not translated.
        .init("„", "English quotation marks", .anywhere),
        .init("since the begin", "since the start"),
        .init("the begin", "the start"),
        .init("at begin", "at the start"),
        .init("Begin of", "Start of"),
        .init("by hand", "by you, or what else is done"),
        .init("dead", "no longer works"),
        .init("in force", "active, still works"),
        .init("In force", "Active"),
        .init("has run out", "has expired"),
        .init("Present password", "Current password"),
        .init("Please look into", "Check"),
        .init("Forgotten your password", "Forgot your password?"),
        .init("is not right", "is incorrect"),
        .init("Too many tries", "Too many attempts"),
        .init("There is nothing here,", "Page not found"),
        .init("is expected.", "Enter …"),
        .init("are expected,", "Enter …"),
        .init("There is no such", "This … does not exist."),
        .init("There is such a", "This already exists."),
        .init("There are no answers to this", "No responses in this period."),
        .init("Answered lately", "Recent responses"),
        .init("Not heard of", "No recent activity"),
        .init("is noted for today", "No sessions today."),
        .init("Note a session", "Add a session"),
        .init("Note as", "Mark as"),
        .init("planned after all", "Set back to planned"),
        .init("Nobody fits", "No matches."),
        .init("Make a new code", "Create a new code"),
        .init("Only who agrees", "Patients are enrolled only if they consent while pairing."),
        .init("How this comes about", "How this is calculated"),
        .init("Thought of therapy", "Thought about therapy"),
        .init("no reliability on file", "change cannot be judged"),
        .init("mood with it", "mood at the time"),
        .init("What moved", "What changed"),
        .init("What is open", "Open items"),
        .init("What you want to take up", "To pick up on"),
        .init("This page presents", "This page shows values."),
        .init("could not simply be taken in", "do not clearly fit the plan"),
        .init("is like this or that", "Reactions respond to results …"),
        .init("Of what", "Measure"),
        .init("Among the last", "Out of the last"),
        .init("How long open", "Open for (hours)"),
        .init("count no silence", "nothing counts as missed"),
        .init("As for your therapist", "Your therapist sees …"),
        .init("Somebody has to be able to administer", "At least one administrator must remain."),
        .init("everything signed in", "signed out everywhere"),
        .init("that do not go out", "Undelivered email"),
        .init("End the therapy", "End therapy"),
        .init("trail of changes", "audit trail"),
        .init("stands in", "is shown in"),
        .init("Stands in", "Shown in"),
        .init("diverse", "non-binary or other"),
        .init("Small letters", "Lowercase letters"),
        .init("small letters", "lowercase letters"),
        .init("meanwhile", "in the meantime"),
    ]

    /// What names such a word and is meant to: how countries differ, what the German apps say, the names of style sheets.
    static let exempt: Set<String> = ["clinic.variant_hint", "pairing.app_path", "system/components.html"]

    /// A text that people read, and where it stands.
    struct Place: Sendable {
        let name: String
        let text: String
        let banned: [BannedWord]
    }

    static let root = String(TextsTests.folder.dropLast("/texts".count))

    static func places() throws -> [Place] {
        var places: [Place] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
            if path.hasPrefix("texts/") && path.hasSuffix(".json") {
                let sentences = try TextFile("\(root)/\(path)").sentences.filter { !exempt.contains($0.key) }
                places += sentences.map {
                    Place(name: "\(path) \($0.key)", text: $0.value, banned: languages[path] ?? [])
                }
                continue
            }
            guard let words = banned(in: path), !exempt.contains(path) else { continue }
            let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
            let isPage = path.hasSuffix(".html")
            places.append(Place(name: path, text: isPage ? Self.words(ofPage: text) : text, banned: words))
        }
        return places
    }

    /// By their file.
    static let languages: [String: [BannedWord]] = [
        "texts/de.json": german + austrian, "texts/de-AT.json": german, "texts/en.json": english,
    ]

    /// What a file that is no file of texts must not say; nil where it holds nothing for people.
    static func banned(in path: String) -> [BannedWord]? {
        if path.hasSuffix(".de.md") { return german + austrian }
        if path.hasSuffix(".en.md") { return english }
        let isQuestionnaire = path.hasPrefix("instruments/") && path.hasSuffix(".json")
        guard path.hasSuffix(".html") || isQuestionnaire else { return nil }
        // Both languages stand in these: a mark that one of them writes is none of the other's.
        return german + austrian + english.filter { $0.word != "„" }
    }

    /// A template without what is filled in and without tags.
    static func words(ofPage text: String) -> String {
        text.replacing(/\{\{[^}]*\}\}\}?/, with: " ").replacing(/<[^>]*>/, with: " ")
    }

    @Test func `no word comes back that was replaced by a better one`() throws {
        let places = try Self.places()
        #expect(places.count > 5000)
        #expect(Set(places.map { $0.name.prefix { $0 != " " } }).count > 150)
        let found = places.flatMap { place in
            place.banned.filter { $0.stands(in: place.text) }.map {
                "\(place.name): “\($0.word)”; better: \($0.better)"
            }
        }
        #expect(found.sorted() == [])
    }

    @Test func `a word is found where it stands alone, and not within another`() {
        let found = { (text: String, words: [BannedWord]) in
            words.filter { $0.stands(in: text) }.map(\.word)
        }
        #expect(found("Bitte senden Sie den Bogen.", Self.german) == ["Bogen"])
        #expect(found("Bitte senden Sie den Fragebogen.", Self.german) == [])
        #expect(found("Ihre E-Mail ist da, die Mail auch", Self.german) == ["Mail"])
        #expect(found("Regelmäßig, zum Beispiel täglich", Self.german) == [])
        #expect(found("Eine neue Regel", Self.german) == ["Regel"])
        #expect(found("Alle Kurzabfragen", Self.german) == ["Kurzabfrage"])
        #expect(found("Dezimalbeistrich", Self.austrian) == ["beistrich"])
        #expect(found("Your e-mails", Self.english) == ["e-mail"])
        #expect(found("Your email address", Self.english) == [])
        #expect(found("Your mail address", Self.english) == ["mail address"])
        #expect(found("After the deadline", Self.english) == [])
        #expect(found("ruled out", Self.english) == [])
        #expect(Self.words(ofPage: "<p class=\"rule\">{{t.rules.title}} Bogen</p>").contains("Bogen"))
        #expect(!Self.words(ofPage: "<p class=\"rule\">{{t.rules.title}} Bogen</p>").contains("rule"))
    }
}
