import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting

/// FD-6: why an alert was raised reads as a sentence: the question, the answer in its words, the threshold in its words.
@Suite struct ReasonTests {
    @Test
    func `FD-6 the reason of an alert says question, answer and threshold in the questionnaire's words`()
        throws
    {
        let portal = try TestPortal()
        let days = TodayTests(portal: portal)
        try days.publish()
        days.react(
            #"{"kind": "answer", "questionnaire_key": "weariness", "item": "weary", "comparison": "at_least", "value": 2, "times": 1, "of": 1}"#
        )
        try days.send(2)
        let sentence = "Müde, „Ganz ohne Hoffnung“ mindestens oft (2) – Antwort: oft (2), heute "
        for page in ["/", "/alerts"] {
            #expect(portal.get(page, as: .ada).text.contains(sentence), "\(page)")
        }
        let reason = portal.call(.get, "/alerts", as: .ada).list.first?["attributes"]?["reason"]?.string
        #expect(reason?.hasPrefix(sentence) == true, "\(reason ?? "")")
    }
}
