import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

/** The end of a command of argocd. */
export interface CommandOutcome {
  readonly exitCode: number
  readonly output: string
  /** Its error output when it fails. */
  readonly error: string
}

/** The real argocd: what `ARGOCD_BINARY` names, else the first on the PATH; undefined when there is none. */
export const argocdBinary: string | undefined = [
  process.env['ARGOCD_BINARY'] ?? '',
  ...(process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, 'argocd')),
].find(isExecutable)

/** Runs a command of the real argocd; its configuration is in `directory`. */
export async function runArgocd(
  directory: string,
  address: string,
  token: string,
  args: readonly string[],
): Promise<CommandOutcome> {
  const { host } = new URL(address)
  const all = [...args, '--config', join(directory, 'config'), '--server', host, '--plaintext']
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory, ARGOCD_AUTH_TOKEN: token }
  try {
    const { stdout } = await promisify(execFile)(argocdBinary ?? '', all, {
      env: environment,
      timeout: hangLimitMs,
    })
    return { exitCode: 0, output: stdout, error: '' }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { exitCode: code, output: stdout, error: stderr }
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return file !== ''
  } catch {
    return false
  }
}
