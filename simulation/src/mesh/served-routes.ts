import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type {
  DescMethod,
  DescMethodStreaming,
  DescMethodUnary,
  DescService,
  MessageShape,
} from '@bufbuild/protobuf'
import {
  ConnectError,
  createContextValues,
  createServiceImplSpec,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type ServiceImpl,
} from '@connectrpc/connect'
import { invokeUnaryImplementation, transformInvokeImplementation } from '@connectrpc/connect/protocol'

/** A call as it comes to a service. */
export interface ArrivedCall {
  /** Aborts when its caller gives it up. */
  readonly signal: AbortSignal
  readonly header: ConstructorParameters<typeof Headers>[0] | undefined
  /** The time that its caller gives it, in milliseconds. */
  readonly timeoutMs: number | undefined
}

/** The RPCs of a process: messages and errors cross as the wire brings them, between Connect's client and its handlers. */
export class ServedRoutes {
  readonly #methods = new Map<string, MethodImplSpec>()
  readonly #interceptors: Interceptor[]

  constructor(interceptors: Interceptor[]) {
    this.#interceptors = interceptors
  }

  /** Adds the RPCs of a service. */
  add<Service extends DescService>(service: Service, routes: Partial<ServiceImpl<Service>>): void {
    for (const spec of Object.values(createServiceImplSpec(service, routes).methods)) {
      this.#methods.set(nameOf(spec.method), spec)
    }
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    call: ArrivedCall,
  ): Promise<MessageShape<O>> {
    const spec = this.#methods.get(nameOf(method))
    if (spec?.kind !== 'unary') throw new Error(`${method.name} is not served`)
    try {
      const answer = await invokeUnaryImplementation(
        spec,
        contextOf(method, call),
        sent(method.input, spec.method.input, create(method.input, input)),
        this.#interceptors,
      )
      return sent(spec.method.output, method.output, answer)
    } catch (error) {
      throw sentError(error)
    }
  }

  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    input: AsyncIterable<MessageInitShape<I>>,
    call: ArrivedCall,
  ): AsyncGenerator<MessageShape<O>> {
    const spec = this.#methods.get(nameOf(method))
    if (!spec) throw new Error(`${method.name} is not served`)
    const handle = transformInvokeImplementation(spec, contextOf(method, call), this.#interceptors)
    const arrive = (message: MessageInitShape<I>): MessageShape<DescMessage> =>
      sent(method.input, spec.method.input, create(method.input, message))
    try {
      for await (const answer of handle(mapped(input, arrive))) {
        yield sent(spec.method.output, method.output, answer)
      }
    } catch (error) {
      throw sentError(error)
    }
  }
}

function nameOf({ parent, localName }: DescMethod): string {
  return `${parent.typeName}/${localName}`
}

function contextOf(
  method: DescMethodUnary | DescMethodStreaming,
  { signal, header, timeoutMs }: ArrivedCall,
): HandlerContext {
  const requestHeader = new Headers(header)
  if (timeoutMs !== undefined) requestHeader.set('connect-timeout-ms', String(timeoutMs))
  const until = timeoutMs === undefined ? undefined : Date.now() + timeoutMs
  return {
    method,
    service: method.parent,
    signal,
    timeoutMs: () => (until === undefined ? undefined : until - Date.now()),
    requestMethod: 'POST',
    requestHeader,
    responseHeader: new Headers(),
    responseTrailer: new Headers(),
    protocolName: 'connect',
    values: createContextValues(),
    url: `http://service/${method.parent.typeName}/${method.name}`,
  }
}

/** A message as the other side reads it. */
function sent<Read extends DescMessage>(
  written: DescMessage,
  read: Read,
  message: MessageShape<DescMessage>,
): MessageShape<Read> {
  return fromBinary(read, toBinary(written, message))
}

/** An error as the other side reads it: without its cause. */
function sentError(error: unknown): ConnectError {
  const { rawMessage, code, metadata, details } = ConnectError.from(error)
  const read = new ConnectError(rawMessage, code, metadata)
  read.details = details
  read.isWireError = true
  return read
}

async function* mapped<From, To>(items: AsyncIterable<From>, map: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield map(item)
}
