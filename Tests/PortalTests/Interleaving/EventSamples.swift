import HTTP
import Wire

@testable import PortalTesting

/// Events of studies, noted with a button (ST-2).
extension WriteSamples {
    static let events: [String: WriteSample] = [
        "PUT /api/v1/my/events/:event": WriteSample(
            who: .nora,
            json: { stage in
                #"{"item_id": "\#(stage.places["item"] ?? "")", "started_at": "\#(stage.portal.now.text)"}"#
            }, prepare: { try button($0) }),
        "DELETE /api/v1/my/events/:event": WriteSample(
            who: .nora, json: { _ in "{}" }, prepare: { try noted($0) }),
        "POST /my/events": WriteSample(who: .nora, prepare: { try button($0) }),
        "POST /my/events/:event": WriteSample(
            who: .nora, typed: { _ in ["answers.calm": "3", "action": "later"] }, prepare: { try noted($0) }),
        "POST /my/events/:event/end": WriteSample(who: .nora, page: "/my", prepare: { try noted($0) }),
        "POST /my/offline/events": WriteSample(
            who: .nora,
            typed: { stage in
                [
                    "id": newID, "item_id": stage.places["item"] ?? "", "started_at": stage.portal.now.text,
                    "timezone": "Europe/Vienna",
                ]
            }, prepare: { try button($0) }),
        "POST /my/events/:event/removal": WriteSample(who: .nora, page: "/my", prepare: { try noted($0) }),
    ]

    private static func button(_ stage: Stage) throws {
        stage.places["event"] = newID
        try stage.study(questionnaire: #", "event": "span""#, enrols: true)
    }

    private static func noted(_ stage: Stage) throws {
        try button(stage)
        let body =
            #"{"item_id": "\#(stage.places["item"] ?? "")", "started_at": "\#(stage.portal.now.text)"}"#
        let noted = stage.portal.call(.put, "/my/events/\(newID)", body, as: .nora)
        precondition(noted.status == 201, noted.text)
    }
}
