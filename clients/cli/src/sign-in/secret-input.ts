import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { askSecret, askText, canAsk } from '../command-line/confirmation.ts'

/** The sources of a secret. */
export interface SecretSource {
  /** The name of the secret in the question and in errors: `password`. */
  what: string
  /** The flag whose value it is. */
  flag: string
  value: string | undefined
  /** The variable that holds it. */
  variable: string
  /** The flag that reads it from standard input, and whether it is given. */
  stdinFlag?: string
  fromStdin?: boolean
}

/**
 * Reads a secret: the flag's value, standard input, the variable, else a question on the terminal that does not show it.
 * @throws CommandFailure with exit code 1 when nobody can be asked
 */
export async function readSecret(session: CommandSession, source: SecretSource): Promise<string> {
  const { what, flag, value, variable, stdinFlag, fromStdin } = source
  if (value !== undefined) return value
  if (fromStdin) return (await process.stdin.setEncoding('utf8').toArray()).join('').replace(/\r?\n$/, '')
  const variableValue = session.environment[variable]
  if (variableValue !== undefined) return variableValue
  if (canAsk()) return askSecret(`${what.charAt(0).toUpperCase()}${what.slice(1)}: `, session.signal)
  const hidden = [stdinFlag, `$${variable}`].filter((way) => way !== undefined).join(' or ')
  throw new CommandFailure(
    `no ${what}, and there is no terminal to ask on: give it with ${hidden}; ${flag} works too but shows it in the process list`,
    1,
  )
}

/**
 * Reads the password of a command with the flags `--password` and `--password-stdin`; `$WADI_PASSWORD` may hold it too.
 * @param what the owner of the password, for the question and for errors
 * @throws CommandFailure with exit code 1 when nobody can be asked
 */
export async function readPassword(
  session: CommandSession,
  { password, passwordStdin = false }: { password?: string; passwordStdin?: boolean },
  what = 'password',
): Promise<string> {
  return readSecret(session, {
    what,
    flag: '--password',
    value: password,
    variable: 'WADI_PASSWORD',
    stdinFlag: '--password-stdin',
    fromStdin: passwordStdin,
  })
}

/**
 * Returns a text of a flag, else asks for it on the terminal.
 * @throws CommandFailure with exit code 1 when nobody can be asked
 */
export async function readText(
  session: CommandSession,
  what: string,
  flag: string,
  value: string | undefined,
): Promise<string> {
  if (value !== undefined) return value
  if (canAsk()) return askText(`${what}: `, session.signal)
  throw new CommandFailure(
    `no ${what.toLowerCase()}, and there is no terminal to ask on: give it with ${flag}`,
    1,
  )
}
