import type { Scheduler, Step } from './scheduler.ts'

/** A timer of a world; code that asks for a `NodeJS.Timeout` gets it. */
class VirtualTimer implements Disposable {
  readonly #scheduler: Scheduler
  readonly #call: () => void
  readonly #milliseconds: number
  readonly #repeats: boolean
  #step: Step | undefined

  constructor(scheduler: Scheduler, call: () => void, milliseconds: number, repeats: boolean) {
    this.#scheduler = scheduler
    this.#call = call
    this.#milliseconds = milliseconds
    this.#repeats = repeats
    this.#start()
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  refresh(): this {
    this.close()
    this.#start()
    return this
  }

  close(): void {
    if (this.#step) this.#scheduler.cancel(this.#step)
    this.#step = undefined
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #start(): void {
    const { current } = this.#scheduler
    const goOff = (): void => {
      this.#step = undefined
      if (this.#repeats) this.#start()
      this.#call()
    }
    this.#step = this.#scheduler.after(this.#milliseconds, current, 'timer', goOff, true)
  }
}

/** Starts a timer of the current actor. As Node does, a time that is none is a millisecond. */
export function startTimer(
  scheduler: Scheduler,
  call: () => void,
  milliseconds: number | undefined,
  repeats = false,
): VirtualTimer {
  const time = Number(milliseconds)
  return new VirtualTimer(scheduler, call, time >= 1 && time < 2 ** 31 ? time : 1, repeats)
}

/** Stops a timer of a world; false for something else. */
export function stopTimer(timer: unknown): boolean {
  if (!(timer instanceof VirtualTimer)) return false
  timer.close()
  return true
}

/** Waits as `setTimeout` of `node:timers/promises` does. */
export function wait<Value>(
  scheduler: Scheduler,
  milliseconds: number | undefined,
  value: Value,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.close()
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = startTimer(
      scheduler,
      () => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      },
      milliseconds,
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
