/// The consequences of deleting the own account, shown beforehand.
public struct AccountDeletion: Documented, Decodable {
    public static let type = "account_deletion"
    /// The number of days therapists may still take the file of their therapy; 0 when there is none.
    public var fileKeptDays: Int
    public var message: String

    public init(fileKeptDays: Int, message: String) {
        self.fileKeptDays = fileKeptDays
        self.message = message
    }

    public static let example = AccountDeletion(fileKeptDays: 14, message: "Your account goes at once.")
}
