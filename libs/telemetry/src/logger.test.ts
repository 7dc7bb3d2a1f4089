import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { createLogger } from './logger.ts'
import type { LoggerOptions } from './logger.ts'
import { runInTrace } from './trace.ts'

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger = createLogger({ service: 'hydrator', level: 'info', format: 'json', write, ...options })
  return { logger, lines }
}

function onlyObject(lines: string[]): Record<string, unknown> {
  assert.equal(lines.length, 1)
  const object: Record<string, unknown> = JSON.parse(lines[0] ?? '')
  return object
}

test('a JSON line carries level, service, message and the trace it was written in', () => {
  const { logger, lines } = capture()
  runInTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', () => {
    logger.info({ branch: 'env/prod' }, 'hydrated')
  })
  const { time, ...rest } = onlyObject(lines)
  assert.match(String(time), /^\d{4}-\d\d-\d\dT/)
  assert.deepEqual(rest, {
    level: 'info',
    service: 'hydrator',
    branch: 'env/prod',
    msg: 'hydrated',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  })
})

test('lines below the level are not written', () => {
  const { logger, lines } = capture({ level: 'warn' })
  logger.info('quiet')
  logger.warn('loud')
  assert.equal(onlyObject(lines)['msg'], 'loud')
})

test('secrets are redacted at every depth that services log', () => {
  const { logger, lines } = capture()
  logger.info({
    token: 's3cret',
    repository: { password: 's3cret', nested: { sshPrivateKey: 's3cret' } },
    headers: { authorization: 's3cret' },
  })
  assert.equal(lines.join('').includes('s3cret'), false)
  assert.deepEqual(onlyObject(lines)['repository'], {
    password: '[redacted]',
    nested: { sshPrivateKey: '[redacted]' },
  })
})

test('the user part of a URL is redacted in messages, values and error texts', () => {
  const { logger, lines } = capture()
  const err = new Error('clone of https://me:s3cret@git.example/x failed', {
    cause: new Error('HTTPS://s3cret@git.example refused'),
  })
  logger.error({ err, url: 'http://s3cret@host/path' }, 'https://s3cret@git.example/repo')
  assert.equal(lines.join('').includes('s3cret'), false)
  assert.match(lines.join(''), /https:\/\/\[redacted\]@git\.example\/x failed/)
})

test('a text line is readable and a hostile value cannot start a second line', () => {
  const { logger, lines } = capture({ format: 'text' })
  logger.warn({ path: 'apps/web', reason: 'x\nERROR forged' }, 'skipped\nagain')
  assert.match(
    lines.join(''),
    /^\S+Z WARN  hydrator skipped\\nagain path=apps\/web reason="x\\nERROR forged"\n$/,
  )
})

test('an error in a line shows its composed message and its place as fields', () => {
  const { logger, lines } = capture()
  const at = { file: 'web/values.yaml', line: 3, column: 7 }
  const err = new InvalidInputError('broken', { at, code: 'syntax', context: ['component "web"'] })
  logger.error({ err }, 'failed')
  const logged: { err: Record<string, unknown> } = JSON.parse(lines[0] ?? '')
  const message = 'component "web": web/values.yaml:3:7: broken'
  assert.equal(logged.err['message'], message)
  assert.ok(String(logged.err['stack']).includes(message))
  assert.deepEqual([logged.err['at'], logged.err['code']], [at, 'syntax'])
})
