import hooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks'

// A process of tests imports this before anything else. To know which test something comes from, `node:test` follows every
// promise and timer that begins and ends: a third of the processor time of all tests. Here it finds the test in an
// AsyncLocalStorage, which costs nothing. Should a later Node.js no longer ask in this way, nothing changes but the time.

const running = new AsyncLocalStorage<number>()
let lastId = 0
let told: HookCallbacks = {}

/** A test, suite or hook, as `node:test` derives them. */
class TestResource extends AsyncResource {
  readonly #id = ++lastId

  constructor(type: string, options?: ConstructorParameters<typeof AsyncResource>[1]) {
    super(type, options)
    told.init?.(this.#id, type, 0, this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => running.run(this.#id, () => Reflect.apply(work, thisArg, args)))
  }
}

const { executionAsyncId, createHook } = hooks
Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => running.getStore() ?? 0,
  createHook: (callbacks: HookCallbacks) => {
    told = callbacks
    const unused = { enable: () => unused, disable: () => unused }
    return unused
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, executionAsyncId, createHook })
