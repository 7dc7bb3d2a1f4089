import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The first one has no windows and takes a sixth less processor time for the same pages. */
const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))

/** The reason why there is no browser on this machine; undefined if there is one. */
export const noBrowser = executablePath === undefined ? 'chromium is not installed' : undefined

/** A name of this machine that the browser does not take for its own, so that http without TLS is not a secure context there. @internal */
export const plainHost = 'console.test'

/** Starts the browser of this machine without a window. @internal tests start it */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`,
    ],
  })
}
