/** Passes events on, and `undefined` whenever none came for `pauseMs` milliseconds; ends when they end. */
export async function* withPauses<Event>(
  events: AsyncIterable<Event>,
  pauseMs: number,
): AsyncGenerator<Event | undefined, void> {
  const iterator = events[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<Event>> | undefined
  for (;;) {
    next ??= iterator.next()
    const { promise: pause, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(resolve, pauseMs, undefined)
    let first: IteratorResult<Event> | undefined
    try {
      first = await Promise.race([next, pause])
    } finally {
      clearTimeout(timer)
    }
    if (first?.done) return
    if (first) next = undefined
    yield first?.value
  }
}
