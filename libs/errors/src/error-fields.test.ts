import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { InvalidInputError, TimeLimitError } from './domain-error.ts'
import { errorFields, errorFromFields, type ErrorFields } from './error-fields.ts'
import { diskFull } from './machine-shortage.ts'

function sent(fields: ErrorFields): ErrorFields {
  const { port1, port2 } = new MessageChannel()
  port1.postMessage(fields, [])
  const received: { message: ErrorFields } | undefined = receiveMessageOnPort(port2)
  port1.close()
  assert.ok(received)
  return received.message
}

test('an error that crosses to another thread keeps class, message and place', () => {
  const at = { file: 'a.yaml', line: 1, column: 2 }
  const error = new InvalidInputError('broken', { at, context: ['outer'], path: 'spec.x', code: 'syntax' })
  const received = errorFromFields(sent(errorFields(error)))
  assert.ok(received instanceof InvalidInputError)
  assert.deepEqual(errorFields(received), errorFields(error))
  assert.equal(received.message, 'outer: a.yaml:1:2: broken')
})

test('retryability follows the class, and a narrower class arrives as the nearest one', () => {
  assert.equal(errorFromFields(sent(errorFields(new TimeLimitError('slow')))).retryable, false)
  const full = errorFromFields(sent(errorFields(diskFull('a test'))))
  assert.deepEqual([full.name, full.retryable], ['UnavailableError', true])
  assert.throws(() => errorFromFields({ ...errorFields(full), name: 'RangeError' }), TypeError)
})
