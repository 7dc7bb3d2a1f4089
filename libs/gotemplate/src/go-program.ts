import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { compileFunction } from 'node:vm'
import { workerData } from 'node:worker_threads'
import { zstdDecompress, zstdDecompressSync } from 'node:zlib'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { type CallClock, createCallClock } from './call-clock.ts'
import type { HelmEngine, KustomizeEngine } from './engine-versions.ts'
import { maxMemoryMiB } from './memory-limit.ts'

/** The globals that Go's host script gets instead of the real ones. */
const hostParameters = ['globalThis', 'fs', 'console', 'setTimeout', 'performance']

/** Go asks for these numbers when it starts; every file that it opens, such as that of a time zone, is missing. */
const openFlags = ['O_WRONLY', 'O_RDWR', 'O_CREAT', 'O_TRUNC', 'O_APPEND', 'O_EXCL', 'O_DIRECTORY']

/** Room for the largest file, so that one is decompressed to one buffer rather than to a thousand. */
const chunkSize = 16 * 1024 * 1024

/** Go never gives memory back to its host, so an instance that grew past this many bytes is replaced. */
const memoryToReplaceAt = 192 * 1024 * 1024

/** The class of `wasm_exec.js`: the host side of one run of a Go program. */
interface GoHost {
  importObject: WebAssembly.Imports
  exit: (code: number) => void
  run(instance: WebAssembly.Instance): Promise<void>
}

/** The global object of a program. The program sets `call`; the rest is given to it. */
interface HostGlobals {
  Go?: new () => GoHost
  call?: (request: string) => unknown
  read?: ((path: string) => string | undefined) | undefined
  [name: string]: unknown
}

/** A program's answer. */
interface Answer {
  output: string
  error?: string
  invalidRequest?: string
}

interface Instance {
  globals: HostGlobals
  memory: WebAssembly.Memory
  clock: CallClock
  /** True while the program runs; a timer of Go's must not wake one that ended. */
  alive: boolean
  /** The program's output: in practice the reason of its end. */
  written: string[]
}

/**
 * A Go program ended during a call, and the stack of Go follows the reason, or it does not know a field of the request. The
 * message begins with the name of the call.
 */
export class GoProgramError extends Error {}

/** A Go program that answers one call at a time and, when it has ended, is started again by the next call. */
export interface GoProgram {
  /**
   * Sends the request as JSON and returns the output of the program. The program's requests are answered by `read`: files
   * in base64, and the objects of a template as they are. `name` names the call in errors that the program itself could not report.
   * @throws InvalidInputError with the message of the program, or when the input is nested too deeply for its stack.
   * @throws ResourceExhaustedError when the program needs more than 512 MiB.
   * @throws GoProgramError when the program ended during the call or expects other fields.
   */
  call(name: string, request: object, read?: (path: string) => string | undefined): string
}

/** The programs of this directory: `<name>.wasm.zst` has the code, `<name>.data.zst` what the memory begins with. */
export type GoProgramName =
  | 'template'
  | 'jsonnet'
  | 'policies'
  | `kustomize-${KustomizeEngine}`
  | `helm-${HelmEngine}`

/** A compiled program. Threads of one process share it: each has only the memory that its own calls need. */
export interface CompiledGoProgram {
  readonly name: GoProgramName
  readonly module: WebAssembly.Module
}

/** The data that a pool gives its threads. */
export interface GoProgramData {
  readonly program: CompiledGoProgram
}

const compiled = new Map<GoProgramName, WeakRef<Promise<CompiledGoProgram>>>()

/**
 * Verifies, decompresses and compiles a Go program of this directory, once for all of this thread that keep the result.
 * @throws Error when the program is not the one that build.ts recorded.
 */
export function compileGoProgram(name: GoProgramName): Promise<CompiledGoProgram> {
  const known = compiled.get(name)?.deref()
  if (known) return known
  const program = verifyAndCompile(name)
  compiled.set(name, new WeakRef(program))
  program.catch(() => compiled.delete(name))
  return program
}

async function verifyAndCompile(name: GoProgramName): Promise<CompiledGoProgram> {
  const wasm = await promisify(zstdDecompress)(await readVerified(`${name}.wasm.zst`), { chunkSize })
  try {
    if (name !== 'policies') return { name, module: await WebAssembly.compile(wasm) }
    const { compileOptimizedLate } = await import('./late-optimization.ts')
    return { name, module: await compileOptimizedLate(wasm) }
  } finally {
    giveBack(wasm)
  }
}

