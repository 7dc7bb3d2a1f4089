import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from './domain-error.ts'
import { withContext, withPath } from './with-context.ts'

const at = { file: 'a.yaml', line: 2 }

function fail(error: unknown): never {
  throw error
}

test('what was being done comes before the place, the outermost first', () => {
  const broken = new InvalidInputError('broken', { at })
  assert.throws(() => withContext('package', () => withContext('component "web"', () => fail(broken))), {
    message: 'package: component "web": a.yaml:2: broken',
    at,
    context: ['package', 'component "web"'],
  })
})

test('work that takes time fails with its context, also before its first await', async () => {
  const rejected = async () => {
    await Promise.resolve()
    return fail(new InvalidInputError('broken'))
  }
  await assert.rejects(withContext('outer', rejected), { message: 'outer: broken' })
  assert.equal(await withContext('outer', () => Promise.resolve(1)), 1)
  assert.equal(
    withContext('outer', () => 1),
    1,
  )
})

test('an error that several callers got has the context of each alone', async () => {
  const shared = Promise.reject(new InvalidInputError('broken'))
  const messages = await Promise.all(
    ['a', 'b'].map((name) => withContext(name, () => shared).catch((error: Error) => error.message)),
  )
  assert.deepEqual(messages, ['a: broken', 'b: broken'])
})

test('errors of other classes and errors that are no domain errors pass as they are', () => {
  const large = new ResourceExhaustedError('large')
  assert.throws(
    () => withContext('outer', () => fail(large), InvalidInputError),
    (error) => error === large,
  )
  const bug = new TypeError('bug')
  assert.throws(
    () => withContext('outer', () => fail(bug)),
    (error) => error === bug,
  )
})

test('the innermost field is named, once', () => {
  const inner = 'spec.generators[0].matrix.generators[1].list'
  const error = new InvalidInputError('broken', { at })
  assert.throws(() => withPath('spec.generators[0].matrix', () => withPath(inner, () => fail(error))), {
    message: `${inner}: a.yaml:2: broken`,
    path: inner,
    at,
  })
  const subject = new InvalidInputError('name must be a string', { context: [inner] })
  assert.throws(() => withPath(inner, () => fail(subject)), {
    message: `${inner}: name must be a string`,
    path: inner,
  })
})
