import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeadlineExceededError, ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { runTool } from './run-tool.ts'

const options = {
  cwd: '/',
  environment: { PATH: '/usr/bin:/bin', ONLY: 'this' },
  timeoutMilliseconds: 10_000,
  outputBytes: 10_000,
  signal: undefined,
}

test('a tool sees the given environment alone and its streams and exit code come back', async () => {
  const result = await runTool(['/bin/sh', '-c', 'echo "$ONLY:$HOME"; echo bad >&2; exit 3'], options)
  assert.deepEqual([result.exitCode, result.output.toString(), result.errorOutput], [3, 'this:\n', 'bad\n'])
})

test('a tool over its time is killed together with what it started', async () => {
  // The child would hold the pipe open for a minute if it outlived its parent.
  const run = runTool(['/bin/sh', '-c', 'sleep 60 & sleep 60'], { ...options, timeoutMilliseconds: 200 })
  const started = performance.now()
  await assert.rejects(run, DeadlineExceededError)
  assert.ok(performance.now() - started < 10_000)
})

test('a tool that writes without end is stopped at the limit', async () => {
  await assert.rejects(
    runTool(['/bin/sh', '-c', 'while :; do echo yes; done'], options),
    ResourceExhaustedError,
  )
})

test('an aborted run ends with the reason of its signal', async () => {
  const controller = new AbortController()
  const run = runTool(['/bin/sleep', '60'], { ...options, signal: controller.signal })
  controller.abort(new Error('shutting down'))
  await assert.rejects(run, /shutting down/)
})

test('a tool that is not there is unavailable', async () => {
  await assert.rejects(runTool(['/nonexistent/helm'], options), UnavailableError)
})
