import Foundation
import Portal

/// Makes a staff account. The password comes from standard input, or is asked for twice at a terminal.
enum AccountCreate: Command {
    static let name = "account create"
    static let summary = "Makes a staff account; the password is read from standard input"
    static let options = [
        Option.data, Option.database, Option("email", "ADDRESS", "the address to sign in with"),
        Option("name", "NAME", "the full name"),
        Option("role", "ROLE", "therapist, lead or admin; may be given several times"), Option.resources,
    ]

    static func run(_ arguments: Arguments) throws {
        let email = try arguments.required("email")
        let name = try arguments.required("name")
        let roles = arguments.all("role")
        guard !roles.isEmpty else { throw UsageError("--role is missing") }
        let password = try isatty(STDIN_FILENO) == 1 ? askTwice() : readLine(strippingNewline: true) ?? ""
        let settings = try arguments.settings()
        try FolderLock.take(settings)
        try Operations.createAccount(settings, email: email, name: name, roles: roles, password: password)
        Output.line("\(email) can sign in")
    }

    private static func askTwice() throws -> String {
        let first = ask("password: ")
        guard first == ask("again: ") else { throw UsageError("the two passwords differ") }
        return first
    }

    /// Reads a line without showing it.
    private static func ask(_ prompt: String) -> String {
        FileHandle.standardError.write(Data(prompt.utf8))
        var shown = termios()
        tcgetattr(STDIN_FILENO, &shown)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return readLine(strippingNewline: true) ?? ""
    }
}
