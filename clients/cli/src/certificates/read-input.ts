import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { CommandFailure } from '../command-line/command-failure.ts'

/**
 * Reads a file, or standard input for none or `-`, and says so as argocd does.
 * @param what the names of the input in messages
 */
export async function readInput(
  from: string | undefined,
  what: { file: string; input: string },
): Promise<string> {
  if (from === undefined || from === '-') {
    process.stdout.write(`Enter ${what.input}. Press CTRL-D when finished.\n`)
    return (await buffer(process.stdin)).toString('utf8')
  }
  process.stdout.write(`Reading ${what.file} '${withoutUserInfo(from)}'\n`)
  try {
    return await readFile(from, 'utf8')
  } catch (cause) {
    const { message } = cause instanceof Error ? cause : new Error(String(cause))
    throw new CommandFailure(`cannot read ${from}: ${message}`, undefined, { cause })
  }
}
