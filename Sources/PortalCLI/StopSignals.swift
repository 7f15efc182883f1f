import Foundation

/// The signals that end the server in order, awaited on the main thread; blocked before any other thread starts.
struct StopSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        // Log rotation and supervisors send these as a matter of routine.
        signal(SIGUSR1, SIG_IGN)
        signal(SIGUSR2, SIG_IGN)
        if Self.endsWithTerminal() { sigaddset(&set, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Whether SIGHUP says that the terminal was closed: then a server in it would keep port and folder unseen. Without a terminal,
    /// and under `nohup`, it is ignored.
    private static func endsWithTerminal() -> Bool {
        let former = signal(SIGHUP, SIG_IGN)
        // C compares these by address.
        guard unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else {
            return false
        }
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        // An ignored signal could not be waited for.
        signal(SIGHUP, SIG_DFL)
        return true
    }

    func wait() {
        var set = set
        var received = Int32(0)
        sigwait(&set, &received)
        // A handler that never returns must not keep the program alive: ten seconds are promised. That is no end in order.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 9.5)
            _exit(1)
        }
    }
}
