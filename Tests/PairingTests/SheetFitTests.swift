import Testing

@testable import Pairing

/// RP-227: the pairing sheet is one page. What is printed is looked at in Tests/Browser/test_portal.py.
@Suite struct SheetFitTests {
    private let short = SheetFit.Words(
        title: "Verbindung mit Ihrer Therapeutin", lead: "Dieses Blatt ist für Sie.",
        therapist: "Dr. Ada Lindner",
        link: nil, steps: [["Anmelden.", "Code eingeben."], ["Code eingeben."]], note: "Wer was sieht.",
        crisis: [("Rettung", "144"), ("Telefonseelsorge", "142")],
        foot: [["Verloren?"], ["Ada Lindner", "Wien"]])

    @Test func `RP-227 an ordinary sheet keeps its size`() { #expect(SheetFit.percent(short) == 100) }

    @Test func `RP-227 the longest entries that can be saved still fit`() {
        var longest = short
        let name = String(repeating: "Freifrau von Hohenberg ", count: 5)
        longest.therapist = "Univ.-Prof. in Priv.-Doz. in Dr. in med. univ. et scient. med. MSc " + name
        longest.link = "https://" + String(repeating: "w", count: 200)
        longest.steps = Array(
            repeating: Array(repeating: String(repeating: "Schritt ", count: 13), count: 6), count: 2)
        longest.note = String(repeating: "Wer was sieht. ", count: 24)
        longest.crisis = Array(
            repeating: (
                label: String(repeating: "Krisentelefon ", count: 6), number: "+43 800 123 456 789 012 345"
            ), count: 7)
        let line = String(repeating: "Donaudampfschifffahrt ", count: 6)
        longest.foot = [
            [line, line + line, line, line],
            [line, longest.therapist, line, line, "+43 1 5550 199", line + line],
        ]
        longest.isDense = true
        let percent = SheetFit.percent(longest)
        #expect(percent < 100 && SheetFit.steps.contains(percent))
        let zoom = Double(percent) / 100
        #expect(SheetFit.height(longest, at: zoom) <= 930 / zoom, "\(percent)")
        // Each thing counts.
        for shorter in [\SheetFit.Words.lead, \.title, \.note] {
            var less = longest
            less[keyPath: shorter] = ""
            #expect(SheetFit.height(less, at: zoom) < SheetFit.height(longest, at: zoom))
        }
    }
}
