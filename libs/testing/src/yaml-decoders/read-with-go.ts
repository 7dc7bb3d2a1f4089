import { spawnSync } from 'node:child_process'
import { goProgramFile } from '../go-program.ts'
import { decodersProgram } from './decoders-program.ts'

/** The value that Go's libraries read in a text, as JSON. */
export interface GoReading {
  /** The first document, by `sigs.k8s.io/yaml`. */
  readonly document?: string
  readonly documentError?: string
  /** The documents that are not empty, by the decoder of streams of `k8s.io/apimachinery`; those before an error too. */
  readonly stream: readonly string[]
  readonly streamError?: string
}

const maxAnswerBytes = 1024 * 1024 * 1024

/** Reads texts with Go's libraries, all in one process. */
export function readWithGo(texts: readonly string[]): GoReading[] {
  const input = texts.flatMap((text) => {
    const bytes = Buffer.from(text)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  const { stdout, stderr, status } = spawnSync(goProgramFile(decodersProgram), {
    input: Buffer.concat(input),
    maxBuffer: maxAnswerBytes,
  })
  if (status !== 0) throw new Error(`the YAML decoders ended with ${status}: ${stderr.toString()}`)
  const readings: GoReading[] = []
  for (let offset = 0; offset < stdout.length;) {
    const end = offset + 4 + stdout.readUInt32BE(offset)
    readings.push(JSON.parse(stdout.toString('utf8', offset + 4, end)))
    offset = end
  }
  return readings
}
