import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  type StreamResponse,
  type Transport,
  type UnaryResponse,
} from '@connectrpc/connect'
import { asNotSent } from '@wadi/rpc/service-connection.ts'
import { Channel } from '../virtual/channel.ts'
import type { Fate } from '../virtual/network.ts'
import type { Actor, Scheduler } from '../virtual/scheduler.ts'

/** A service process as its callers find it: another one after each start. */
export interface Listener {
  readonly actor: Actor
  readonly transport: Transport
  /** Aborts when the process is gone. */
  readonly gone: AbortSignal
}

/** The link between a process and a service. */
interface Link {
  readonly scheduler: Scheduler
  readonly from: Actor
  /** The service's process now; undefined while there is none. */
  readonly listener: () => Listener | undefined
  readonly fate: (from: Actor, to: Actor) => Fate
}

/** The transport of the calls of one process to a service: what is sent and answered arrives in steps of the world. */
export function rpcLink(link: Link): Transport {
  return {
    unary: async (method, signal, timeoutMs, header, input) =>
      new Call(link, method.name, signal).unary((transport, whole) =>
        transport.unary(method, whole, timeoutMs, header, input),
      ),
    stream: async (method, signal, timeoutMs, header, input) =>
      new Call(link, method.name, signal).stream(input, (transport, whole, messages) =>
        transport.stream(method, whole, timeoutMs, header, messages),
      ),
  }
}

const lost = (): ConnectError => new ConnectError('the connection is lost', Code.Unavailable)

/** One call, from its sending to its end. */
class Call {
  readonly #link: Link
  readonly #name: string
  readonly #signal: AbortSignal | undefined
  readonly #ended = new AbortController()
  readonly #fate: Fate
  readonly #listener: Listener | undefined

  constructor(link: Link, name: string, signal: AbortSignal | undefined) {
    this.#link = link
    this.#name = name
    this.#signal = signal
    this.#listener = link.listener()
    this.#fate = this.#listener ? link.fate(link.from, this.#listener.actor) : 'lost'
  }

  unary<I extends DescMessage, O extends DescMessage>(
    send: (transport: Transport, signal: AbortSignal) => Promise<UnaryResponse<I, O>>,
  ): Promise<UnaryResponse<I, O>> {
    const { promise, resolve, reject } = Promise.withResolvers<UnaryResponse<I, O>>()
    this.#begin(reject, ({ transport }) => {
      send(transport, this.#ended.signal).then(
        (response) => this.#answer('answers', () => resolve(response), reject),
        (error: unknown) => this.#answer('rejects', () => reject(error), reject),
      )
    })
    return promise
  }

  stream<I extends DescMessage, O extends DescMessage>(
    input: AsyncIterable<MessageInitShape<I>>,
    send: (
      transport: Transport,
      signal: AbortSignal,
      messages: AsyncIterable<MessageInitShape<I>>,
    ) => Promise<StreamResponse<I, O>>,
  ): Promise<StreamResponse<I, O>> {
    const { promise, resolve, reject } = Promise.withResolvers<StreamResponse<I, O>>()
    const sent = new Channel<MessageInitShape<I>>()
    const answered = new Channel<MessageShape<O>>()
    const fail = (error: unknown): void => {
      answered.end({ error })
      reject(error)
    }
    this.#begin(fail, ({ actor, transport }) => {
      void this.#forward(input, sent, actor, () => new ConnectError('the caller is gone', Code.Canceled))
      send(transport, this.#ended.signal, sent).then(
        (response) => {
          this.#answer('answers', () => resolve({ ...response, message: answered }), fail)
          void this.#forward(response.message, answered, this.#link.from)
        },
        (error: unknown) => this.#answer('rejects', () => fail(error), fail),
      )
    })
    return promise
  }

  #begin(fail: (error: unknown) => void, arrive: (listener: Listener) => void): void {
    const { scheduler, from } = this.#link
    const listener = this.#listener
    if (!listener?.actor.isAlive) {
      scheduler.deliver(from, `nobody takes ${this.#name}`, () => fail(asNotSent(lost())))
      return
    }
    const { actor, gone } = listener
    gone.addEventListener('abort', () => {
      if (from.isAlive) scheduler.deliver(from, `${actor.name} is gone: ${this.#name}`, () => fail(lost()))
    })
    const cancel = (): void => {
      fail(new ConnectError('the call was canceled', Code.Canceled))
      if (actor.isAlive)
        scheduler.deliver(actor, `${from.name} gives up ${this.#name}`, () => this.#ended.abort())
    }
    if (this.#signal?.aborted) return cancel()
    this.#signal?.addEventListener('abort', cancel, { once: true })
    scheduler.deliver(actor, `${from.name}: ${this.#name}`, () => {
      if (this.#fate !== 'lost') arrive(listener)
      else if (from.isAlive) scheduler.deliver(from, `${this.#name} is lost`, () => fail(lost()))
    })
  }

  #answer(verb: string, settle: () => void, fail: (error: unknown) => void): void {
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
    channel: Channel<Message>,
    to: Actor,
    failure: (error: unknown) => unknown = (error) => error,
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
      send(() => channel.end({ error: failure(error) }))
    }
  }
}
