import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileText } from '@wadi/manifests/file-text.ts'
import { CommandFailure } from '../command-line/command-failure.ts'

const maxFileBytes = 10 * 1024 * 1024

/** A values file as it was given, with its text. */
interface ValuesFile {
  path: string
  text: string
}

/**
 * Reads a file that is given to `--values`.
 * @throws CommandFailure when it cannot be read or is larger than 10 MiB, InvalidInputError when it is not UTF-8 text
 */
export async function readValuesFile(path: string): Promise<ValuesFile> {
  return { path, text: fileText(await readBounded(path), path) }
}

async function readBounded(path: string): Promise<Buffer> {
  const content = await readStart(path)
  if (content.length <= maxFileBytes) return content
  throw new CommandFailure(`${path} is larger than ${maxFileBytes} bytes`)
}

async function readStart(path: string): Promise<Buffer> {
  try {
    // The end is the last byte to read, so one more than may be there; a pipe gives its bytes in parts.
    return await buffer(createReadStream(path, { end: maxFileBytes }))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new CommandFailure(`--values: there is no file ${path}`, undefined, { cause: error })
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(`--values: ${reason}`, undefined, { cause: error })
  }
}
