// A world has a function of its own in the place of this one.
const { setImmediate: own } = globalThis

/** Waits for the next turn of Node's loop, which comes when no promise is left to settle. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => own(resolve))
}
