import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import {
  AlreadyExistsError,
  CanceledError,
  ConflictError,
  DeadlineExceededError,
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
import { ownCredentialsCode } from '@wadi/errors/own-credentials.ts'
import { RemoteError, fromConnectError, toConnectError } from './error-mapping.ts'

function fromWire(code: Code): ConnectError {
  return Object.assign(new ConnectError('it failed', code), { isWireError: true })
}

const pairs = [
  [InvalidInputError, Code.InvalidArgument],
  [NotFoundError, Code.NotFound],
  [AlreadyExistsError, Code.AlreadyExists],
  [PermissionDeniedError, Code.PermissionDenied],
  [UnauthenticatedError, Code.Unauthenticated],
  [FailedPreconditionError, Code.FailedPrecondition],
  [ConflictError, Code.Aborted],
  [ResourceExhaustedError, Code.ResourceExhausted],
  [UnavailableError, Code.Unavailable],
  [DeadlineExceededError, Code.DeadlineExceeded],
  [CanceledError, Code.Canceled],
] as const

for (const [errorClass, code] of pairs) {
  test(`${errorClass.name} is ${Code[code]} on the wire, and back`, () => {
    const sent = toConnectError(new errorClass('it failed'))
    assert.deepEqual([sent.code, sent.rawMessage], [code, 'it failed'])
    const received = fromConnectError(fromWire(code))
    assert.ok(received instanceof errorClass)
    assert.equal(received.message, 'it failed')
  })
}

test('the time limit of a program is a passed deadline on the wire, and no other try helps after it', () => {
  const sent = toConnectError(new TimeLimitError('helm took longer than 90 s'))
  assert.equal(sent.code, Code.DeadlineExceeded)
  const received = fromConnectError(Object.assign(sent, { isWireError: true, cause: undefined }))
  assert.ok(received instanceof TimeLimitError)
  assert.deepEqual([received.message, received.retryable], ['helm took longer than 90 s', false])
  assert.equal(fromConnectError(fromWire(Code.DeadlineExceeded)).retryable, true)
})

test('the end of a rate limit crosses the wire to a service with another clock', ({ mock }) => {
  mock.timers.enable({ apis: ['Date'], now: 4_000_000 })
  const sent = toConnectError(new RateLimitError('asked too much', { retryAt: 4_060_000 }))
  assert.equal(sent.code, Code.ResourceExhausted)
  mock.timers.setTime(1_000_000)
  const received = fromConnectError(Object.assign(sent, { isWireError: true, cause: undefined }))
  assert.ok(received instanceof RateLimitError)
  assert.deepEqual([received.message, received.retryAt], ['asked too much', 1_060_000])
})

test('the composed message and the code of an error cross the wire', () => {
  const at = { file: 'a.yaml', line: 2 }
  const error = new FailedPreconditionError('gone', { at, context: ['outer'], code: 'commit-gone' })
  const sent = toConnectError(error)
  const received = fromConnectError(Object.assign(sent, { isWireError: true, cause: undefined }))
  assert.ok(received instanceof FailedPreconditionError)
  assert.deepEqual([received.message, received.code], ['outer: a.yaml:2: gone', 'commit-gone'])
  assert.equal(fromConnectError(fromWire(Code.FailedPrecondition)).code, undefined)
})

const opaque = {
  error: new TypeError('x is undefined'),
  'remote error': new RemoteError('their secret'),
  text: 'boom',
}
for (const [name, thrown] of Object.entries(opaque)) {
  test(`an unexpected ${name} is internal and hides what happened`, () => {
    const sent = toConnectError(thrown)
    assert.deepEqual([sent.code, sent.rawMessage, sent.cause], [Code.Internal, 'internal error', thrown])
  })
}

for (const [code, message] of [
  ['ENOSPC', /^repo-server: no space left on disk for its work; make room in /],
  [
    'EROFS',
    /^repo-server: the file system is read-only and takes nothing for its work; .* mount its volume /,
  ],
  ['EMFILE', /^repo-server: a system call failed with EMFILE; .* too many processes or open files, /],
] as const) {
  test(`${code} is a shortage of the named service that may pass`, () => {
    const sent = toConnectError(Object.assign(new Error('of a file'), { code }), 'repo-server')
    assert.equal(sent.code, Code.Unavailable)
    assert.match(sent.rawMessage, message)
  })
}

test('an aborted signal is canceled and a timeout a passed deadline', () => {
  const signal = AbortSignal.abort()
  assert.equal(toConnectError(signal.reason).code, Code.Canceled)
  assert.equal(toConnectError(new DOMException('late', 'TimeoutError')).code, Code.DeadlineExceeded)
})

test('a message that no header block could carry is shortened', () => {
  assert.equal(toConnectError(new NotFoundError('x'.repeat(100_000))).rawMessage, `${'x'.repeat(2_000)}…`)
})

test('codes without a class of their own are remote errors, which nobody retries', () => {
  for (const code of [Code.Internal, Code.Unknown, Code.Unimplemented, Code.DataLoss]) {
    const received = fromConnectError(fromWire(code))
    assert.deepEqual([received.name, received.retryable], ['RemoteError', false])
  }
  assert.equal(fromConnectError(fromWire(Code.OutOfRange)).name, 'InvalidInputError')
})

function failure(code: Code, nodeCode: string): ConnectError {
  const cause = Object.assign(new Error('low level'), { code: nodeCode })
  return new ConnectError('low level', code, undefined, undefined, cause)
}

const transportFailures = [
  [
    'a peer that reset the stream',
    new ConnectError('http/2 stream closed with CANCEL', Code.Canceled),
    'UnavailableError',
  ],
  ['a reset connection', failure(Code.Aborted, 'ECONNRESET'), 'UnavailableError'],
  ['a missing socket file', failure(Code.Internal, 'ENOENT'), 'UnavailableError'],
  ['a closed pipe', failure(Code.Internal, 'EPIPE'), 'UnavailableError'],
  [
    'an untrusted certificate',
    failure(Code.Internal, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    'FailedPreconditionError',
  ],
  [
    'a refused handshake',
    failure(Code.Internal, 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'),
    'FailedPreconditionError',
  ],
  ['a defect on our side', new ConnectError('cannot encode', Code.Internal), 'RemoteError'],
] as const
for (const [name, error, expected] of transportFailures) {
  test(`${name} is ${expected}`, () => {
    assert.equal(fromConnectError(error).name, expected)
  })
}

test('what ends because the caller aborted is canceled, whatever the transport says', () => {
  const error = new ConnectError('http/2 stream closed with CANCEL', Code.Canceled)
  assert.equal(fromConnectError(error, AbortSignal.abort()).name, 'CanceledError')
})

test('a caller that closes its stream before the end canceled the call, which is not an error for operators', () => {
  const closed = new ConnectError('http/2 stream closed with error code INTERNAL_ERROR (0x2)', Code.Internal)
  assert.equal(toConnectError(closed).code, Code.Canceled)
  const sent = Object.assign(new ConnectError('http/2 stream closed', Code.Internal), { isWireError: true })
  assert.equal(toConnectError(sent).code, Code.Internal)
})

test('rejected credentials of the service itself are its outage, and no reason for callers to sign in', () => {
  const { code, rawMessage } = toConnectError(
    new UnauthenticatedError('the Kubernetes API rejects the token', { code: ownCredentialsCode }),
    'api-gateway',
  )
  assert.deepEqual(
    [code, rawMessage],
    [Code.Unavailable, 'api-gateway: the Kubernetes API rejects the token'],
  )
})
