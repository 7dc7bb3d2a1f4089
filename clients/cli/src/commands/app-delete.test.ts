import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { Gateway } from '../testing/gateway-fixture.ts'
import { mainFile, runWadi } from '../testing/run-wadi-fixture.ts'
import { sampleApplication } from '../testing/sample-application-fixture.ts'

test('without a terminal nothing is deleted unless --yes is given', async () => {
  await using gateway = await Gateway.start()
  gateway.applications.set('a', sampleApplication('a', { phase: 'Hydrated', dry: '1' }))
  const { environment } = gateway
  const refused = await runWadi(['app', 'delete', 'a'], { environment, input: 'y\n' })
  assert.deepEqual([refused.stdout, refused.code], ['', 20])
  assert.match(refused.stderr, /nobody can be asked here: repeat the command with --yes/)
  assert.deepEqual(gateway.calls, [])
  const deleted = await runWadi(['app', 'delete', 'a', '-y'], { environment })
  assert.deepEqual([deleted.stdout, deleted.code], ["application 'a' deleted\n", 0])
  assert.equal(gateway.applications.size, 0)
})

test('on a terminal each name is asked for until the answer is all', async () => {
  await using gateway = await Gateway.start()
  for (const name of ['a', 'b', 'c']) {
    gateway.applications.set(name, sampleApplication(name, { phase: 'Hydrated', dry: '1' }))
  }
  const screen = await onTerminal(['app', 'delete', 'a', 'b', 'c'], gateway.environment, ['maybe', 'n', 'a'])
  assert.equal(screen.match(/Are you sure you want to delete 'a'\? \[y\/n\/a\]/g)?.length, 2)
  assert.match(screen, /The command to delete 'a' was cancelled\./)
  assert.match(screen, /application 'b' deleted/)
  assert.match(screen, /application 'c' deleted/)
  assert.deepEqual([...gateway.applications.keys()], ['a'])
})

// script(1) gives the process a terminal; each answer is typed when the next question stands there.
async function onTerminal(
  args: string[],
  environment: Record<string, string>,
  answers: string[],
): Promise<string> {
  const words = [process.execPath, mainFile, ...args].map((word) => `'${word}'`)
  const child = spawn('script', ['--quiet', '--command', words.join(' '), '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TERM: 'dumb', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  let answered = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    const questions = screen.split('without prompting ').length - 1
    while (answered < questions && answered < answers.length) child.stdin.write(`${answers[answered++]}\n`)
  })
  await once(child, 'close')
  return screen
}
