import { spawn } from 'node:child_process'

/** Opens an address in the user's browser; where there is none, nothing happens. */
export function openBrowser(address: URL, environment: NodeJS.ProcessEnv): void {
  const [program, ...args] = browserCommand(process.platform)
  const browser = spawn(program, [...args, address.href], {
    env: environment,
    stdio: 'ignore',
    detached: true,
  })
  // The address is printed too, so a machine without a browser is not an error.
  browser.once('error', () => undefined)
  browser.unref()
}

function browserCommand(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  // What `start` does, without a shell that would read the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
