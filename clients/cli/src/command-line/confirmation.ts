import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandFailure } from './command-failure.ts'

/** Exit code after Ctrl-C, which a terminal that is asked a question hands over as a key. */
const interruptedExitCode = 130

/** Returns true if a person can be asked: standard input and output are terminals. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

/**
 * Asks until the answer is yes, no or, with `offerAll`, all.
 * @throws CommandFailure when the input ends.
 */
export async function askYesNoAll(
  question: string,
  options: { offerAll: boolean; signal: AbortSignal },
): Promise<'yes' | 'no' | 'all'> {
  for (;;) {
    const answer = (await readAnswer(question, process.stdout, options.signal)).trim().toLowerCase()
    if (answer === 'y' || answer === 'yes') return 'yes'
    if (answer === 'n' || answer === 'no') return 'no'
    if (options.offerAll && (answer === 'a' || answer === 'all')) return 'all'
  }
}

/** Asks for a line of text on the terminal. */
export async function askText(question: string, signal: AbortSignal): Promise<string> {
  return (await readAnswer(question, process.stderr, signal)).trim()
}

/** Asks for a secret on the terminal without showing what is typed. */
export async function askSecret(question: string, signal: AbortSignal): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = readAnswer('', silence, signal)
  // From here on the terminal shows nothing that is typed.
  process.stderr.write(question)
  try {
    return await answer
  } finally {
    process.stderr.write('\n')
  }
}

async function readAnswer(
  question: string,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      const cancel = () => reject(new CommandFailure('cancelled', interruptedExitCode))
      terminal.once('close', () => reject(new CommandFailure('the input ended before an answer was given')))
      terminal.once('SIGINT', cancel)
      terminal.question(question, { signal }).then(resolve, cancel)
    })
  } catch (error) {
    // The next message begins on a line of its own.
    output.write('\n')
    throw error
  } finally {
    terminal.close()
  }
}
