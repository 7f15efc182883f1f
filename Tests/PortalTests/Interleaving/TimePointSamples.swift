import HTTP
import JSON

@testable import PortalTesting

/// Time points of studies, and the dates of single participants (ST-1).
extension WriteSamples {
    private static let points = """
        {"time_points": [{"key": "op", "title": {"de": "Operation"}, "anchor": "lead", "after": 2}]}
        """
    private static let date = #"{"date": "2026-12-24"}"#
    private static let typed = ["title_de": "Nach der Operation", "anchor": "lead", "day": "3"]

    static let timePoints: [String: WriteSample] = [
        "PUT /api/v1/studies/:study/participants/:codename/anchors/:key": .call(date) { try pointed($0) },
        "DELETE /api/v1/studies/:study/participants/:codename/anchors/:key": .call("{}") { try dated($0) },
        "POST /studies/:study/participants/:codename/anchors/:key": .form(
            ["date": "2026-12-24"], on: "/studies/:study/participants/:codename"
        ) { try pointed($0) },
        "POST /studies/:study/compliance/table": .form(["sort": "codename"]) { try $0.study() },
        "POST /studies/:study/time-points/new": .form(typed.merging(["key": "t1"]) { $1 }),
        "POST /studies/:study/time-points/:key": .form(typed) { try pointed($0) },
        "POST /studies/:study/time-points/:key/removal": .form(on: "/studies/:study/time-points/:key") {
            try pointed($0)
        },
    ]

    private static func pointed(_ stage: Stage) throws {
        try stage.study(points, enrols: true)
        stage.places["key"] = "op"
    }

    private static func dated(_ stage: Stage) throws {
        try pointed(stage)
        let path = stage.path("/studies/:study/participants/:codename/anchors/:key")
        let entered = stage.portal.change(.put, path, date, as: .lena)
        precondition(entered.status == 200, entered.text)
    }
}
