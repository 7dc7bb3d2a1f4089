import { readFileSync, readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Program } from './program.ts'
import { startProgram } from './start-program.ts'

/** Starts a program with the search path of this process, in a group of its own. */
export async function start(argv: [string, ...string[]], changes: Partial<Program> = {}) {
  const [command, ...args] = argv
  return await startProgram({
    command,
    args,
    cwd: '/',
    environment: { PATH: process.env['PATH'] ?? '' },
    leadsGroup: true,
    hasInput: true,
    label: command,
    ...changes,
  })
}

/** Runs a program without input to its end. */
export async function output(argv: [string, ...string[]], changes: Partial<Program> = {}) {
  const program = await start(argv, changes)
  program.stdin.end()
  const [out, errors, end] = await Promise.all([text(program.stdout), text(program.stderr), program.closed])
  return { out, errors, ...end }
}

/** The processes that start programs for another one. */
export function startersOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/stat`, 'latin1')
        return (
          status.includes('(wadi-starter) ') &&
          Number(status.split(') ')[1]?.split(' ')[1]) === parent &&
          !status.includes(') Z ')
        )
      } catch {
        return false
      }
    })
}

/** Why a test that looks at processes is skipped here. */
export const linuxAlone = process.platform === 'linux' ? false : 'reads /proc'
