import JSON
import Web
import Wire
import Wording

/// A push message: one neutral sentence, the same for every subject, and an address. All have the same length.
enum PushLetter {
    /// The length of every text before it is sealed, in bytes. A relay learns nothing from it.
    static let length = 768
    private static let contentVersion = 8030

    private struct Whole: Encodable {
        struct Notification: Encodable {
            struct About: Encodable {
                let id: String
                /// Of a later call, which alerts again.
                let call: Int?
            }

            let title: String
            let body: String
            let navigate: String
            let lang: String
            let data: About
        }
        let webPush = PushLetter.contentVersion
        let notification: Notification
    }

    /// - Parameter title: the account's own heading; nil for a neutral one.
    static func text(_ message: DuePushMessage, title: String?, _ services: Services) throws -> [UInt8] {
        let language = services.language(of: [Language(rawValue: message.language)].compactMap(\.self))
        let texts = services.texts(language)
        let path =
            switch message.kind {
            case .assignment, .prompt: "/my/assignments/\(message.subject.id)"
            case .change, .test: "/my"
            }
        return try JSONWriter.bytes(
            of: Whole(
                notification: .init(
                    title: title ?? texts["push.title"], body: texts["push.body"],
                    navigate: services.origin + path, lang: language.rawValue,
                    data: .init(
                        id: message.subject.id, call: message.subject.call == 1 ? nil : message.subject.call))
            ))
    }
}