/** Frees tens of MiB now, which would stay until a garbage collection finds them. The compiled program has a copy of its own. */
function giveBack({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/**
 * Loads a Go program of this directory: the compiled one that the thread was given, else it compiles it. Nothing runs before the first
 * call. The program has a global object of its own: no file system, no environment, no network.
 * @throws Error when the program or Go's host script is not the one that build.ts recorded.
 */
export async function loadGoProgram(name: GoProgramName): Promise<GoProgram> {
  const [{ module }, script] = await Promise.all([
    givenProgram(name) ?? compileGoProgram(name),
    readVerified('wasm_exec.js'),
  ])
  const host = compileFunction(script.toString(), hostParameters, { filename: 'wasm_exec.js' })
  let instance: Instance | undefined
  return {
    call: (call, request, read) => {
      const running = (instance ??= start({ name, module }, host))
      running.globals.read = read
      try {
        return callInstance(call, running, JSON.stringify(request))
      } finally {
        running.globals.read = undefined
        if (!running.alive || running.memory.buffer.byteLength > memoryToReplaceAt) {
          running.alive = false
          instance = undefined
        }
      }
    },
  }
}

function givenProgram(name: GoProgramName): CompiledGoProgram | undefined {
  const given = givenData()?.program
  return given?.name === name ? given : undefined
}

function givenData(): Partial<GoProgramData> | null {
  return workerData as Partial<GoProgramData> | null
}

/**
 * Loads the program that a pool gave to this thread.
 * @throws Error in a thread that was given none, and what `loadGoProgram` throws
 */
export async function loadGivenProgram(): Promise<GoProgram> {
  const name = givenData()?.program?.name
  if (name === undefined) throw new Error('this thread was given no Go program')
  return await loadGoProgram(name)
}

async function readVerified(file: string): Promise<Uint8Array> {
  const [record, content] = await Promise.all([recordFile, file].map((name) => readFile(placeOf(name))))
  return verified(file, String(record), content)
}

const recordFile = 'build-record.json'

function placeOf(file: string): URL {
  return new URL(file, import.meta.url)
}

function verified(file: string, record: string, content: Uint8Array | undefined): Uint8Array {
  const { sha256 }: { sha256: Record<string, string> } = JSON.parse(record)
  if (content === undefined || createHash('sha256').update(content).digest('hex') !== sha256[file]) {
    throw new Error(`libs/gotemplate/src/${file} is not the recorded one: run npm run build:gotemplate`)
  }
  return content
}

/** Writes what the memory of an instance begins with, which is read again for each one so that nothing keeps it. */
function writeData(name: GoProgramName, memory: WebAssembly.Memory): void {
  const file = `${name}.data.zst`
  const record = readFileSync(placeOf(recordFile), 'utf8')
  const data = zstdDecompressSync(verified(file, record, readFileSync(placeOf(file))), { chunkSize })
  new Uint8Array(memory.buffer).set(data)
  giveBack(data)
}

function start({ name, module }: CompiledGoProgram, host: Function): Instance {
  const written: string[] = []
  const fs = {
    constants: Object.fromEntries(openFlags.map((flag) => [flag, -1])),
    open: (_path: string, _flags: number, _mode: number, done: (error: Error) => void) =>
      done(Object.assign(new Error('there are no files'), { code: 'ENOENT' })),
    writeSync: (_descriptor: number, bytes: Uint8Array) => {
      written.push(Buffer.from(bytes).toString())
      return bytes.length
    },
  }
  const console = { warn: (text: string) => written.push(text) }
  const wakeLater = (wake: () => void, milliseconds: number): NodeJS.Timeout =>
    setTimeout(() => wakeInstance(instance, wake), milliseconds).unref()
  const clock = createCallClock()
  const intrinsics = { Object, Array, Uint8Array, Date, Error, TextEncoder, TextDecoder, crypto }
  const globals: HostGlobals = { ...intrinsics, fs, performance: clock }
  host(globals, fs, console, wakeLater, clock)
  if (globals.Go === undefined) {
    throw new Error('wasm_exec.js defines no Go')
  }
  const go = new globals.Go()
  const program = new WebAssembly.Instance(module, go.importObject)
  const memory = program.exports['mem']
  if (!(memory instanceof WebAssembly.Memory)) {
    throw new Error('the Go program exports no memory')
  }
  writeData(name, memory)
  const instance: Instance = { globals, memory, clock, alive: true, written }
  go.exit = () => {
    instance.alive = false
  }
  go.run(program).catch((cause: unknown) => {
    instance.alive = false
    written.push(String(cause))
  })
  return instance
}

function wakeInstance(instance: Instance, wake: () => void): void {
  if (!instance.alive) {
    return
  }
  try {
    wake()
  } catch (cause) {
    // The next call starts another instance; no caller is waiting for this one.
    instance.alive = false
    instance.written.push(String(cause))
  }
}

function callInstance(name: string, instance: Instance, request: string): string {
  const encoded = answerOf(name, instance, request)
  if (typeof encoded !== 'string') {
    throw endOf(name, instance)
  }
  const { output, error, invalidRequest }: Answer = JSON.parse(encoded)
  if (invalidRequest !== undefined) {
    throw new GoProgramError(`${name}: the Go program expects another request: ${invalidRequest}`)
  }
  if (error !== undefined) {
    throw new InvalidInputError(error)
  }
  return output
}

function answerOf(name: string, instance: Instance, request: string): unknown {
  instance.clock.beginCall()
  try {
    return instance.alive ? instance.globals.call?.(request) : undefined
  } catch (cause) {
    instance.alive = false
    if (cause instanceof RangeError) {
      throw new InvalidInputError(`${name}: nested or recursive too deeply to be evaluated`, { cause })
    }
    throw endOf(name, instance, cause)
  } finally {
    instance.clock.endCall()
  }
}

/** The first words of Go's runtime when memory does not grow. */
const memoryExhausted = /out of memory|cannot (?:allocate|reserve|map)|failed to (?:allocate|reserve)/

/** Returns why the program ended, from what it wrote. */
function endOf(name: string, { written }: Instance, cause?: unknown): Error {
  const reason = written.join('')
  return memoryExhausted.test(reason)
    ? new ResourceExhaustedError(`${name}: needs more than ${maxMemoryMiB} MiB: make it simpler`)
    : new GoProgramError(`${name}: the Go program ended: ${reason}`, { cause })
}
