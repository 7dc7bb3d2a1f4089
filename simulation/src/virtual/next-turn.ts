// A world has a function of its own in the place of this one.
const { setImmediate: own } = globalThis

/** Waits until no promise is left to settle. */
export function promisesSettled(): Promise<void> {
  // Node calls it when its queue of promises is empty.
  return new Promise((resolve) => process.nextTick(resolve))
}

/** Waits for the next turn of Node's loop, in which promises that nobody took the errors of are known. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => own(resolve))
}
