import JSON
import Records
import Web
import WebPush
import Wire
import Wording

/// What is pushed: one neutral sentence, the same whatever it is about, and where it leads. As long as any other.
enum PushLetter {
    /// Of every text before it is sealed, in bytes. A relay learns nothing from its length.
    static let length = 768
    private static let contentVersion = 8030

    private struct Whole: Encodable {
        struct Notification: Encodable {
            struct About: Encodable { let id: String }

            let title: String
            let body: String
            let navigate: String
            let lang: String
            let data: About
        }
        let webPush = PushLetter.contentVersion
        let notification: Notification

        private enum CodingKeys: String, CodingKey {
            case notification
            case webPush = "web_push"
        }
    }

    /// - Parameter title: what the person wants to stand above it; nil for a neutral word.
    static func text(_ message: DuePushMessage, title: String?, _ services: Services) throws -> [UInt8] {
        let language = services.language(of: [Language(rawValue: message.language)].compactMap(\.self))
        let texts = services.texts(language)
        let path =
            switch message.kind {
            case .assignment, .prompt: "/my/assignments/\(message.subject)"
            case .change, .test: "/my"
            }
        return try JSONWriter.bytes(
            of: Whole(
                notification: .init(
                    title: title ?? texts["push.title"], body: texts["push.body"],
                    navigate: services.origin + path, lang: language.rawValue,
                    data: .init(id: message.subject))))
    }
}
