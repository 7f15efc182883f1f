/// The minute of a random prompt must not be shown ahead, so pages do not format such times themselves.
enum PromptTimeRule {
    static let message = "times of prompts are said by Texts.when, opening and closing (FD-24)"

    private static let writers = [
        ".short(", ".time(", ".dayAndTime(", ".machineTime(", ".day(", ".weekday(", ".longDay(",
    ]
    private static let times = [
        "availableFrom", "dueAt", "opens.at", "closes.at", "promptedAt", ".opens)", ".closes)", "firesAt",
    ]
    private static let home = ["Sources/Wording/PromptWords.swift", "PromptTimeRule.swift"]

    static func isNear(_ text: String, in path: String) -> Bool {
        !home.contains { path.contains($0) } && isBroken(by: text)
    }

    static func isBroken(by code: String) -> Bool {
        writers.contains { code.contains($0) } && times.contains { code.contains($0) }
    }
}
