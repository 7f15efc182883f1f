// The list of sounds: sends what a page of a sound has left behind when it was closed.
import { sendLeft } from "./heard-left.js"

void sendLeft().catch(() => undefined)
