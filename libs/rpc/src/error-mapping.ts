import { Code, ConnectError } from '@connectrpc/connect'
import { certificateTimeMessage } from '@wadi/errors/certificate-time.ts'
import {
  AlreadyExistsError,
  CanceledError,
  ConflictError,
  DeadlineExceededError,
  DomainError,
  type ErrorSettings,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResourceExhaustedError,
  TimeLimitError,
  UnauthenticatedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { MachineShortageError, shortageOf } from '@wadi/errors/machine-shortage.ts'
import { ownCredentialsCode } from '@wadi/errors/own-credentials.ts'
import { shortened } from '@wadi/errors/some-of.ts'

/**
 * The callee failed in a way that it does not describe to callers; its own log, under the same trace id, does.
 */
export class RemoteError extends DomainError {
  override readonly name = 'RemoteError'
}

const classByCode = new Map<Code, new (reason: string, settings?: ErrorSettings) => DomainError>([
  [Code.InvalidArgument, InvalidInputError],
  [Code.NotFound, NotFoundError],
  [Code.AlreadyExists, AlreadyExistsError],
  [Code.PermissionDenied, PermissionDeniedError],
  [Code.Unauthenticated, UnauthenticatedError],
  [Code.FailedPrecondition, FailedPreconditionError],
  [Code.Aborted, ConflictError],
  [Code.ResourceExhausted, ResourceExhaustedError],
  [Code.Unavailable, UnavailableError],
  [Code.DeadlineExceeded, DeadlineExceededError],
  [Code.Canceled, CanceledError],
])

/** Carries the `code` of a domain error, which is narrower than the RPC's. */
const errorCodeHeader = 'wadi-error-code'

/** Carries the time until which the callee of a `RateLimitError` does not answer, in milliseconds from now: clocks differ. */
const retryInHeader = 'wadi-retry-in'

/** The header's value for a `TimeLimitError`, which has no RPC code of its own. */
const timeLimitCode = 'time-limit'

// gRPC carries the message percent-encoded in a trailer, and clients refuse header blocks over 8 KiB.
const maxMessageLength = 2_000

/**
 * Gives a thrown value its RPC code. Domain errors keep their message; anything unknown becomes `Internal` with the text
 * "internal error", and only `cause`, which never leaves the process, holds what really happened.
 * @param service what the message of a shortage of this machine names
 */
export function toConnectError(thrown: unknown, service?: string): ConnectError {
  const error = ownRejection(namedShortage(thrown, service), service)
  if (error instanceof ConnectError) return isGivenUp(error) ? givenUp(error) : error
  for (const [code, errorClass] of classByCode) {
    if (error instanceof errorClass) {
      return new ConnectError(
        shortened(error.message, maxMessageLength),
        code,
        headersOf(error),
        undefined,
        error,
      )
    }
  }
  if (error instanceof DOMException && error.name === 'AbortError') {
    return new ConnectError('the call was canceled', Code.Canceled, undefined, undefined, error)
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new ConnectError('the operation timed out', Code.DeadlineExceeded, undefined, undefined, error)
  }
  return new ConnectError('internal error', Code.Internal, undefined, undefined, error)
}

function headersOf(error: DomainError): Record<string, string> {
  const narrower = error instanceof TimeLimitError ? timeLimitCode : error.code
  return {
    ...(narrower !== undefined && { [errorCodeHeader]: narrower }),
    ...(error instanceof RateLimitError && { [retryInHeader]: String(error.retryAt - Date.now()) }),
  }
}

/** Without the error's words a user cannot know whose disk or processes are meant. */
function namedShortage(error: unknown, service: string | undefined): unknown {
  const shortage = error instanceof MachineShortageError ? error : shortageOf(error)
  if (shortage === undefined) return error
  const name = service === undefined ? '' : `${service}: `
  return new UnavailableError(`${name}${shortage.message}`, { cause: shortage })
}

/** A rejection of the credentials of this service is an outage for its callers, who would sign in again for nothing. */
function ownRejection(error: unknown, service: string | undefined): unknown {
  if (!(error instanceof UnauthenticatedError) || error.code !== ownCredentialsCode) return error
  return new UnavailableError(`${service ?? 'the service'}: ${error.message}`, { cause: error })
}

/** True if the caller closed the stream of its requests without an end, by which it cancels the call. */
function isGivenUp(error: ConnectError): boolean {
  return (
    error.code === Code.Internal && !error.isWireError && error.rawMessage.startsWith('http/2 stream closed')
  )
}

function givenUp(cause: ConnectError): ConnectError {
  return new ConnectError('the caller canceled the call', Code.Canceled, undefined, undefined, cause)
}

/**
 * Turns what a call threw into the domain error that the callee threw, with the received error as `cause`.
 * connect-node reports a peer that died or a socket that is gone as `Canceled`, `Aborted` or `Internal`; unless the
 * caller's own `signal` is aborted, these become `UnavailableError`.
 */
export function fromConnectError(error: unknown, signal?: AbortSignal): DomainError {
  if (error instanceof DomainError) return error
  const received = ConnectError.from(error)
  const code = received.isWireError ? received.code : codeOfTransportFailure(received, signal)
  const narrower = received.metadata.get(errorCodeHeader) ?? undefined
  if (code === Code.DeadlineExceeded && narrower === timeLimitCode) {
    return new TimeLimitError(received.rawMessage, { cause: error })
  }
  const retryIn = Number(received.metadata.get(retryInHeader) ?? Number.NaN)
  if (code === Code.ResourceExhausted && Number.isSafeInteger(retryIn)) {
    const retryAt = Date.now() + retryIn
    return new RateLimitError(received.rawMessage, { code: narrower, cause: error, retryAt })
  }
  const errorClass = classByCode.get(code) ?? (code === Code.OutOfRange ? InvalidInputError : RemoteError)
  const message = certificateTimeMessage(received.rawMessage, received)
  return new errorClass(message, { code: narrower, cause: error })
}

function codeOfTransportFailure(error: ConnectError, signal: AbortSignal | undefined): Code {
  switch (error.code) {
    case Code.Canceled:
    case Code.Aborted:
      return signal?.aborted === true ? Code.Canceled : Code.Unavailable
    case Code.Internal:
      if (isTlsFailure(error)) return Code.FailedPrecondition
      return isConnectionFailure(error) ? Code.Unavailable : Code.Internal
    default:
      return error.code
  }
}

const connectionFailures =
  /^(?:ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|EACCES|EHOSTUNREACH|ENETUNREACH|ERR_HTTP2_\w+)$/
const tlsFailures = /^(?:ERR_(?:SSL|TLS)_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/

function isConnectionFailure(error: ConnectError): boolean {
  // A peer that resets the stream or leaves without the closing message has no Node error behind it, only this text.
  const endedEarly = /http\/2 stream closed|missing EndStreamResponse|protocol error/.test(error.rawMessage)
  return endedEarly || nodeCodes(error).some((code) => connectionFailures.test(code))
}

function isTlsFailure(error: ConnectError): boolean {
  return nodeCodes(error).some((code) => tlsFailures.test(code))
}

function nodeCodes(error: unknown): string[] {
  const codes = []
  const seen = new Set<unknown>()
  for (let link = error; link instanceof Error && !seen.has(link); link = link.cause) {
    seen.add(link)
    if ('code' in link && typeof link.code === 'string') codes.push(link.code)
  }
  return codes
}
