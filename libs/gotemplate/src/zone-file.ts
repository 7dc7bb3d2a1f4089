import { fileURLToPath } from 'node:url'

/** The time zones that the Go programs of this directory know, as a file for other programs of Go, which read it where `ZONEINFO` names it. */
export const zoneFile = fileURLToPath(new URL('zoneinfo.zip', import.meta.url))
