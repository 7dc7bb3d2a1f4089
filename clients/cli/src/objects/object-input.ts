import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { fileText } from '@wadi/manifests/file-text.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { openDownload } from '../render/input-download.ts'
import { readObjectDocuments } from './object-documents.ts'

/** One object of the input and where it came from. */
export interface InputObject {
  object: JsonObject
  /** File or URL and the line where it begins, for messages; found each time that it is read. */
  readonly origin: string
}

const maxInputBytes = 10 * 1024 * 1024
const maxFiles = 10_000
const downloadTimeoutMs = 60_000
const fileNames = /\.(?:ya?ml|json)$/

/**
 * Reads all objects of the inputs in order: files, directories (their YAML and JSON files by name), http(s) URLs, and `-`
 * for standard input.
 * @throws CommandFailure for what cannot be read, InvalidInputError (`file:line: …`) for what is not an object.
 */
export async function readObjects(
  inputs: readonly string[],
  options: { recursive: boolean; signal: AbortSignal },
): Promise<InputObject[]> {
  const objects: InputObject[] = []
  for (const input of inputs) {
    for (const origin of await expandDirectory(input, options.recursive)) {
      const text = await readText(origin, options.signal)
      for (const { manifest, place } of readObjectDocuments(text, origin)) {
        const object: JsonValue = JSON.parse(manifestToJson(manifest))
        if (isJsonObject(object)) objects.push(inputObject(object, place))
      }
    }
  }
  return objects
}

function inputObject(object: JsonObject, place: () => string): InputObject {
  return {
    object,
    get origin() {
      return place()
    },
  }
}

async function expandDirectory(input: string, recursive: boolean): Promise<string[]> {
  if (input === '-' || isUrl(input) || !(await describePath(input)).isDirectory()) return [input]
  const names = await readdir(input, { recursive })
  const files: string[] = []
  for (const name of names.filter((candidate) => fileNames.test(candidate)).toSorted()) {
    const path = join(input, name)
    if ((await stat(path)).isFile()) files.push(path)
    if (files.length > maxFiles) throw new CommandFailure(`${input} holds more than ${maxFiles} files`)
  }
  if (files.length === 0) {
    const hint = recursive ? '' : '; add --recursive to include subdirectories'
    throw new CommandFailure(`${input} holds no .yaml, .yml or .json file${hint}`)
  }
  return files
}

async function describePath(path: string) {
  const description = await stat(path, { throwIfNoEntry: false })
  if (!description) throw new CommandFailure(`${path} does not exist`)
  return description
}

async function readText(origin: string, signal: AbortSignal): Promise<string> {
  if (origin === '-') return readBounded(process.stdin, 'standard input')
  if (isUrl(origin)) return download(origin, signal)
  return readBounded(createReadStream(origin), origin)
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(downloadTimeoutMs)
  try {
    return await readBounded(await openDownload(url, AbortSignal.any([signal, timeout])), url)
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error
    throw new CommandFailure(`${url} did not finish within ${downloadTimeoutMs / 1_000} s`, undefined, {
      cause: error,
    })
  }
}

async function readBounded(chunks: AsyncIterable<Uint8Array>, origin: string): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxInputBytes) throw new CommandFailure(`${origin} is larger than ${maxInputBytes} bytes`)
    parts.push(chunk)
  }
  return fileText(Buffer.concat(parts), origin)
}

function isUrl(input: string): boolean {
  return /^https?:\/\//.test(input)
}
