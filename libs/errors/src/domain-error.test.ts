import assert from 'node:assert/strict'
import { test } from 'node:test'
import { types, inspect } from 'node:util'
import {
  FailedPreconditionError,
  InvalidInputError,
  NotFoundError,
  UnavailableError,
} from './domain-error.ts'

const at = { file: 'web/values.yaml', line: 3, column: 7 }

for (const [parts, message] of [
  [{}, 'must be a string'],
  [{ at: { file: 'a.yaml' } }, 'a.yaml: must be a string'],
  [{ at: { file: 'a.yaml', line: 2 } }, 'a.yaml:2: must be a string'],
  [{ at }, 'web/values.yaml:3:7: must be a string'],
  [{ context: ['component "web"', 'chart "x"'] }, 'component "web": chart "x": must be a string'],
  [{ context: ['component "web"'], at }, 'component "web": web/values.yaml:3:7: must be a string'],
  [{ path: 'spec.project', code: 'not-a-string' }, 'must be a string'],
] as const) {
  test(`the message of ${JSON.stringify(parts)} is composed of its parts`, () => {
    const error = new InvalidInputError('must be a string', parts)
    assert.equal(error.message, message)
    assert.equal(String(error), `InvalidInputError: ${message}`)
    assert.deepEqual(
      [error.at, error.path, error.code],
      [
        'at' in parts ? parts.at : undefined,
        'path' in parts ? parts.path : undefined,
        'code' in parts ? parts.code : undefined,
      ],
    )
  })
}

class MovedError extends UnavailableError {
  readonly url: string

  constructor(url: string) {
    super('moved')
    this.url = url
  }
}

test('a changed error keeps its class, fields, cause and frames, and the first one stays as it was', () => {
  const cause = new Error('socket')
  const first = Object.assign(new MovedError('https://a'), { cause })
  const changed = first.with({ context: ['outer'], at })
  assert.equal(first.message, 'moved')
  assert.ok(changed instanceof MovedError && types.isNativeError(changed))
  assert.deepEqual(
    [changed.message, changed.url, changed.retryable, changed.name, changed.cause],
    ['outer: web/values.yaml:3:7: moved', 'https://a', true, 'UnavailableError', cause],
  )
  const frames = (error: Error) => error.stack?.split('\n').slice(1)
  assert.deepEqual(frames(changed), frames(first))
  assert.equal(changed.with({ at: undefined, context: [] }).message, 'moved')
})

test('an error of another class says the same and has the first one as its cause', () => {
  const first = new NotFoundError('no such file', {
    at,
    path: 'spec.source',
    context: ['outer'],
    code: 'gone',
  })
  const other = first.as(FailedPreconditionError)
  assert.equal(other.name, 'FailedPreconditionError')
  assert.deepEqual(
    [other.message, other.at, other.path, other.code],
    [first.message, at, 'spec.source', 'gone'],
  )
  assert.equal(other.cause, first)
})

test('inspectors and assertions see the composed message', async () => {
  const error = new InvalidInputError('broken', { at }).with({ context: ['component "web"'] })
  const message = 'component "web": web/values.yaml:3:7: broken'
  assert.ok(inspect(error).includes(`: ${message}\n`), inspect(error))
  await assert.rejects(
    Promise.reject(error),
    /^InvalidInputError: component "web": web\/values\.yaml:3:7: broken$/,
  )
  await assert.rejects(Promise.reject(error), { name: 'InvalidInputError', message })
})

test('users and passwords of URLs are left out of a message, its context and its stack', () => {
  const url = 'https://robot:s3cr3t@git.example.com/a.git'
  const error = new NotFoundError(`${url} is not there`, { context: [`mirror of ${url}`] })
  const with2 = error.with({ context: [`once more ${url}`] })
  for (const { message, stack, reason } of [error, with2, error.as(InvalidInputError)]) {
    assert.match(message, /https:\/\/git\.example\.com\/a\.git is not there$/)
    assert.ok(!`${message}${stack}${reason}`.includes('s3cr3t'))
  }
})
