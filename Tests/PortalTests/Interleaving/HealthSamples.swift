import HTTP
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// What phones and forms send of what they measured.
extension WriteSamples {
    static let wearables: [String: WriteSample] = [
        "PUT /api/v1/my/measurement-days/:type/:date": WriteSample(
            json: { stage in
                """
                {"source": "health_connect", "zone": "Europe/Vienna", "series": [[0, 60, 7]], "total": 4000,
                 "complete_until": "\(stage.portal.now.text)"}
                """
            }, prepare: { place($0) }),
        "DELETE /api/v1/my/measurement-days/:type/:date": .call("{}") { stage in
            try day(stage)
            (stage.places["type"], stage.places["date"]) = ("steps", "2026-11-01?source=health_connect")
        },
        "PUT /api/v1/my/measurements": WriteSample(
            json: { stage in
                let at = stage.portal.now.adding(seconds: -60).text
                return """
                    {"items": [{"id": "\(entry)", "type": "heart_rate", "starts_at": "\(at)", "ends_at": "\(at)",
                     "value": 64, "source": "healthkit"}]}
                    """
            }, prepare: { _ in }),
        "PUT /api/v1/my/sleeps/:entry": WriteSample(
            json: { sleep($0) }, prepare: { $0.places["entry"] = entry }),
        "DELETE /api/v1/my/sleeps/:entry": .call("{}") { stage in
            stage.places["entry"] = entry
            _ = stage.portal.call(.put, "/my/sleeps/\(entry)", sleep(stage), as: .pia)
        },
        "PUT /api/v1/my/activities/:entry": WriteSample(
            json: { activity($0) }, prepare: { $0.places["entry"] = entry }),
        "DELETE /api/v1/my/activities/:entry": .call("{}") { stage in
            stage.places["entry"] = entry
            _ = stage.portal.call(.put, "/my/activities/\(entry)", activity(stage), as: .pia)
        },
        "POST /my/health/goals": .form(["steps_per_day": "8000"], on: "/my/health"),
        "POST /my/health/sleeps": WriteSample(
            typed: { stage in
                [
                    "id": entry, "starts_at": "2026-11-18T23:00", "ends_at": "2026-11-19T06:30",
                ]
            }, page: "/my/health"),
        "POST /my/health/sleeps/:entry/removal": .form(on: "/my/health") { stage in
            stage.places["entry"] = entry
            _ = stage.portal.call(.put, "/my/sleeps/\(entry)", sleep(stage), as: .pia)
        },
        "POST /my/health/activities/:entry/removal": .form(on: "/my/health") { stage in
            stage.places["entry"] = entry
            _ = stage.portal.call(.put, "/my/activities/\(entry)", activity(stage), as: .pia)
        },
        "POST /my/health/days/:type/:date/:source/removal": .form(on: "/my/health") { stage in
            place(stage)
            stage.places["source"] = "health_connect"
            try day(stage)
        },
        "PUT /api/v1/my/goals": .call(#"{"steps_per_day": 8000}"#),
    ]

    private static let entry = "5a1c9a0e-98a5-4a9f-8d3e-0000000000c1"

    private static func place(_ stage: Stage) {
        (stage.places["type"], stage.places["date"]) = ("steps", "2026-11-01")
    }

    private static func day(_ stage: Stage) throws {
        let json = """
            {"source": "health_connect", "zone": "Europe/Vienna", "series": [], "total": 1,
             "complete_until": "\(stage.portal.now.text)"}
            """
        _ = stage.portal.call(.put, "/my/measurement-days/steps/2026-11-01", json, as: .pia)
    }

    private static func sleep(_ stage: Stage) -> String {
        let (begin, end) = (
            stage.portal.now.adding(seconds: -30_000), stage.portal.now.adding(seconds: -3_000)
        )
        return #"{"starts_at": "\#(begin.text)", "ends_at": "\#(end.text)", "origin": "manual"}"#
    }

    private static func activity(_ stage: Stage) -> String {
        let begin = stage.portal.now.adding(seconds: -30_000).text
        return #"{"name": "Gehen", "starts_at": "\#(begin)", "duration_seconds": 600}"#
    }
}
