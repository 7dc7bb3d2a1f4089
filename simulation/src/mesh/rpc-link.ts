import type { DescMessage, DescMethodStreaming, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { Code, ConnectError, type StreamResponse, type Transport } from '@connectrpc/connect'
import { asNotSent } from '@wadi/rpc/service-connection.ts'
import { Channel } from '../virtual/channel.ts'
import type { Fate } from '../virtual/network.ts'
import type { Actor, Scheduler } from '../virtual/scheduler.ts'
import type { ServedRoutes } from './served-routes.ts'

/** A service process as its callers find it: another one after each start. */
export interface Listener {
  readonly actor: Actor
  readonly routes: ServedRoutes
  /** Aborts when the process is gone. */
  readonly gone: AbortSignal
}

/** The link between a process and a service. */
interface Link {
  readonly scheduler: Scheduler
  readonly from: Actor
  /** Aborts when the process is gone; undefined for one that stays. */
  readonly fromGone: AbortSignal | undefined
  /** The service's process now; undefined while there is none. */
  readonly listener: () => Listener | undefined
  readonly fate: (from: Actor, to: Actor) => Fate
}

const noHeaders = new Headers()

/** The transport of the calls of one process to a service: what is sent and answered arrives in steps of the world. */
export function rpcLink(link: Link): Transport {
  return {
    unary: async (method, signal, timeoutMs, header, input) => {
      const message = await new Call(link, method.name, { signal, timeoutMs }).unary((routes, whole) =>
        routes.unary(method, input, { signal: whole, header, timeoutMs }),
      )
      return {
        stream: false,
        service: method.parent,
        method,
        header: noHeaders,
        trailer: noHeaders,
        message,
      }
    },
    stream: async <I extends DescMessage, O extends DescMessage>(
      method: DescMethodStreaming<I, O>,
      signal: AbortSignal | undefined,
      timeoutMs: number | undefined,
      header: ConstructorParameters<typeof Headers>[0] | undefined,
      input: AsyncIterable<MessageInitShape<I>>,
    ): Promise<StreamResponse<I, O>> => {
      const call = new Call(link, method.name, { signal, timeoutMs })
      const message = await call.stream<MessageInitShape<I>, MessageShape<O>>(
        input,
        (routes, whole, messages) => routes.stream(method, messages, { signal: whole, header, timeoutMs }),
      )
      return {
        stream: true,
        service: method.parent,
        method,
        header: noHeaders,
        trailer: noHeaders,
        message,
      }
    },
  }
}

const lost = (): ConnectError => new ConnectError('the connection is lost', Code.Unavailable)
const canceled = (): ConnectError => new ConnectError('the call was canceled', Code.Canceled)
const late = (): ConnectError => new ConnectError('the operation timed out', Code.DeadlineExceeded)

/** One call, from its sending to its end. */
class Call {
  readonly #link: Link
  readonly #name: string
  readonly #limits: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number | undefined }
  readonly #givenUp = new AbortController()
  readonly #fate: Fate
  readonly #listener: Listener | undefined
  /** Undoes what listens to signals and clocks for it. */
  readonly #listening = new DisposableStack()

  constructor(
    link: Link,
    name: string,
    limits: { signal: AbortSignal | undefined; timeoutMs: number | undefined },
  ) {
    this.#link = link
    this.#name = name
    this.#limits = limits
    this.#listener = link.listener()
    this.#fate = this.#listener ? link.fate(link.from, this.#listener.actor) : 'lost'
  }

  unary<Answer>(send: (routes: ServedRoutes, signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const fail = (error: unknown): void => {
      this.#listening.dispose()
      reject(error)
    }
    this.#begin(fail, ({ routes }) => {
      send(routes, this.#givenUp.signal).then(
        (answer) =>
          this.#answer('answers', fail, () => {
            this.#listening.dispose()
            resolve(answer)
          }),
        (error: unknown) => this.#answer('rejects', fail, () => fail(error)),
      )
    })
    return promise
  }

  /** Returns the answers, once the service has taken the call. */
  stream<Sent, Answered>(
    input: AsyncIterable<Sent>,
    send: (
      routes: ServedRoutes,
      signal: AbortSignal,
      messages: AsyncIterable<Sent>,
    ) => AsyncIterable<Answered>,
  ): Promise<AsyncIterable<Answered>> {
    const { promise, resolve, reject } = Promise.withResolvers<AsyncIterable<Answered>>()
    const sent = new Channel<Sent>()
    const answered = new Channel<Answered>()
    const end = (failure?: { error: unknown }): void => {
      this.#listening.dispose()
      answered.end(failure)
      if (failure) reject(failure.error)
    }
    const isUnanswered = this.#fate === 'unanswered'
    this.#begin(
      (error) => end({ error }),
      ({ actor, routes }) => {
        const { scheduler, from } = this.#link
        void this.#forward(input, actor, {
          push: (message) => sent.push(message),
          end: (failure) => sent.end(failure && { error: canceled() }),
        })
        if (from.isAlive)
          scheduler.deliver(from, `${actor.name} takes ${this.#name}`, () => resolve(answered))
        void this.#forward(send(routes, this.#givenUp.signal, sent), from, {
          push: (message) => isUnanswered || answered.push(message),
          end: (failure) => end(isUnanswered ? { error: lost() } : failure),
        })
      },
    )
    return promise
  }

  #begin(fail: (error: unknown) => void, arrive: (listener: Listener) => void): void {
    const { scheduler, from } = this.#link
    const listener = this.#listener
    if (!listener?.actor.isAlive) {
      scheduler.deliver(from, `nobody takes ${this.#name}`, () => fail(asNotSent(lost())))
      return
    }
    this.#listen(fail, listener)
    if (this.#limits.signal?.aborted) return
    scheduler.deliver(listener.actor, `${from.name}: ${this.#name}`, () => {
      if (this.#fate !== 'lost') arrive(listener)
      else if (from.isAlive) scheduler.deliver(from, `${this.#name} is lost`, () => fail(lost()))
    })
  }

  /** Fails when either process is gone, or when the caller does not want to wait any longer. */
  #listen(fail: (error: unknown) => void, { actor, gone }: Listener): void {
    const { scheduler, from, fromGone } = this.#link
    const { signal, timeoutMs } = this.#limits
    const giveUp = (words: string): void => {
      if (!actor.isAlive) return
      scheduler.deliver(actor, `${from.name} ${words} ${this.#name}`, () => this.#givenUp.abort(canceled()))
    }
    const stop = (error: ConnectError): void => {
      fail(error)
      giveUp('gives up')
    }
    if (signal?.aborted) return stop(canceled())
    this.#onAbort(signal, () => stop(canceled()))
    this.#onAbort(fromGone, () => giveUp('is gone and leaves'))
    this.#onAbort(gone, () => {
      if (from.isAlive) scheduler.deliver(from, `${actor.name} is gone: ${this.#name}`, () => fail(lost()))
    })
    if (timeoutMs === undefined) return
    const deadline = scheduler.after(timeoutMs, from, 'deadline', () => stop(late()), true)
    this.#listening.defer(() => scheduler.cancel(deadline))
  }

  #onAbort(signal: AbortSignal | undefined, act: () => void): void {
    if (!signal) return
    signal.addEventListener('abort', act, { once: true })
    this.#listening.defer(() => signal.removeEventListener('abort', act))
  }

  #answer(verb: string, fail: (error: unknown) => void, settle: () => void): void {
    const { scheduler, from } = this.#link
    if (!from.isAlive) return
    const name = this.#listener?.actor.name ?? ''
    if (this.#fate === 'unanswered') {
      scheduler.deliver(from, `the answer to ${this.#name} of ${name} is lost`, () => fail(lost()))
    } else scheduler.deliver(from, `${name} ${verb}: ${this.#name}`, settle)
  }

  /** Sends messages as they come; they arrive one after the other. */
  async #forward<Message>(
    messages: AsyncIterable<Message>,
    to: Actor,
    channel: { push: (message: Message) => unknown; end: (failure?: { error: unknown }) => void },
  ): Promise<void> {
    const { scheduler } = this.#link
    const waiting: (() => void)[] = []
    const arriveNext = (): void => {
      if (!to.isAlive) return
      scheduler.deliver(to, `a part of ${this.#name}`, () => {
        waiting.shift()?.()
        if (waiting.length > 0) arriveNext()
      })
    }
    const send = (arrive: () => void): void => {
      if (waiting.push(arrive) === 1) arriveNext()
    }
    try {
      for await (const message of messages) send(() => channel.push(message))
      send(() => channel.end())
    } catch (error) {
      send(() => channel.end({ error }))
    }
  }
}
