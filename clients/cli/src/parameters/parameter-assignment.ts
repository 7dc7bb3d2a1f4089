import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { CommandFailure } from '../command-line/command-failure.ts'

const maxFileBytes = 1024 * 1024

/** A value for a parameter or one item of it, as the server takes it. */
export interface ParameterAssignmentText {
  target: string
  value: string
}

/**
 * Reads the texts of `-p name=value`. A value `@FILE` is the file's content, and one that begins with `@@` is text that
 * begins with `@`.
 * @throws CommandFailure for a text without name or `=`, and for a file that cannot be read as UTF-8 text of at most 1 MiB
 */
export async function readAssignments(texts: readonly string[]): Promise<ParameterAssignmentText[]> {
  const assignments = []
  for (const text of texts) {
    const split = text.indexOf('=')
    if (split < 1) throw new CommandFailure(`-p takes name=value, not ${JSON.stringify(text)}`, 1)
    const value = text.slice(split + 1)
    assignments.push({ target: text.slice(0, split), value: await valueOf(value) })
  }
  return assignments
}

async function valueOf(text: string): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1)
  return text.startsWith('@') ? readText(text.slice(1)) : text
}

async function readText(path: string): Promise<string> {
  const bytes = await readBounded(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new CommandFailure(`${path} is not UTF-8 text`, undefined, { cause: error })
  }
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    // The end is the last byte to read, so one more than may be there; a pipe gives its bytes in parts.
    const bytes = await buffer(createReadStream(path, { end: maxFileBytes }))
    if (bytes.length <= maxFileBytes) return bytes
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`-p name=@FILE: ${reason}; write @@ for a value that begins with @`, undefined, {
      cause: error,
    })
  }
  throw new CommandFailure(`${path} is larger than ${maxFileBytes} bytes`)
}
