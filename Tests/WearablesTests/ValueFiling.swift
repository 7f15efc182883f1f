import HTTP
import JSON
import Wire

@testable import PortalTesting

/// A suite that sends single values of one person, and reads what became of them.
protocol ValueFiling {
    var portal: TestPortal { get }
}

extension ValueFiling {
    func id(_ number: Int) -> String { "5a1c9a0e-98a5-4a9f-8d3e-0000000\(10_000 + number)" }

    func item(
        _ number: Int, _ value: Double, at begin: String, lasting seconds: Int64 = 60,
        _ type: String = "steps"
    ) -> String {
        let end = (Instant(begin) ?? .distantPast).adding(seconds: seconds)
        return """
            {"id": "\(id(number))", "type": "\(type)", "source": "healthkit",
             "starts_at": "\(begin)", "ends_at": "\(end.text)", "value": \(value)}
            """
    }

    func file(_ items: [String], in language: String = "de") -> Response {
        portal.call(
            .put, "/my/measurements", #"{"items": [\#(items.joined(separator: ","))]}"#, as: .pia,
            ["Accept-Language": language])
    }

    func refused(_ answer: Response) -> [String] {
        (answer.attributes["refused"]?.array ?? []).map {
            "\($0["id"]?.string ?? "-") \($0["field"]?.string ?? "") \($0["code"]?.string ?? "")"
        }
    }

    func days(_ type: String = "steps") -> [String: Double] {
        let list = portal.call(.get, "/my/measurement-days?type=\(type)", as: .pia).list
        return list.reduce(into: [:]) { days, day in
            days[day["attributes"]?["date"]?.string ?? ""] =
                day["attributes"]?[type == "heart_rate" ? "n" : "sum"]?.number
        }
    }

    /// Sends a day whole.
    func send(whole date: String, _ value: Double) -> Int {
        portal.call(
            .put, "/my/measurement-days/steps/\(date)",
            """
            {"source": "healthkit", "zone": "Europe/Vienna", "complete_until": "\(portal.now.text)",
             "series": [[0, 60, \(value)]]}
            """, as: .pia
        ).status
    }
}
