import { Code, ConnectError } from '@connectrpc/connect'
import { abortError } from '@wadi/concurrency/abort-error.ts'
import {
  CanceledError,
  DeadlineExceededError,
  DomainError,
  FailedPreconditionError,
  InvalidInputError,
  ResourceExhaustedError,
  TimeLimitError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { PluginUnavailableError } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { fromConnectError } from '@wadi/rpc/error-mapping.ts'

/** A plugin as messages name it. */
export interface NamedPlugin {
  readonly name: string
  /** `unix:/path` or a URL. */
  readonly endpoint: string
}

/**
 * The error for a user of a call to a plugin that failed. The plugin's own message is kept, with its
 * temporary directory taken out of paths, and is an InvalidInputError: a plugin has no other way to refuse its input.
 */
export function pluginFailure(
  error: unknown,
  { name, endpoint }: NamedPlugin,
  signal: AbortSignal | undefined,
): DomainError {
  if (signal?.aborted === true) return abortError(signal, 'the call')
  if (error instanceof DomainError) return error
  const received = ConnectError.from(error)
  const failure = fromConnectError(error, signal)
  const because = { cause: error }
  const text = shortenedPaths(received.rawMessage)
  if (failure instanceof DeadlineExceededError) {
    return new TimeLimitError(`plugin ${name}: did not finish in time (${text})`, because)
  }
  if (failure instanceof UnavailableError || failure instanceof CanceledError) {
    return new PluginUnavailableError(
      `plugin ${name} does not answer at ${endpoint}: ${text}; check that its cmp-server runs and that this process may open the socket`,
      because,
    )
  }
  if (received.code === Code.ResourceExhausted) {
    return new ResourceExhaustedError(`plugin ${name}: ${text}`, because)
  }
  if (received.code === Code.Unimplemented) {
    return new FailedPreconditionError(
      `what listens at ${endpoint} does not speak the plugin protocol (${text}); plugin ${name} needs a cmp-server of Argo CD or Wadi there`,
      because,
    )
  }
  if (received.code === Code.Unauthenticated || failure instanceof FailedPreconditionError) {
    return new FailedPreconditionError(`plugin ${name} at ${endpoint}: ${text}`, because)
  }
  return received.isWireError
    ? new InvalidInputError(`plugin ${name}: ${text}`, because)
    : new FailedPreconditionError(
        `plugin ${name} at ${endpoint} gave an answer that cannot be read: ${text}`,
        because,
      )
}

// Where Argo CD's cmp-server unpacks a call's files: <workdir>/_cmp_server/<uuid>. Every part is bounded, so that a long
// message costs no more than its length.
const workDirectory =
  /(?:\/[\w.@%+~-]{1,64}){0,8}\/_cmp_server\/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?<inside>\/?)/g

function shortenedPaths(text: string): string {
  return text.replaceAll(workDirectory, (...groups) => {
    const inside: unknown = groups.at(-1)?.inside
    return inside === '/' ? '' : '.'
  })
}
