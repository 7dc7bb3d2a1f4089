import {
  AlreadyExistsError,
  ConflictError,
  DeadlineExceededError,
  type DomainError,
  type ErrorSettings,
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  PermissionDeniedError,
  ResourceExhaustedError,
  UnauthenticatedError,
  UnavailableError,
} from '@wadi/errors/domain-error.ts'
import { ownCredentialsCode } from '@wadi/errors/own-credentials.ts'
import { shortened, someInLine } from '@wadi/errors/some-of.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The API server does not answer now (429, 503) and may say when it will. */
export class BusyError extends UnavailableError {
  /** The time that the server asks to wait; 0 if it gives none. */
  readonly retryAfterMs: number

  constructor(reason: string, settings: ErrorSettings & { retryAfterMs: number }) {
    super(reason, settings)
    this.retryAfterMs = settings.retryAfterMs
  }
}

/** A `Status` of the Kubernetes API, as far as it is used; the body of an error, or the object of an ERROR event. */
interface Status {
  readonly reason: string
  readonly message: string
  readonly causes: readonly { readonly field: string; readonly message: string }[]
  readonly retryAfterSeconds: number
}

const maxCauses = 10

/** True if the server no longer has the version or page asked for (410); a new list is needed. */
export function isExpired(error: unknown): boolean {
  return error instanceof FailedPreconditionError && error.code === 'expired'
}

/** Returns the error for an answer that is not a success. */
export function statusError(code: number, body: string, retryAfter?: string): DomainError {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    value = undefined
  }
  return errorOfStatus(code, readStatus(value, body), Number(retryAfter))
}

/** Returns the error for the object of an ERROR event of a watch. */
export function errorOfEvent(status: unknown): DomainError {
  const code = isJsonObject(status) && typeof status['code'] === 'number' ? status['code'] : 500
  return errorOfStatus(code, readStatus(status, 'the watch ended with an unknown error'), Number.NaN)
}

function errorOfStatus(code: number, status: Status, retryAfterSeconds: number): DomainError {
  const { reason, message, causes } = status
  switch (code) {
    case 400:
      return new InvalidInputError(message, { code: 'bad-request' })
    case 401:
      return new UnauthenticatedError(
        `the Kubernetes API rejects the token or certificate of this client: ${message}`,
        { code: ownCredentialsCode },
      )
    case 403:
      return new PermissionDeniedError(`${message}; bind a role that allows it`)
    case 404:
      return notFound(status)
    case 409:
      return reason === 'AlreadyExists' ? new AlreadyExistsError(message) : new ConflictError(message)
    case 410:
      return new FailedPreconditionError(message, { code: 'expired' })
    case 413:
      return new ResourceExhaustedError(message)
    case 422:
      return new InvalidInputError(message, { code: 'invalid', path: soleField(causes) })
    case 429:
    case 503: {
      const seconds = Number.isFinite(retryAfterSeconds) ? retryAfterSeconds : status.retryAfterSeconds
      return new BusyError(message, { retryAfterMs: seconds * 1000 })
    }
    case 504:
      return new DeadlineExceededError(message)
    default:
      return code >= 500
        ? new UnavailableError(`the Kubernetes API answered ${code}: ${message}`)
        : new FailedPreconditionError(`the Kubernetes API answered ${code}: ${message}`)
  }
}

/** An object that does not exist is named by the server; of a kind that it does not serve, only the path is unknown. */
function notFound({ message, causes }: Status): NotFoundError {
  const isUnknownKind =
    message.startsWith('404 page not found') ||
    message === 'the server could not find the requested resource' ||
    causes.some((cause) => cause.message === '404 page not found')
  return isUnknownKind
    ? new NotFoundError('the cluster does not serve this kind; install its CustomResourceDefinition', {
        code: 'unknown-kind',
      })
    : new NotFoundError(message)
}

function soleField(causes: Status['causes']): string | undefined {
  // Beside an error the server may say, of no field, that rules were left unchecked because of it.
  const fields = causes.map(({ field }) => field).filter((field) => field !== '' && field !== '<nil>')
  return fields.length === 1 ? fields[0] : undefined
}

function readStatus(value: unknown, text: string): Status {
  const fields = isJsonObject(value) && value['kind'] === 'Status' ? value : {}
  const details = isJsonObject(fields['details']) ? fields['details'] : {}
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isJsonObject) : []
  const read = causes.map((cause) => ({ field: string(cause['field']), message: string(cause['message']) }))
  const message = string(fields['message'])
  const unnamed = read.filter((cause) => !message.includes(cause.message))
  const more = someInLine(
    unnamed.map((cause) => (cause.field === '' ? cause.message : `${cause.field}: ${cause.message}`)),
    maxCauses,
    '; ',
  )
  const retryAfterSeconds = details['retryAfterSeconds']
  return {
    reason: string(fields['reason']),
    message: shortened([message === '' ? text.trim() : message, ...(more === '' ? [] : [more])].join('; ')),
    causes: read,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 0,
  }
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
