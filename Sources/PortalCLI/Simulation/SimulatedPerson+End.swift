import PortalClient

// After the end of the storm.
extension SimulatedPerson {
    /// - Returns: whether everything was sent.
    func settle() async throws -> Bool {
        var isSettled = true
        if let browser {
            await browser.comeBack()
            await browser.synchronise()
            if await browser.waiting > 0 { isSettled = false }
        }
        for phone in phones {
            phone.comeBack()
            try await phone.use { app in
                try decide(app)
                let summary = await app.sync(.asked)
                try decide(app)
                if try summary.outcome != .complete || app.store.waiting() > 0 { isSettled = false }
            }
        }
        return isSettled
    }

    func states() async throws -> (
        diary: Diary, phones: [PhoneState], browser: BrowserState?, portal: PortalState
    ) {
        var states: [PhoneState] = []
        for phone in phones { states.append(try await phone.use { try PhoneState($0.store) }) }
        var inBrowser: BrowserState?
        if let browser {
            inBrowser = BrowserState(refusals: await browser.refusals, waiting: await browser.waiting)
        }
        return (diary, states, inBrowser, try await PortalState(phones[0].client()))
    }
}
