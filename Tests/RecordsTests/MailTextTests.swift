import Foundation
import SMTP
import Testing

/// RP-13: what every mail server takes (RFC 2047, 2045, 5891). `EndToEndTests.MailTests` reads the same with Python.
@Suite struct MailTextTests {
    static let subjects = [
        "Grüße", "Bitte bestätigen Sie Ihre neue E-Mail-Adresse",
        "Für Ihr Konto wurde eine andere Adresse gewünscht",
        "Einladung: " + String(repeating: "Universitätsklinik für Psychosomatik ", count: 5),
        String(repeating: "😀", count: 90), String(repeating: "a", count: 300), "ä",
    ]

    @Test(arguments: subjects)
    func `RP-13 no encoded word of a subject is longer than 75 characters, no line than 76`(subject: String)
        throws
    {
        let lines = MailText.header("Subject", subject).components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("Subject: "))
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" =?") })
        var read = ""
        for line in lines {
            #expect(line.utf8.count <= 76, "\(line)")
            let words = line.split(separator: " ").filter { $0 != "Subject:" }
            #expect(words.count == 1)
            for word in words {
                #expect(word.utf8.count <= 75 && word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
                let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
                // Each word alone is a text: no letter is cut in two.
                read += try #require(String(data: data, encoding: .utf8))
            }
        }
        #expect(read == subject)
    }

    @Test func `RP-13 a subject of nothing has no word`() {
        #expect(MailText.header("Subject", "") == "Subject: ")
    }

    @Test func `RP-13 a text is quoted into seven bits and short lines`() {
        #expect(MailText.quotedPrintable("eins\nzwei") == "eins\r\nzwei\r\n")
        #expect(MailText.quotedPrintable("Grüße = x\r\n") == "Gr=C3=BC=C3=9Fe =3D x\r\n\r\n")
        #expect(MailText.quotedPrintable("am Ende \n\t\n") == "am Ende=20\r\n=09\r\n\r\n")
        let long = String(repeating: "Übermaß und kein Ende ", count: 200)
        let lines = MailText.quotedPrintable(long).components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 0x80 } })
        let joined = MailText.quotedPrintable(long).replacing("=\r\n", with: "").replacing("\r\n", with: "")
        let percent = joined.replacing("%", with: "%25").replacing("=", with: "%")
        #expect(percent.removingPercentEncoding == long)
    }

    @Test(arguments: [
        ("pia@bücher.example", "pia@xn--bcher-kva.example"),
        ("jörg@Praxis-Müller.example", "jörg@xn--praxis-mller-klb.example"),
        ("pia@straße.example", "pia@xn--strae-oqa.example"), ("pia@example.org", "pia@example.org"),
        ("pia@bücher.example/x.example.org", "pia@bücher.example/x.example.org"),
        ("pia@bücher.example#x.example.org", "pia@bücher.example#x.example.org"),
        ("pia@bücher.example:25", "pia@bücher.example:25"), ("pia", "pia"),
    ])
    func `RP-13 a host beyond ASCII goes out as name servers know it`(address: String, sent: String) {
        #expect(MailAddress.plain(address) == sent)
    }
}
