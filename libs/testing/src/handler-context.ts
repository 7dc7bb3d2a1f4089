import type { DescMethod } from '@bufbuild/protobuf'
import { createHandlerContext, type HandlerContext } from '@connectrpc/connect'

/** Returns what a handler of a method receives along with its request. */
export function handlerContext(
  method: DescMethod,
  call: Partial<Pick<Parameters<typeof createHandlerContext>[0], 'contextValues' | 'requestSignal'>> = {},
): HandlerContext {
  return createHandlerContext({
    ...call,
    service: method.parent,
    method,
    protocolName: 'connect',
    requestMethod: 'POST',
    url: 'https://localhost/',
  })
}
