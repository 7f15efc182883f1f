/// A sheet of the short form, as a phone sends it.
enum SheetSample {
    static let path = "/my/contributions/6f9619ff-8b86-4d01-b42d-00cf4fc964ff"

    static let all = """
        "came_back": 3, "hard_moment": 2, "dream": 0, "inner_talk": 4, "tried_out": 1, "looked_ahead": 2, "lighter": 3, "heavier": 1
        """

    /// A whole sheet of the short form, completed at a moment.
    static func sheetBody(assignment: String, at completed: String = "2026-11-20T08:45:00Z") -> String {
        """
        {"assignment_id": "\(assignment)", "started_at": "\(completed)", "completed_at": "\(completed)",
         "timezone": "Europe/Vienna", "answers": {\(all)}}
        """
    }
}
