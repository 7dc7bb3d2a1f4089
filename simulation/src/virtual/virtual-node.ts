import crypto from 'node:crypto'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import zlib from 'node:zlib'
import { nextTurn } from './next-turn.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { VirtualDisk } from './virtual-disk.ts'
import { startTimer, stopTimer, wait } from './virtual-timers.ts'

/** The time, chance, disk and logs of a world. */
interface World {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly disk: VirtualDisk
  /** Takes a line of a log of the process whose step it is. */
  readonly log: (line: string) => void
}

let inside: World | undefined
let reads = 0

/**
 * Lets all code of this process live in a world until disposal: Node's timers, clocks, random numbers, small files and compression are those
 * of the world. Outside of one they are Node's own.
 */
export function enterWorld(world: World): AsyncDisposable {
  if (inside) throw new Error('a process is in one world at a time')
  inside = world
  reads = 0
  return {
    [Symbol.asyncDispose]: async () => {
      // What is left to promises belongs to the world.
      await nextTurn()
      inside = undefined
    },
  }
}

/** Writes a line to the log of the world. */
export function logToWorld(line: string): void {
  inside?.log(line)
}

type Call = (...values: unknown[]) => unknown

/** Replaces a function of Node by one that asks the world while there is one. */
function replace(owner: object, name: string, ofWorld: (world: World, ...values: never[]) => unknown): void {
  const own: unknown = Reflect.get(owner, name)
  if (typeof own !== 'function') throw new Error(`Node has no ${name}`)
  const call: Call = (...values) => {
    if (!inside) return Reflect.apply(own, owner, values)
    return Reflect.apply(ofWorld, undefined, [inside, ...values])
  }
  Object.defineProperty(owner, name, { value: call, configurable: true, writable: true })
}

function replaceTimers(): void {
  const start = (world: World, call: Call, milliseconds?: number, ...values: unknown[]) =>
    startTimer(world.scheduler, () => call(...values), milliseconds)
  replace(globalThis, 'setTimeout', start)
  replace(globalThis, 'setInterval', (world, call: Call, milliseconds?: number) =>
    startTimer(world.scheduler, call, milliseconds, true),
  )
  replace(globalThis, 'setImmediate', (world, call: Call, ...values: unknown[]) =>
    startTimer(world.scheduler, () => call(...values), 0),
  )
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
    replace(globalThis, name, (_world, timer: unknown) => void stopTimer(timer))
  }
  replace(timers, 'setTimeout', (world, milliseconds?: number, value?: unknown, options?: object) =>
    wait(world.scheduler, milliseconds, value, options),
  )
  replace(timers, 'setImmediate', (world, value?: unknown) => wait(world.scheduler, 0, value))
  // Node keeps those of its own that nobody aborts, with all that listens to them.
  replace(AbortSignal, 'any', (_world, signals: readonly AbortSignal[]) => {
    const any = new AbortController()
    const aborted = signals.find((signal) => signal.aborted)
    if (aborted) any.abort(aborted.reason)
    else
      for (const signal of signals)
        signal.addEventListener('abort', () => any.abort(signal.reason), { once: true })
    return any.signal
  })
  replace(AbortSignal, 'timeout', (world, milliseconds: number) => {
    const timeout = new AbortController()
    const over = () => timeout.abort(new DOMException('The operation timed out', 'TimeoutError'))
    startTimer(world.scheduler, over, milliseconds)
    return timeout.signal
  })
}

function replaceClocks(): void {
  // As in life, no two moments of one process are the same.
  replace(performance, 'now', (world) => world.scheduler.now + ++reads / 1e6)
  replace(Date, 'now', (world) => world.scheduler.wallClock)
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values: unknown[], asked) => {
      const given = values.length === 0 && inside ? [inside.scheduler.wallClock] : values
      const constructed: unknown = Reflect.construct(target, given, asked === Date ? RealDate : asked)
      if (constructed instanceof RealDate) return constructed
      throw new Error('a date is not one')
    },
  })
}

function replaceChance(): void {
  replace(Math, 'random', (world) => world.random.next())
  replace(crypto, 'randomUUID', (world) => {
    const digits = Array.from({ length: 32 }, () => world.random.below(16).toString(16)).join('')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  })
}

/** Replaces functions that Node does in threads, which end at any time: a world does them at once, and packs nothing. */
function replaceThreads(): void {
  replace(zlib, 'gzip', (_world, text: Uint8Array, done: Call) => void done(null, Buffer.from(text)))
  replace(zlib, 'gunzip', (_world, packed: Buffer, _options: object, done: Call) => void done(null, packed))
  for (const name of ['readFile', 'writeFile', 'rename', 'rm', 'mkdir', 'readdir', 'stat'] as const) {
    replace(fs, name, (world, ...values) => Reflect.apply(world.disk.functions[name], undefined, values))
  }
}

replaceTimers()
replaceClocks()
replaceChance()
replaceThreads()
syncBuiltinESMExports()
